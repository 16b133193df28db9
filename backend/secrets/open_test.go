package secrets

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"apollia.fr/connexions/backend/domain"
)

func TestWithoutAKeyringTheKeyLiesInAFile(t *testing.T) {
	for name, ring := range map[string]*fakeKeyring{
		"locked": {fail: errLocked}, "forgetful": {forget: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			values := openStore(t, dir)
			v := Open(dir, values, Options{Keyring: ring})
			_, err := v.Put("a", "b", "c")
			must(t, err)
			wantPlace(t, v, InFile, domain.CodeSecretsInFile)
			if v.Where(t.Context()).Reason.Args["cause"] == "" {
				t.Error("the notice does not say why the keyring is not used")
			}
			info, err := os.Stat(filepath.Join(dir, keyFile))
			must(t, err)
			if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
				t.Errorf("mode of the key file is %o, want 600", mode)
			}

			// The keyring works again: the file stays the place.
			works := &fakeKeyring{}
			again := Open(dir, values, Options{Keyring: works})
			wantPlace(t, again, InFile, domain.CodeSecretsInFile)
			wantSecret(t, again, "a/b", "c")
			if works.calls.Load() != 0 {
				t.Error("the keyring was asked although there is a key file")
			}
			left, err := filepath.Glob(filepath.Join(dir, keyFile+".*"))
			if len(left) != 0 || err != nil {
				t.Errorf("drafts of the key file are left: %v %v", left, err)
			}
		})
	}
}

func TestWithoutASessionBusTheKeyringIsNotAsked(t *testing.T) {
	dir := t.TempDir()
	keyring.MockInitWithError(errLocked)
	t.Cleanup(keyring.MockInit)
	v := Open(dir, openStore(t, dir), Options{Environ: []string{}})
	v.ring.reachable = func() bool { return hasSessionBus(nil, filepath.Join(dir, "bus")) }
	_, err := v.Put("a", "b", "c")
	must(t, err)
	if cause := v.Where(t.Context()).Reason.Args["cause"]; runtime.GOOS == "linux" && cause != errNoSessionBus.Error() {
		t.Errorf("the key lies in a file because %q, want %q", cause, errNoSessionBus)
	}
}

func TestSystemKeyring(t *testing.T) {
	keyring.MockInit()
	dir := t.TempDir()
	values := openStore(t, dir)
	environ := []string{"DBUS_SESSION_BUS_ADDRESS=unix:path=/never/dialled"}
	v := Open(dir, values, Options{Environ: environ})
	_, err := v.Put("a", "b", "c")
	must(t, err)
	wantPlace(t, v, InKeyring, "")
	wantSecret(t, Open(dir, values, Options{Environ: environ}), "a/b", "c")
}

func TestHasSessionBus(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		if !hasSessionBus(nil, "") {
			t.Error("the keyring of this system needs no bus")
		}
		return
	}
	dir := t.TempDir()
	socket, none := filepath.Join(dir, "bus"), filepath.Join(dir, "none")
	must(t, os.WriteFile(socket, nil, 0o600))
	for name, c := range map[string]struct {
		environ []string
		socket  string
		want    bool
	}{
		"nothing":       {nil, none, false},
		"address":       {[]string{"A=1", "DBUS_SESSION_BUS_ADDRESS=unix:path=/x"}, none, true},
		"empty address": {[]string{"DBUS_SESSION_BUS_ADDRESS="}, none, false},
		"autolaunch":    {[]string{"DBUS_SESSION_BUS_ADDRESS=autolaunch:"}, none, false},
		"last counts":   {[]string{"DBUS_SESSION_BUS_ADDRESS=unix:path=/x", "DBUS_SESSION_BUS_ADDRESS="}, none, false},
		"socket":        {nil, socket, true},
	} {
		if got := hasSessionBus(c.environ, c.socket); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestTheKeyIsNeverReplacedSilently(t *testing.T) {
	cases := map[string]struct {
		first error // of the keyring, when the key is made
		later func(dir string, ring *fakeKeyring)
		want  domain.Code
	}{
		"keyring locked": {later: func(_ string, k *fakeKeyring) { k.fail = errLocked }, want: domain.CodeKeyringDown},
		"keyring empty":  {later: func(_ string, k *fakeKeyring) { k.secrets = nil }, want: domain.CodeSecretKeyMissing},
		"other key in the keyring": {later: func(_ string, k *fakeKeyring) {
			for account := range k.secrets {
				other, _ := newDataKey()
				k.secrets[account] = other.text()
			}
		}, want: domain.CodeSecretKeyMissing},
		"file gone": {first: errLocked, later: func(dir string, _ *fakeKeyring) {
			_ = os.Remove(filepath.Join(dir, keyFile))
		}, want: domain.CodeSecretKeyMissing},
		"file gone, keyring back": {first: errLocked, later: func(dir string, k *fakeKeyring) {
			k.fail = nil
			_ = os.Remove(filepath.Join(dir, keyFile))
		}, want: domain.CodeSecretKeyMissing},
		"file damaged": {first: errLocked, later: func(dir string, _ *fakeKeyring) {
			_ = os.WriteFile(filepath.Join(dir, keyFile), []byte("half a k"), 0o600)
		}, want: domain.CodeSecretKeyMissing},
		"other file": {first: errLocked, later: func(dir string, _ *fakeKeyring) {
			other, _ := newDataKey()
			_ = os.WriteFile(filepath.Join(dir, keyFile), []byte(other.text()), 0o600)
		}, want: domain.CodeSecretKeyMissing},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			values := openStore(t, dir)
			ring := &fakeKeyring{fail: c.first}
			_, err := Open(dir, values, Options{Keyring: ring}).Put("a", "b", "c")
			must(t, err)
			sealed, _, err := values.Value("a/b")
			must(t, err)

			c.later(dir, ring)
			v := Open(dir, values, Options{Keyring: ring})
			_, err = v.Resolve("a/b")
			wantCode(t, err, c.want)
			_, err = v.Put("a", "new", "x")
			wantCode(t, err, c.want)
			if place := v.Where(t.Context()); !place.Degraded || place.Reason.Code != c.want {
				t.Errorf("place is %+v, want the reason", place)
			}
			still, _, err := values.Value("a/b")
			must(t, err)
			if !bytes.Equal(still, sealed) {
				t.Error("the encrypted value was changed")
			}
		})
	}
}

