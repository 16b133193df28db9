package store

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettings(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	must(t, s.SetSetting("theme", "dark"))
	must(t, s.SetSetting("theme", "light"))
	must(t, s.SetSetting("empty", ""))
	must(t, s.SetSetting("gone", "x"))
	must(t, s.UnsetSetting("gone"))
	must(t, s.UnsetSetting("never set"))
	got, err := s.Settings()
	must(t, err)
	if diff := cmp.Diff(map[string]string{"theme": "light", "empty": ""}, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	if err := s.SetSetting("", "x"); err == nil {
		t.Error("a setting without a name was saved")
	}
}

func TestOffers(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	if _, ok, err := s.Offer("a"); ok || err != nil {
		t.Errorf("an offer that was never saved: known %v, %v", ok, err)
	}
	offer := json.RawMessage(`{"tools":[{"name":"é<"}]}`)
	must(t, s.SaveOffer("a", offer))
	got, ok, err := s.Offer("a")
	if string(got) != string(offer) || !ok || err != nil {
		t.Errorf("offer is %s (known %v, %v), want %s", got, ok, err, offer)
	}
	if err := s.SaveOffer("a", json.RawMessage(`{"tools":`)); err == nil {
		t.Error("half an offer was saved")
	}
}

func TestValues(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	for _, key := range []string{"b/1", "a/2", "a/1", "ab/1"} {
		must(t, s.PutValue(key, []byte(key)))
	}
	must(t, s.DeleteValue("a/2"))
	must(t, s.DeleteValue("a/2"))
	for prefix, want := range map[string][]string{"a/": {"a/1"}, "": {"a/1", "ab/1", "b/1"}, "c": nil} {
		got, err := s.ValueKeys(prefix)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("keys of %q (-want +got):\n%s", prefix, diff)
		}
	}
	got, ok, err := s.Value("b/1")
	if string(got) != "b/1" || !ok || err != nil {
		t.Errorf("value is %q (known %v, %v)", got, ok, err)
	}
	if _, ok, err := s.Value("none"); ok || err != nil {
		t.Errorf("unknown value: known %v, %v", ok, err)
	}
}
