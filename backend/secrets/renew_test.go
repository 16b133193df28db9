package secrets

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// keyless is a vault with two secrets whose key was lost, and the key itself.
func keyless(t *testing.T, dir string, values Values, ring *fakeKeyring) (*Vault, dataKey) {
	t.Helper()
	before := Open(dir, values, Options{Keyring: ring})
	for _, key := range []string{"env.TOKEN", "header.Authorization"} {
		_, err := before.Put("github", key, "hunter2")
		must(t, err)
	}
	open, err := before.open()
	must(t, err)
	if open.place.Kind == InFile {
		must(t, os.Remove(filepath.Join(dir, keyFile)))
	} else {
		ring.secrets = nil
	}
	return Open(dir, values, Options{Keyring: ring}), open.key
}

func TestRenewedKeyKeepsTheOldValuesAside(t *testing.T) {
	for name, fail := range map[string]error{"keyring": nil, "file": errLocked} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			values, ring := openStore(t, dir), &fakeKeyring{fail: fail}
			v, old := keyless(t, dir, values, ring)
			lost := v.Check(t.Context())
			if !lost.Degraded || lost.Reason.Code != domain.CodeSecretKeyMissing || !strings.Contains(lost.Reason.Hint, "apollia doctor --new-key") {
				t.Errorf("the place is %+v, want it without its key and the way out", lost)
			}

			r, err := v.Renew()
			must(t, err)
			want := []string{"github/env.TOKEN", "github/header.Authorization"}
			if !slices.Equal(r.Secrets, want) || !slices.Equal(lost.Lost, want) || r.KeyKeptIn != "" {
				t.Errorf("the renewal is %+v after %v was lost, want %v of both", r, lost.Lost, want)
			}
			wantKept(t, r.KeptIn, old)
			_, err = v.Resolve("${secret:github/env.TOKEN}")
			wantCode(t, err, domain.CodeCredentialMissing)
			if name := domain.AsError(err).Args["variable"]; name != "github/env.TOKEN" {
				t.Errorf("the refusal names %q", name)
			}
			_, err = v.Put("github", "env.TOKEN", "new")
			must(t, err)
			again := Open(dir, values, Options{Keyring: ring})
			wantSecret(t, again, "github/env.TOKEN", "new")
			if got := again.Where(t.Context()).Kind; got != r.Place.Kind {
				t.Errorf("after a restart the key is in the %s, want %s", got, r.Place.Kind)
			}
		})
	}
}

// wantKept opens the kept values with the old key, as a person with any Fernet tool would.
func wantKept(t *testing.T, path string, old dataKey) {
	t.Helper()
	raw, err := os.ReadFile(path)
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("mode of %s is %o, want 600", path, mode)
	}
	var kept struct {
		Mark   mark
		Values map[string]string
	}
	must(t, json.Unmarshal(raw, &kept))
	if !kept.Mark.fits(old) {
		t.Error("the kept mark is not that of the old key")
	}
	if len(kept.Values) != 2 {
		t.Errorf("%d values are kept, want 2", len(kept.Values))
	}
	for name, token := range kept.Values {
		if value, ok := old.unseal(name, []byte(token)); !ok || value != "hunter2" {
			t.Errorf("the kept %s opens as %q, %v", name, value, ok)
		}
	}
}

