package store

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

func aServer(id string) domain.Server {
	return domain.Server{
		ID: id,
		Definition: domain.Definition{
			Name: "Server " + id, Transport: domain.Stdio, Command: "npx", Args: []string{"-y", "a b"},
			Env:            []domain.Variable{{Name: "TOKEN", Value: "${secret:" + id + "/TOKEN}", Secret: true}},
			DefaultVerdict: domain.Allow,
		},
		Trust: domain.Custom, Enabled: true, Source: domain.FromStore,
		CreatedAt: time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC), UpdatedAt: time.Date(2026, 7, 29, 10, 0, 0, 0, time.UTC),
	}
}

func TestServersAreKeptWhole(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	b, a := aServer("b"), aServer("a")
	must(t, s.SaveServer(b, nil))
	must(t, s.SaveServer(a, nil))
	b.Enabled = false
	must(t, s.SaveServer(b, nil))

	got, err := s.Servers()
	must(t, err)
	if diff := cmp.Diff([]domain.Server{a, b}, got); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	one, err := s.Server("b")
	must(t, err)
	if diff := cmp.Diff(b, one); diff != "" {
		t.Errorf("server b (-want +got):\n%s", diff)
	}
	_, err = s.Server("c")
	wantCode(t, err, domain.CodeUnknownServer)
}

func TestSecretIsNeverSavedInADefinition(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	v := aServer("a")
	v.Headers = []domain.Variable{{Name: "Authorization", Value: "Bearer hunter2", Secret: true}}
	err := s.SaveServer(v, nil)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error is %v, want one without the secret", err)
	}
	_, err = s.Server("a")
	wantCode(t, err, domain.CodeUnknownServer)
	wantCode(t, s.SaveServer(domain.Server{}, nil), domain.CodeInvalidName)
}

func TestTrash(t *testing.T) {
	now := time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC)
	s := open(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	a := aServer("a")
	must(t, s.SaveServer(a, nil))
	must(t, s.SaveOffer("a", []byte(`{"tools":[]}`)))
	must(t, s.DeleteServer("a"))

	left, err := s.Servers()
	must(t, err)
	trash, err := s.Trash()
	must(t, err)
	if len(left) != 0 || len(trash) != 1 || trash[0].ID != "a" {
		t.Errorf("after deleting, servers are %v and trash is %v", left, trash)
	}
	wantCode(t, s.DeleteServer("a"), domain.CodeUnknownServer)

	back, err := s.RestoreServer("a")
	must(t, err)
	if diff := cmp.Diff(a, back); diff != "" {
		t.Errorf("restored server (-want +got):\n%s", diff)
	}
	if _, ok, err := s.Offer("a"); err != nil || !ok {
		t.Errorf("offer of a restored server: known %v, %v", ok, err)
	}
	_, err = s.RestoreServer("a")
	wantCode(t, err, domain.CodeUnknownServer)
}

func TestRestoreDoesNotReplaceANewServer(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	must(t, s.SaveServer(aServer("a"), nil))
	must(t, s.DeleteServer("a"))
	must(t, s.SaveServer(aServer("a"), nil))
	_, err := s.RestoreServer("a")
	wantCode(t, err, domain.CodeDuplicateName)

	gone, err := s.PurgeTrash(time.Now().Add(time.Hour))
	must(t, err)
	if len(gone) != 0 {
		t.Errorf("purge gives up the secrets of %v, which a saved server carries", gone)
	}
	if trash, _ := s.Trash(); len(trash) != 0 {
		t.Errorf("trash is %v after the purge", trash)
	}
}

func TestPurgeTrashForgetsOldOnes(t *testing.T) {
	now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	for _, id := range []string{"old", "recent"} {
		must(t, s.SaveServer(aServer(id), nil))
		must(t, s.SaveOffer(id, []byte(`1`)))
		must(t, s.DeleteServer(id))
		now = now.Add(24 * time.Hour)
	}
	gone, err := s.PurgeTrash(time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC))
	must(t, err)
	if diff := cmp.Diff([]string{"old"}, gone); diff != "" {
		t.Errorf("purged (-want +got):\n%s", diff)
	}
	for id, want := range map[string]bool{"old": false, "recent": true} {
		if _, ok, err := s.Offer(id); err != nil || ok != want {
			t.Errorf("offer of %s: known %v (%v), want %v", id, ok, err, want)
		}
	}
}

func TestServerAndItsSecretsAreSavedTogether(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	kept := func() map[string]string {
		t.Helper()
		found := make(map[string]string)
		keys, err := s.ValueKeys("")
		must(t, err)
		for _, key := range keys {
			value, _, err := s.Value(key)
			must(t, err)
			found[key] = string(value)
		}
		return found
	}
	must(t, s.PutValue("a/oauth", []byte("token")))
	must(t, s.PutValue("b/env.K", []byte("of b")))
	v := aServer("a")
	v.Env = []domain.Variable{{Name: "K", Value: "${secret:a/env.K}", Secret: true}}
	v.Headers = []domain.Variable{{Name: "H", Value: "Bearer ${secret:a/header.H}", Secret: true}}
	must(t, s.SaveServer(v, map[string][]byte{"a/env.K": []byte("k"), "a/header.H": []byte("h")}))
	want := map[string]string{"a/env.K": "k", "a/header.H": "h", "a/oauth": "token", "b/env.K": "of b"}
	if got := kept(); !maps.Equal(got, want) {
		t.Fatalf("kept %v, want %v", got, want)
	}

	changed := v
	changed.Headers = nil
	if s.SaveServer(changed, map[string][]byte{"a/env.K": []byte("new"), "": nil}) == nil {
		t.Fatal("a value without a key was saved")
	}
	if got, err := s.Server("a"); err != nil || len(got.Headers) != 1 || !maps.Equal(kept(), want) {
		t.Fatalf("%+v %v, kept %v: half of a change was saved", got, err, kept())
	}
	must(t, s.SaveServer(changed, map[string][]byte{"a/env.K": []byte("new")}))
	want["a/env.K"] = "new"
	delete(want, "a/header.H")
	if got := kept(); !maps.Equal(got, want) {
		t.Fatalf("kept %v, want %v", got, want)
	}
}

func TestSwappedValuesComeBack(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	must(t, s.PutValue("a", []byte("1")))
	replaced, err := s.SwapValues(map[string][]byte{"a": []byte("2"), "b": []byte("3")})
	must(t, err)
	if _, err := s.SwapValues(replaced); err != nil {
		t.Fatal(err)
	}
	a, _, err := s.Value("a")
	must(t, err)
	if _, found, err := s.Value("b"); string(a) != "1" || found || err != nil {
		t.Fatalf("a is %q, b is there: %v (%v)", a, found, err)
	}
}
