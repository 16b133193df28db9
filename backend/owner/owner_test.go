package owner_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

func take(t *testing.T, home string) *owner.Lock {
	t.Helper()
	lock, err := owner.Take(t.Context(), home, 0)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func TestOnlyOneOwner(t *testing.T) {
	home := t.TempDir()
	first := take(t, home)
	if _, err := owner.Take(t.Context(), home, 10*time.Millisecond); domain.CodeOf(err) != domain.CodeFolderBusy {
		t.Fatalf("second owner got %v, want %s", err, domain.CodeFolderBusy)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if err := take(t, home).Release(); err != nil {
		t.Fatal(err)
	}
}

func TestWaitingProcessTakesOver(t *testing.T) {
	home := t.TempDir()
	first := take(t, home)
	result := make(chan error)
	go func() {
		second, err := owner.Take(t.Context(), home, time.Minute)
		if err == nil {
			err = second.Release()
		}
		result <- err
	}()
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil {
		t.Fatal(err)
	}
}

func TestInstanceOfADeadOwnerDoesNotCount(t *testing.T) {
	home := t.TempDir()
	if _, err := owner.Find(home); !errors.Is(err, owner.ErrNone) {
		t.Fatalf("empty folder: %v, want ErrNone", err)
	}
	lock := take(t, home)
	want := owner.Instance{URL: "http://127.0.0.1:1", Token: "t", Version: "1", PID: 7}
	if err := lock.Publish(want); err != nil {
		t.Fatal(err)
	}
	if got, err := owner.Find(home); err != nil || got != want {
		t.Fatalf("got %v, %v, want %v", got, err, want)
	}
	left, err := os.ReadFile(filepath.Join(home, "run", "instance.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "run", "instance.json"), left, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Find(home); !errors.Is(err, owner.ErrNone) {
		t.Fatalf("file without a holder of the lock: %v, want ErrNone", err)
	}
}

func TestNextOwnerForgetsTheInstanceOfAKilledOne(t *testing.T) {
	home := t.TempDir()
	if err := take(t, home).Release(); err != nil {
		t.Fatal(err)
	}
	left := []byte(`{"url":"http://127.0.0.1:1","token":"t","version":"1","pid":7}`)
	if err := os.WriteFile(filepath.Join(home, "run", "instance.json"), left, 0o600); err != nil {
		t.Fatal(err)
	}
	lock := take(t, home) // a short command, which publishes nothing
	defer func() { _ = lock.Release() }()
	if got, err := owner.Find(home); err != nil || got.URL != "" {
		t.Fatalf("got %v, %v: the address of the killed owner counts", got, err)
	}
}

func TestDamagedInstanceFileIsSaidWithAWayOut(t *testing.T) {
	home := t.TempDir()
	lock := take(t, home)
	defer func() { _ = lock.Release() }()
	if err := os.WriteFile(filepath.Join(home, "run", "instance.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Find(home); domain.CodeOf(err) != domain.CodeNotRunning || domain.AsError(err).Hint == "" {
		t.Fatalf("%v, want %s with a hint", err, domain.CodeNotRunning)
	}
}

func TestEmptyTokenProvesNothing(t *testing.T) {
	peer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, proof(owner.Proof("", r.URL.Query().Get("nonce")), "1.0"))
	}))
	defer peer.Close()
	if err := (owner.Instance{URL: peer.URL, Version: "1.0"}).Verify(t.Context(), peer.Client(), "1.0"); domain.CodeOf(err) != domain.CodeUnauthorized {
		t.Fatalf("got %v, want %s", err, domain.CodeUnauthorized)
	}
}

func TestInstanceFileIsPrivate(t *testing.T) {
	home := t.TempDir()
	lock := take(t, home)
	defer func() { _ = lock.Release() }()
	if err := lock.Publish(owner.Instance{Token: "t"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(home, "run", "instance.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v, want 0600", info.Mode(), err)
	}
}

func TestVerify(t *testing.T) {
	const token = "the-token"
	answers := map[string]struct {
		body func(nonce string) string
		code domain.Code
	}{
		"the owner":        {func(n string) string { return proof(owner.Proof(token, n), "1.0") }, ""},
		"another version":  {func(n string) string { return proof(owner.Proof(token, n), "0.9") }, domain.CodeOtherVersion},
		"a wrong token":    {func(n string) string { return proof(owner.Proof("guess", n), "1.0") }, domain.CodeUnauthorized},
		"another program":  {func(string) string { return "<html>hello</html>" }, domain.CodeUnauthorized},
		"a replayed proof": {func(string) string { return proof(owner.Proof(token, "old"), "1.0") }, domain.CodeUnauthorized},
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			peer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "" || strings.Contains(r.URL.String(), token) {
					t.Error("the token was sent before the proof")
				}
				_, _ = fmt.Fprint(w, answer.body(r.URL.Query().Get("nonce")))
			}))
			defer peer.Close()
			i := owner.Instance{URL: peer.URL, Token: token, Version: "1.0"}
			if err := i.Verify(t.Context(), peer.Client(), "1.0"); domain.CodeOf(err) != answer.code {
				t.Fatalf("got %v, want code %q", err, answer.code)
			}
		})
	}
}

func proof(proof, version string) string {
	data, err := json.Marshal(map[string]string{"proof": proof, "version": version})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestPrintingAnInstanceHidesItsToken(t *testing.T) {
	i := owner.Instance{URL: "u", Token: "hush", PID: 1}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if out := fmt.Sprintf(format, i); strings.Contains(out, "hush") {
			t.Errorf("%s prints the token: %s", format, out)
		}
	}
}

func TestFolderThatCannotBeOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := owner.Take(t.Context(), file, 0)
	if domain.CodeOf(err) != domain.CodeReadOnly || domain.AsError(err).Hint == "" {
		t.Fatalf("%v, want %s with a hint", err, domain.CodeReadOnly)
	}
}
