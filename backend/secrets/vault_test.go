package secrets

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/store"
)

// The real keyring is tested in a session bus of its own: this test program runs again in it, once per stage.
const (
	stageVariable  = "APOLLIA_TEST_STAGE"
	folderVariable = "APOLLIA_TEST_FOLDER"
)

func TestMain(m *testing.M) {
	if os.Getenv(stageVariable) == "" {
		keyring.MockInit() // no test may touch the keyring of whoever runs it
		goleak.VerifyTestMain(m)
		return
	}
	os.Exit(m.Run())
}

// fakeKeyring is a keyring in memory that can fail, hang and count.
type fakeKeyring struct {
	mu      sync.Mutex
	secrets map[string]string
	calls   atomic.Int32
	fail    error
	hang    chan struct{} // when set, calls wait until it is closed
	forget  bool          // takes secrets without keeping them
}

func (k *fakeKeyring) Get(_, account string) (string, error) {
	if err := k.enter(); err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	secret, ok := k.secrets[account]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return secret, nil
}

func (k *fakeKeyring) Set(_, account, secret string) error {
	if err := k.enter(); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.secrets == nil {
		k.secrets = make(map[string]string)
	}
	if !k.forget {
		k.secrets[account] = secret
	}
	return nil
}

func (k *fakeKeyring) Delete(_, account string) error {
	if err := k.enter(); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.secrets, account)
	return nil
}

func (k *fakeKeyring) enter() error {
	k.calls.Add(1)
	k.mu.Lock()
	hang, fail := k.hang, k.fail
	k.mu.Unlock()
	if hang != nil {
		<-hang
	}
	return fail
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, want domain.Code) {
	t.Helper()
	if got := domain.CodeOf(err); got != want {
		t.Errorf("code is %q (%v), want %q", got, err, want)
	}
}

// openStore opens the values of a data folder until the end of the test.
func openStore(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, store.Options{LockWait: time.Minute})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func wantSecret(t *testing.T, v *Vault, ref, want string) {
	t.Helper()
	if got, err := v.Resolve(ref); got != want || err != nil {
		t.Errorf("%s is %q (%v), want %q", ref, got, err, want)
	}
}

func wantPlace(t *testing.T, v *Vault, kind string, reason domain.Code) {
	t.Helper()
	got := v.Where(t.Context())
	var code domain.Code
	if got.Reason != nil {
		code = got.Reason.Code
	}
	if got.Kind != kind || code != reason || got.Degraded != (reason != "") {
		t.Errorf("place is %s, degraded %v, because of %q; want %s because of %q", got.Kind, got.Degraded, code, kind, reason)
	}
}

func TestSecretsAreKeptEncrypted(t *testing.T) {
	dir := t.TempDir()
	values := openStore(t, dir)
	ring := &fakeKeyring{}
	v := Open(dir, values, Options{Keyring: ring})
	long := strings.Repeat("é", 100_000)
	for _, c := range []struct{ key, value string }{
		{"env.TOKEN", "hunter2"}, {"header.Authorization", "Bearer x\x00y"}, {"empty", ""}, {"long", long},
	} {
		ref, err := v.Put("github", c.key, c.value)
		must(t, err)
		if want := "${secret:github/" + c.key + "}"; ref != want {
			t.Errorf("reference is %s, want %s", ref, want)
		}
		wantSecret(t, v, ref, c.value)
		wantSecret(t, v, "github/"+c.key, c.value)
	}
	_, err := v.Put("github", "env.TOKEN", "new")
	must(t, err)
	wantSecret(t, v, "${secret:github/env.TOKEN}", "new")
	wantPlace(t, v, InKeyring, "")

	raw, err := os.ReadFile(filepath.Join(dir, store.ServersFile))
	must(t, err)
	for _, secret := range append(keysOf(ring), "hunter2", "Bearer") {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the database holds %q in clear", secret)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, keyFile)); err == nil {
		t.Error("there is a key file beside the keyring")
	}
	wantSecret(t, Open(dir, values, Options{Keyring: ring}), "github/env.TOKEN", "new")
}

func keysOf(k *fakeKeyring) []string {
	var keys []string
	for _, secret := range k.secrets {
		keys = append(keys, secret)
	}
	return keys
}

func TestUnknownAndIllegalNames(t *testing.T) {
	dir := t.TempDir()
	v := Open(dir, openStore(t, dir), Options{Keyring: &fakeKeyring{}})
	for _, ref := range []string{"github/none", "${secret:github/none}", "${secret:}", "", ".vault", "a/b/c"} {
		_, err := v.Resolve(ref)
		wantCode(t, err, domain.CodeCredentialMissing)
	}
	for _, name := range [][2]string{{"", "k"}, {"Git Hub", "k"}, {"a", ""}, {"a", "b/c"}, {"a", "b}"}, {"a", "b c"}, {"a", "b\n"}} {
		_, err := v.Put(name[0], name[1], "x")
		wantCode(t, err, domain.CodeInvalidName)
	}
}