func TestOnlyALostKeyIsRenewed(t *testing.T) {
	cases := map[string]struct {
		before func(dir string, values Values, ring *fakeKeyring) *Vault
		want   domain.Code
	}{
		"no key yet": {func(dir string, values Values, ring *fakeKeyring) *Vault {
			return Open(dir, values, Options{Keyring: ring})
		}, domain.CodeSecretKeyPresent},
		"key in use": {func(dir string, values Values, ring *fakeKeyring) *Vault {
			v := Open(dir, values, Options{Keyring: ring})
			_, err := v.Put("a", "b", "c")
			must(t, err)
			return v
		}, domain.CodeSecretKeyPresent},
		"key not looked for": {func(dir string, values Values, ring *fakeKeyring) *Vault {
			_, err := Open(dir, values, Options{Keyring: ring}).Put("a", "b", "c")
			must(t, err)
			return Open(dir, values, Options{Keyring: ring})
		}, domain.CodeSecretKeyPresent},
		"keyring locked": {func(dir string, values Values, ring *fakeKeyring) *Vault {
			_, err := Open(dir, values, Options{Keyring: ring}).Put("a", "b", "c")
			must(t, err)
			ring.fail = errLocked
			return Open(dir, values, Options{Keyring: ring})
		}, domain.CodeKeyringDown},
		"keyring locked and a stray file": {func(dir string, values Values, ring *fakeKeyring) *Vault {
			_, err := Open(dir, values, Options{Keyring: ring}).Put("a", "b", "c")
			must(t, err)
			ring.fail = errLocked
			must(t, os.WriteFile(filepath.Join(dir, keyFile), []byte("half a k"), 0o600))
			return Open(dir, values, Options{Keyring: ring})
		}, domain.CodeKeyringDown},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			values, ring := openStore(t, dir), &fakeKeyring{}
			v := c.before(dir, values, ring)
			mark, _, err := values.Value(markKey)
			must(t, err)
			_, err = v.Renew()
			wantCode(t, err, c.want)
			still, _, err := values.Value(markKey)
			must(t, err)
			if !bytes.Equal(still, mark) {
				t.Error("the mark was changed")
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*"+lostInfix+"*")); len(left) != 0 {
				t.Errorf("files were made: %v", left)
			}
		})
	}
}

func TestRenewalOverwritesNoOtherKey(t *testing.T) {
	other, err := newDataKey()
	must(t, err)
	now := func() time.Time { return time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC) }
	dir := t.TempDir()
	values, ring := openStore(t, dir), &fakeKeyring{}
	v, _ := keyless(t, dir, values, ring)
	ring.secrets = map[string]string{v.ring.account: other.text()}
	v.now = now
	first, err := v.Renew()
	must(t, err)
	if ring.secrets[v.ring.account] != other.text() {
		t.Error("the other key in the keyring was overwritten")
	}
	wantPlace(t, Open(dir, values, Options{Keyring: ring}), InKeyring, "")

	// The same with a file, at the same moment.
	ring.secrets, ring.fail = nil, errLocked
	must(t, values.PutValue(markKey, []byte(`{"kind":"file","check":"x"}`)))
	path := filepath.Join(dir, keyFile)
	must(t, os.WriteFile(path, []byte(other.text()), 0o600))
	v = Open(dir, values, Options{Keyring: ring, Now: now})
	second, err := v.Renew()
	must(t, err)
	if first.KeptIn == second.KeptIn {
		t.Errorf("both renewals keep the old values in %s", first.KeptIn)
	}
	if kept, err := os.ReadFile(second.KeyKeptIn); string(kept) != other.text() || err != nil {
		t.Errorf("the other key file is kept in %q: %v", second.KeyKeptIn, err)
	}
	wantPlace(t, Open(dir, values, Options{Keyring: ring}), InFile, domain.CodeSecretsInFile)
}

func TestLostFileIsSaidBeforeAnySecretIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	values, ring := openStore(t, dir), &fakeKeyring{fail: errLocked}
	v, _ := keyless(t, dir, values, ring)
	calls := ring.calls.Load()
	if place := v.Where(t.Context()); place.Reason == nil || place.Reason.Code != domain.CodeSecretKeyMissing || len(place.Lost) != 2 {
		t.Errorf("the place is %+v, want the key missing with two secrets", place)
	}
	if ring.calls.Load() != calls {
		t.Error("the keyring was asked")
	}
}

func TestNewKeyIsUnrecordedUntilItIsSaid(t *testing.T) {
	dir := t.TempDir()
	values, ring := openStore(t, dir), &fakeKeyring{}
	v, _ := keyless(t, dir, values, ring)
	unrecorded := func(want bool) {
		t.Helper()
		if got, err := Open(dir, values, Options{Keyring: ring}).Unrecorded(); got != want || err != nil {
			t.Errorf("unrecorded is %v (%v), want %v", got, err, want)
		}
	}
	must(t, v.Recorded())
	unrecorded(false)
	_, err := v.Renew()
	must(t, err)
	unrecorded(true)
	must(t, v.Recorded())
	unrecorded(false)
	wantPlace(t, Open(dir, values, Options{Keyring: ring}), InKeyring, "")
	_, err = Open(dir, values, Options{Keyring: ring}).Key("audit")
	must(t, err)
}