func TestKeyIsMissedEvenWithoutSecrets(t *testing.T) {
	dir := t.TempDir()
	values := openStore(t, dir)
	ring := &fakeKeyring{}
	v := Open(dir, values, Options{Keyring: ring})
	_, err := v.Put("a", "b", "c")
	must(t, err)
	must(t, v.DeleteServer("a"))
	ring.secrets = nil
	v = Open(dir, values, Options{Keyring: ring})
	_, err = v.Key("audit") // what was sealed with it would no longer verify
	wantCode(t, err, domain.CodeSecretKeyMissing)
	r, err := v.Renew()
	must(t, err)
	if len(r.Secrets) != 0 {
		t.Errorf("the renewal costs %v, want nothing", r.Secrets)
	}
	_, err = v.Put("a", "b", "d")
	must(t, err)
	wantSecret(t, v, "a/b", "d")
}

func TestKeySurvivesTheLossOfTheDatabaseAndAMove(t *testing.T) {
	dir := t.TempDir()
	ring := &fakeKeyring{}
	values := openStore(t, dir)
	v := Open(dir, values, Options{Keyring: ring})
	_, err := v.Put("a", "b", "c")
	must(t, err)
	key, err := v.Key("audit")
	must(t, err)

	moved := Open(filepath.Join(dir, "elsewhere"), values, Options{Keyring: ring})
	wantSecret(t, moved, "a/b", "c")

	fresh := Open(dir, openStore(t, t.TempDir()), Options{Keyring: ring})
	again, err := fresh.Key("audit")
	must(t, err)
	if !bytes.Equal(again, key) {
		t.Error("a fresh database got another key although the keyring has the one of this folder")
	}
}

func TestKeyFileThatOthersCanReadIsTightened(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // rights of files are lists there, and the folder is the user's
	}
	dir := t.TempDir()
	values := openStore(t, dir)
	ring := &fakeKeyring{fail: errLocked}
	_, err := Open(dir, values, Options{Keyring: ring}).Put("a", "b", "c")
	must(t, err)
	path := filepath.Join(dir, keyFile)
	must(t, os.Chmod(path, 0o644))

	v := Open(dir, values, Options{Keyring: ring})
	wantSecret(t, v, "a/b", "c")
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != fs.FileMode(0o600) {
		t.Errorf("mode is %o, want 600", info.Mode().Perm())
	}
	wantPlace(t, v, InFile, domain.CodeSecretsInFile)
	if reason := v.Where(t.Context()).Reason; reason.Args["exposed"] != "true" || !strings.Contains(reason.Message, "other users") {
		t.Errorf("the notice is %q, want that others could read the file", reason.Message)
	}
}

func TestKeyFileOnAReadOnlyOrMissingFolder(t *testing.T) {
	values := openStore(t, t.TempDir())
	v := Open(filepath.Join(t.TempDir(), "gone"), values, Options{Keyring: &fakeKeyring{fail: errLocked}})
	if _, err := v.Put("a", "b", "c"); err == nil {
		t.Error("a secret was kept without its key")
	}
	if keys, err := values.ValueKeys(""); len(keys) != 0 || err != nil {
		t.Errorf("values are %v (%v), want none", keys, err)
	}
}

// A person unlocks the keyring: who stood still for it hears so, once.
func TestFoundIsToldOfAKeyThatWasOutOfReach(t *testing.T) {
	dir := t.TempDir()
	values, ring := openStore(t, dir), &fakeKeyring{}
	_, err := Open(dir, values, Options{Keyring: ring}).Put("a", "b", "c")
	must(t, err)
	found := 0
	v := Open(dir, values, Options{Keyring: ring, Found: func() { found++ }})
	ring.fail = errLocked
	_, err = v.Resolve("a/b")
	wantCode(t, err, domain.CodeKeyringDown)
	if found != 0 {
		t.Error("told too early")
	}
	ring.fail = nil
	wantSecret(t, v, "a/b", "c")
	wantSecret(t, v, "a/b", "c")
	if found != 1 {
		t.Errorf("told %d times", found)
	}
}