func TestDeleteServerForgetsItsSecretsOnly(t *testing.T) {
	dir := t.TempDir()
	values := openStore(t, dir)
	v := Open(dir, values, Options{Keyring: &fakeKeyring{}})
	for _, server := range []string{"git", "github"} {
		_, err := v.Put(server, "a", server)
		must(t, err)
		_, err = v.Put(server, "b", server)
		must(t, err)
	}
	must(t, v.DeleteServer("git"))
	must(t, v.DeleteServer("git"))
	for _, key := range []string{"git/a", "git/b"} {
		_, err := v.Resolve(key)
		wantCode(t, err, domain.CodeCredentialMissing)
	}
	wantSecret(t, v, "github/b", "github")
}

func TestSwappedAndDamagedValuesAreRefused(t *testing.T) {
	dir := t.TempDir()
	values := openStore(t, dir)
	v := Open(dir, values, Options{Keyring: &fakeKeyring{}})
	_, err := v.Put("bank", "token", "precious")
	must(t, err)
	sealed, _, err := values.Value("bank/token")
	must(t, err)
	must(t, values.PutValue("evil/token", sealed))
	sealed[20] ^= 1
	must(t, values.PutValue("bank/token", sealed))
	for _, name := range []string{"evil/token", "bank/token"} {
		got, err := v.Resolve(name)
		wantCode(t, err, domain.CodeCredentialMissing)
		if got != "" {
			t.Errorf("%s gave %q", name, got)
		}
	}
}

func TestNothingAsksTheKeyringBeforeTheFirstSecret(t *testing.T) {
	dir := t.TempDir()
	ring := &fakeKeyring{}
	values := openStore(t, dir)
	v := Open(dir, values, Options{Keyring: ring})
	wantPlace(t, v, Unused, "")
	must(t, v.DeleteServer("github"))
	_, err := v.Resolve("github/none")
	wantCode(t, err, domain.CodeCredentialMissing)
	if ring.calls.Load() != 0 {
		t.Errorf("the keyring was asked %d times", ring.calls.Load())
	}
	_, err = v.Put("a", "b", "c")
	must(t, err)

	calls := ring.calls.Load()
	again := Open(dir, values, Options{Keyring: ring})
	wantPlace(t, again, InKeyring, "")
	if ring.calls.Load() != calls {
		t.Error("saying where the key is asked the keyring")
	}
}

func TestKeysArePerPurposeAndStay(t *testing.T) {
	dir := t.TempDir()
	values, ring := openStore(t, dir), &fakeKeyring{}
	v := Open(dir, values, Options{Keyring: ring})
	audit, err := v.Key("audit")
	must(t, err)
	instance, err := v.Key("instance")
	must(t, err)
	later, err := Open(dir, values, Options{Keyring: ring}).Key("audit")
	must(t, err)
	if len(audit) != 32 || bytes.Equal(audit, instance) || !bytes.Equal(audit, later) {
		t.Errorf("keys are %d bytes; equal for two purposes %v; the same later %v",
			len(audit), bytes.Equal(audit, instance), bytes.Equal(audit, later))
	}
}

func TestNothingPrintsTheKey(t *testing.T) {
	dir := t.TempDir()
	ring := &fakeKeyring{}
	v := Open(dir, openStore(t, dir), Options{Keyring: ring})
	_, err := v.Put("a", "b", "hunter2")
	must(t, err)
	open, err := v.open()
	must(t, err)
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	logger.Info("x", "vault", v, "opened", open, "key", open.key)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, value := range []any{v, open, open.key, &open.key} {
			fmt.Fprintf(&log, verb+"\n", value)
		}
	}
	raw := open.key.fernet[:]
	for _, form := range []string{open.key.text(), fmt.Sprintf("%x", raw), fmt.Sprintf("%d", raw[:4]), string(raw)} {
		if strings.Contains(log.String(), strings.Trim(form, "[]")) {
			t.Errorf("the key shows as %q", form)
		}
	}
	if !strings.Contains(log.String(), "[secret]") {
		t.Error("nothing prints as [secret]")
	}
}

func TestKeyringThatHangsIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		values := openStore(t, dir)
		ring := &fakeKeyring{}
		_, err := Open(dir, values, Options{Keyring: ring}).Put("a", "b", "c")
		must(t, err)

		ring.hang = make(chan struct{})
		v := Open(dir, values, Options{Keyring: ring})
		before := ring.calls.Load()
		start := time.Now()
		for range 5 {
			_, err := v.Resolve("a/b")
			wantCode(t, err, domain.CodeKeyringDown)
		}
		if waited := time.Since(start); waited != keyringLimit || ring.calls.Load() != before+1 {
			t.Errorf("waited %v and asked %d times, want %v and once", waited, ring.calls.Load()-before, keyringLimit)
		}
		wantPlace(t, v, InKeyring, domain.CodeKeyringDown)
		close(ring.hang)
		synctest.Wait()
		wantSecret(t, v, "a/b", "c")
		wantPlace(t, v, InKeyring, "")
	})
}

var errLocked = errors.New("failed to unlock correct collection")
