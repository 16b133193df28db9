package secrets

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/store"
)

// ownKeys are keys as a person would make them.
func ownKeys(t *testing.T, n int) []string {
	t.Helper()
	keys := make([]string, n)
	for i := range keys {
		k, err := newDataKey()
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = k.text()
	}
	return keys
}

func overriding(text string) Override {
	return func() (string, bool, error) { return text, text != "", nil }
}

func TestOwnKeyTakesOverWhatWasKept(t *testing.T) {
	for place, ring := range map[string]*fakeKeyring{"keyring": {}, "file": {fail: errors.New("locked")}} {
		t.Run(place, func(t *testing.T) {
			dir := t.TempDir()
			box, err := store.Open(dir, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = box.Close() }()
			with := func(key string) *Vault { return Open(dir, box, Options{Keyring: ring, Override: overriding(key)}) }
			keys := ownKeys(t, 2)

			before := with("")
			if _, err := before.Put("one", "token", "hush-hush"); err != nil {
				t.Fatal(err)
			}
			journal, err := before.Key("audit")
			if err != nil {
				t.Fatal(err)
			}
			after := with(keys[0])
			if got, err := after.Resolve("one/token"); err != nil || got != "hush-hush" {
				t.Fatalf("with the own key: %q, %v", got, err)
			}
			if same, err := after.Key("audit"); err != nil || !bytes.Equal(same, journal) {
				t.Errorf("the journal's key changed (%v)", err)
			}
			if kind := after.Where(t.Context()).Kind; kind != InSetting {
				t.Errorf("the key is said to be in %q", kind)
			}
			if _, err := os.Stat(filepath.Join(dir, keyFile)); err == nil || len(ring.secrets) != 0 {
				t.Error("the key is still where it was")
			}
			for name, key := range map[string]string{"another key": keys[1], "no key": ""} {
				vault := with(key)
				_, err := vault.Resolve("one/token")
				e := domain.AsError(err)
				if e == nil || e.Code != domain.CodeSecretKeyMissing || e.Args["setting"] == "" {
					t.Errorf("%s: %v", name, err)
				}
				if _, err := vault.Put("one", "other", "x"); err == nil {
					t.Errorf("%s: something was kept with it", name)
				}
			}
			if got, err := with(keys[0]).Resolve("one/token"); err != nil || got != "hush-hush" {
				t.Errorf("after the failures: %q, %v", got, err)
			}
		})
	}
}

func TestOwnKeyFromTheBeginning(t *testing.T) {
	dir := t.TempDir()
	box, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = box.Close() }()
	ring := &fakeKeyring{}
	key := ownKeys(t, 1)[0]
	for range 2 { // and again after a start
		vault := Open(dir, box, Options{Keyring: ring, Override: overriding(key)})
		if _, err := vault.Put("one", "token", "hush-hush"); err != nil {
			t.Fatal(err)
		}
		if got, err := vault.Resolve("one/token"); err != nil || got != "hush-hush" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if ring.calls.Load() != 0 {
		t.Errorf("the keyring was asked %d times", ring.calls.Load())
	}
}

func TestOwnKeyThatCannotBeHadIsTold(t *testing.T) {
	box, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = box.Close() }()
	said := &domain.Error{Code: domain.CodeConfigInvalid, Message: "the variable VAULT_KEY is not set"}
	vault := Open(t.TempDir(), box, Options{Keyring: &fakeKeyring{}, Override: func() (string, bool, error) { return "", true, said }})
	if place := vault.Check(t.Context()); place.Reason == nil || place.Reason.Code != said.Code || !place.Degraded {
		t.Errorf("where: %+v", place)
	}
	if _, err = vault.Put("one", "token", "x"); !errors.Is(err, said) {
		t.Errorf("got %v", err)
	}
	if err := CheckKey("hunter2"); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a text that is no key: %v", err)
	}
}

// Whoever is killed between the two steps of the move leaves the key in clear: the next start takes it away.
func TestKeyFileThatAMoveLeftBehindGoes(t *testing.T) {
	dir := t.TempDir()
	values := openStore(t, dir)
	o := Options{Keyring: &fakeKeyring{fail: errLocked}}
	_, err := Open(dir, values, o).Put("one", "token", "hush-hush")
	must(t, err)
	path := filepath.Join(dir, keyFile)
	left, err := os.ReadFile(path)
	must(t, err)
	o.Override = overriding(ownKeys(t, 1)[0])
	wantSecret(t, Open(dir, values, o), "one/token", "hush-hush")
	must(t, os.WriteFile(path, left, 0o600))
	wantSecret(t, Open(dir, values, o), "one/token", "hush-hush")
	if _, err := os.Stat(path); err == nil {
		t.Error("the key still lies there in clear")
	}
	must(t, os.WriteFile(path, []byte("something else"), 0o600))
	wantSecret(t, Open(dir, values, o), "one/token", "hush-hush")
	if _, err := os.Stat(path); err != nil {
		t.Error("what is no key of ours was taken away")
	}
}
