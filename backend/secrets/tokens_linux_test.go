package secrets

import (
	"bytes"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/oauthtest"
)

// protectedVariable names the server that wants a sign-in, for the stages.
const protectedVariable = "APOLLIA_TEST_PROTECTED"

// A locked keyring, or none where there was one, costs no token and opens no browser: the server is told why, and goes on as
// soon as the keyring is there. In a folder that never had a keyring tokens are kept all the same.
func TestTokensInARealKeyring(t *testing.T) {
	stage := os.Getenv(stageVariable)
	if stage == "" {
		tokensInStages(t)
		return
	}
	waitForService(t)
	in := func(name string) holder {
		return newHolder(t, filepath.Join(os.Getenv(folderVariable), name), Options{})
	}
	switch stage {
	case "unlocked":
		in("data").signsIn(t)
	case "locked":
		in("data").waits(t)
		in("other").signsIn(t)
	case "unlocked again":
		in("data").passes(t)
		in("other").passes(t)
		in("none").passes(t)
	}
}

func tokensInStages(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true, Rotate: true})
	server := httptest.NewServer(provider.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })))
	t.Cleanup(server.Close)
	home, address := keyringHome(t), protectedVariable+"="+server.URL
	runStage(t, home, "unlocked", unlocked, address)
	runStage(t, home, "locked", locked, address)
	t.Setenv(protectedVariable, server.URL)
	t.Run("none", func(t *testing.T) {
		o := Options{Environ: []string{}, Keyring: &fakeKeyring{fail: errNoSessionBus}}
		newHolder(t, filepath.Join(home, "data"), o).waits(t)
		newHolder(t, filepath.Join(home, "none"), o).signsIn(t)
	})
	runStage(t, home, "unlocked again", unlocked, address)
	if n := len(provider.Authorizations()); n != 3 {
		t.Errorf("%d sign-ins, want one for each folder", n)
	}
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, secret := range provider.Secrets() {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s holds a secret of the sign-in", path)
			}
		}
		return err
	})
	must(t, err)
}

// holder keeps the tokens of one server in a vault.
type holder struct {
	client *oauth.Client
	target oauth.Target
}

func newHolder(t *testing.T, dir string, o Options) holder {
	t.Helper()
	kept := Open(dir, openStore(t, dir), o).Kept()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, port, err := net.SplitHostPort(free.Addr().String())
	must(t, err)
	must(t, free.Close())
	h := holder{client: oauth.New(oauth.Options{Store: kept, CallbackPort: func() string { return port }})}
	h.target = oauth.Target{Subject: oauth.Subject{App: "local", User: "local", Server: "vault"}, URL: os.Getenv(protectedVariable)}
	t.Cleanup(h.client.Close)
	return h
}

// ask sends a request to the server, with the token where there is one.
func (h holder) ask(t *testing.T) (status int, err error) {
	t.Helper()
	r, err := http.NewRequestWithContext(mcptest.Within(t), http.MethodPost, h.target.URL, http.NoBody)
	must(t, err)
	resp, err := h.client.Transport(h.target, http.DefaultTransport).RoundTrip(r)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

func (h holder) passes(t *testing.T) {
	t.Helper()
	if status, err := h.ask(t); status != http.StatusAccepted {
		t.Errorf("the token is not taken: %d, %v", status, err)
	}
}

func (h holder) signsIn(t *testing.T) {
	t.Helper()
	begun, err := h.client.Begin(mcptest.Within(t), h.target, oauth.BeginOptions{})
	must(t, err)
	_, err = oauthtest.Visit(mcptest.Within(t), nil, begun.AuthorizeURL)
	must(t, err)
	ended, err := begun.Wait(mcptest.Within(t))
	must(t, err)
	must(t, ended.Err)
	h.passes(t)
}

// waits fails unless neither a request nor a sign-in gets past the keyring.
func (h holder) waits(t *testing.T) {
	t.Helper()
	_, err := h.ask(t)
	wantCode(t, err, domain.CodeKeyringDown)
	_, err = h.client.Begin(mcptest.Within(t), h.target, oauth.BeginOptions{})
	wantCode(t, err, domain.CodeKeyringDown)
}
