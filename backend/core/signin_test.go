package core_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/servers"
)

// callbackAt has sign-ins come back to a port that is free, and names the redirect URI.
func callbackAt(t *testing.T, home string) (redirectURI string) {
	t.Helper()
	port, err := mcptest.FreePort()
	if err == nil {
		err = os.WriteFile(filepath.Join(home, "config.toml"), []byte("[oauth]\ncallback_port = "+port+"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return "http://127.0.0.1:" + port + "/callback"
}

// signIn goes through a sign-in as a person with a browser does.
func signIn(t *testing.T, h http.Handler, server string) {
	t.Helper()
	begun := decode[servers.SignIn](t, ask(t, h, http.MethodPost, "/api/sign-ins", api.NewSignIn{ServerID: server, Language: "fr"}))
	if !begun.Running || begun.AuthorizeURL == "" {
		t.Fatalf("begun %+v", begun)
	}
	page, err := oauthtest.Visit(mcptest.Within(t), nil, begun.AuthorizeURL)
	if err != nil || page.Status != http.StatusOK || !strings.Contains(page.Body, "Vous pouvez fermer cet onglet") {
		t.Fatalf("the last page: %v, %d %s", err, page.Status, page.Body)
	}
	ended := decode[servers.SignIn](t, ask(t, h, http.MethodGet, "/api/sign-ins/"+begun.ID+"?wait_ms=10000", nil))
	if ended.Running || ended.Error != nil {
		t.Fatalf("ended %+v", ended)
	}
}

func stateOf(t *testing.T, h http.Handler, server string) servers.View {
	t.Helper()
	return decode[servers.View](t, ask(t, h, http.MethodGet, "/api/servers/"+server, nil))
}

func becomes(t *testing.T, h http.Handler, server string, state domain.State) servers.View {
	t.Helper()
	var view servers.View
	mcptest.Eventually(t, server+" is "+string(state), func() bool {
		view = stateOf(t, h, server)
		return view.State == state
	})
	return view
}

// A server that wants a sign-in needs nothing configured: it says so, a person signs in, it is ready, and still is after
// Apollia was started again.
func TestSignInToAServer(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true, Rotate: true})
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{Echo: "Authorization"})))
	d.Name, d.DefaultVerdict = "vault", domain.Allow
	o := options(t, core.Serve)
	callbackAt(t, o.Home)
	c, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	h := c.Handler(api.WindowPrincipal())
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	if view := becomes(t, h, "vault", domain.StateNeedsSignIn); view.Reason == nil || view.Reason.Code != domain.CodeSignInNeeded {
		t.Errorf("reason %+v", view.Reason)
	}
	if n := len(provider.Authorizations()); n != 0 {
		t.Errorf("%d sign-ins that nobody asked for", n)
	}
	signIn(t, h, "vault")
	becomes(t, h, "vault", domain.StateReady)
	known := decode[servers.SignInState](t, ask(t, h, http.MethodGet, "/api/servers/vault/sign-in", nil))
	if known.Signed == nil || known.Signed.Issuer != provider.Issuer() || !known.Signed.Renewable {
		t.Errorf("known of the sign-in: %+v", known.Signed)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	again := open(t, o)
	h = again.Handler(api.WindowPrincipal())
	becomes(t, h, "vault", domain.StateReady)
	if n := len(provider.Authorizations()); n != 1 {
		t.Errorf("%d sign-ins, want the one", n)
	}
	provider.Expire()
	call := decode[api.CallView](t, ask(t, h, http.MethodPost, "/api/calls", api.CallRequest{
		Server: "vault", Kind: domain.ToolCall, Name: "echo", Arguments: []byte(`{"message":"bonjour"}`), WaitMS: 10000,
	}))
	if call.Error != nil || provider.Refreshes() != 1 {
		t.Errorf("a call with a token that ended: %+v, %d refreshes", call.Error, provider.Refreshes())
	}
	if got := ask(t, h, http.MethodPost, "/api/servers/vault/sign-out", nil); got.status != http.StatusNoContent {
		t.Errorf("signed out: %d %s", got.status, got.body)
	}
	becomes(t, h, "vault", domain.StateNeedsSignIn)
	if len(provider.Revocations()) == 0 {
		t.Error("the tokens were not revoked")
	}
	leaksNothing(t, h, o.Home, "vault", provider.Secrets())
}

// A tool that wants more rights says which, and leaves the others alone; a sign-in that a person begins asks for them.
func TestSignInForMoreRights(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true, ScopesSupported: []string{"mcp"}, ToolScopes: map[string]string{"echo": "admin"}})
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
	d.Name, d.DefaultVerdict = "vault", domain.Allow
	o := options(t, core.Serve)
	callbackAt(t, o.Home)
	h := open(t, o).Handler(api.WindowPrincipal())
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "vault", domain.StateNeedsSignIn)
	signIn(t, h, "vault")
	becomes(t, h, "vault", domain.StateReady)
	echo := func() api.CallView {
		return decode[api.CallView](t, ask(t, h, http.MethodPost, "/api/calls", api.CallRequest{
			Server: "vault", Kind: domain.ToolCall, Name: "echo", Arguments: []byte(`{"message":"bonjour"}`), WaitMS: 10000,
		}))
	}
	if call := echo(); call.Error == nil || call.Error.Code != domain.CodeMoreRights || call.Error.Args["scopes"] != "admin" {
		t.Errorf("a call that its token may not make: %+v", call.Error)
	}
	if view := becomes(t, h, "vault", domain.StateDegraded); view.Reason.Args["scopes"] != "admin" {
		t.Errorf("reason %+v", view.Reason)
	}
	signIn(t, h, "vault")
	becomes(t, h, "vault", domain.StateReady)
	if call := echo(); call.Error != nil {
		t.Errorf("the call once more: %+v", call.Error)
	}
}

// leaksNothing greps what the program keeps and shows for secrets.
func leaksNothing(t *testing.T, h http.Handler, home, server string, hidden []string) {
	t.Helper()
	places := map[string][]byte{}
	for _, what := range []string{"logs", "traffic"} {
		places[what] = ask(t, h, http.MethodGet, "/api/servers/"+server+"/"+what, nil).body
	}
	places["servers"] = ask(t, h, http.MethodGet, "/api/servers", nil).body
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		places[path] = raw
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range hidden {
		for place, text := range places {
			if secret != "" && bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s holds a secret of the sign-in", place)
			}
		}
	}
}

// signedInProgram starts a program that a person signed in to, and gives the token that it was started with.
func signedInProgram(t *testing.T, o core.Options, provider *oauthtest.Server) (h http.Handler, token string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("reads the environment of a process in /proc")
	}
	client := provider.AddClient(oauthtest.Client{RedirectURIs: []string{callbackAt(t, o.Home)}, GrantTypes: []string{"authorization_code", "refresh_token"}})
	d := mcptest.Command(mcptest.Options{})
	d.Name, d.DefaultVerdict = "notes", domain.Allow
	d.Auth = &domain.Auth{
		Type: domain.AuthOAuth, Provider: domain.CustomProvider, ClientID: client.ID, AuthorizeURL: provider.URL() + "/authorize",
		TokenURL: provider.URL() + "/token", EnvTokenVar: "NOTES_TOKEN",
	}
	if client.Secret != "" {
		d.Auth.Secrets = []domain.Variable{{Name: domain.SecretClient, Value: client.Secret}}
	}
	h = open(t, o).Handler(api.WindowPrincipal())
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "notes", domain.StateNeedsSignIn)
	signIn(t, h, "notes")
	if token = tokenOf(t, becomes(t, h, "notes", domain.StateReady).PID); token == "" {
		t.Fatal("it was started without its token")
	}
	return h, token
}

// getsAnotherToken waits until the program was started again.
func getsAnotherToken(t *testing.T, h http.Handler, provider *oauthtest.Server, first string) {
	t.Helper()
	mcptest.Eventually(t, "it was started again with a new token", func() bool {
		view := stateOf(t, h, "notes")
		if view.State != domain.StateReady {
			return false
		}
		now := tokenOf(t, view.PID)
		return now != "" && now != first
	})
	if n := len(provider.Authorizations()); n != 1 {
		t.Errorf("%d sign-ins, want the one", n)
	}
}

// A program gets its token by its environment, and a new one by a new start.
func TestSignInOfAProgram(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true, Rotate: true, Lifetime: 5 * time.Second})
	h, first := signedInProgram(t, options(t, core.Serve), provider)
	getsAnotherToken(t, h, provider, first)
}

// Timers stand still while the computer sleeps; tokens end.
func TestAProgramGetsAnotherTokenAfterTheComputerSlept(t *testing.T) {
	var slept atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
	provider := oauthtest.New(t, oauthtest.Options{Auto: true, Rotate: true, Now: now})
	o := options(t, core.Serve)
	o.Now = now
	h, first := signedInProgram(t, o, provider)
	slept.Store(int64(2 * time.Hour))
	getsAnotherToken(t, h, provider, first)
}

func tokenOf(t *testing.T, pid int) string {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return "" // it is ending
	}
	for entry := range strings.SplitSeq(string(raw), "\x00") {
		if value, ok := strings.CutPrefix(entry, "NOTES_TOKEN="); ok {
			return value
		}
	}
	return ""
}

// An agent that calls without a token gets an address for the person; after the sign-in the same call works.
func TestCallThatLacksATokenOffersASignIn(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true})
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
	d.Name, d.DefaultVerdict = "vault", domain.Allow
	c := listen(t, options(t, core.Serve))
	h := c.Handler(api.WindowPrincipal())
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "vault", domain.StateNeedsSignIn)
	wanted := api.CallRequest{
		Server: "vault", Kind: domain.ToolCall, Name: "echo", Arguments: []byte(`{"message":"bonjour"}`), WaitMS: 10000, OfferSignIn: true,
	}
	call := decode[api.CallView](t, ask(t, h, http.MethodPost, "/api/calls", wanted))
	needed := call.RequiresOAuth
	if needed == nil || needed.Success || !needed.Metadata.RequiresOAuth || needed.Metadata.ServerID != "vault" || needed.Metadata.State == "" {
		t.Fatalf("the call says %+v, %+v", call.Error, needed)
	}
	later := wanted
	later.WaitMS = 0
	begunCall := decode[api.CallView](t, ask(t, h, http.MethodPost, "/api/calls", later))
	if again := end(t, c, begunCall).RequiresOAuth; again == nil || again.Metadata != needed.Metadata {
		t.Errorf("who asks for the end of the call later is told %+v", again)
	}
	if !strings.HasPrefix(needed.Error, "User needs to authorize ") || !strings.HasSuffix(needed.Error, " for server 'vault'.") {
		t.Errorf("error %q", needed.Error)
	}
	if got := ask(t, h, http.MethodGet, "/api/apps/nobody/oauth/authorize?server_id=vault", nil); got.code(t) != domain.CodeUnknownItem {
		t.Errorf("an app that is not there: %s", got.body)
	}
	if got := ask(t, h, http.MethodGet, "/api/apps/local/oauth/authorize?server_id=vault&provider=google", nil); got.code(t) != domain.CodeInvalidInput {
		t.Errorf("another provider: %s", got.body)
	}
	begun := decode[api.RequiresOAuth](t, ask(t, h, http.MethodGet, "/api/apps/local/oauth/authorize?server_id=vault&session_id=s1", nil))
	page, err := oauthtest.Visit(mcptest.Within(t), nil, begun.Metadata.AuthURL)
	if err != nil || page.Status != http.StatusOK || !strings.Contains(page.Body, "You can close this tab") {
		t.Fatalf("the last page: %v, %d %s", err, page.Status, page.Body)
	}
	becomes(t, h, "vault", domain.StateReady)
	if call := decode[api.CallView](t, ask(t, h, http.MethodPost, "/api/calls", wanted)); call.Error != nil || call.RequiresOAuth != nil {
		t.Errorf("after the sign-in: %+v", call.Error)
	}
}

// A person who registered the program gave the provider the address that they were told: an agent's offer comes back to it too.
func TestOfferedSignInOfARegisteredClient(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"by a person": {}, "by our document": {CIMD: true, NoRegistration: true}} {
		t.Run(name, func(t *testing.T) {
			provider := oauthtest.New(t, o)
			d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
			opened := options(t, core.Serve)
			d.Name = "vault"
			want := "http://127.0.0.1:8916/callback" // tests of other packages take the ports at both ends
			if o.CIMD {
				write(t, filepath.Join(opened.Home, "config.toml"), "[oauth]\ncallback_port = 8916\n")
			} else {
				want = callbackAt(t, opened.Home)
				d.Auth = &domain.Auth{Type: domain.AuthOAuth, ClientID: provider.AddClient(oauthtest.Client{RedirectURIs: []string{want}}).ID}
			}
			c := listen(t, opened)
			ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
			got := ask(t, window(c), http.MethodGet, "/api/apps/local/oauth/authorize?server_id=vault", nil)
			if o.CIMD && got.status >= http.StatusBadRequest && got.code(t) == domain.CodeCallbackPortBusy {
				t.Skip("something else listens at the port of the document")
			}
			address, err := url.Parse(decode[api.RequiresOAuth](t, got).Metadata.AuthURL)
			if err != nil || address.Query().Get("redirect_uri") != want {
				t.Errorf("it comes back to %v, want %s", address.Query().Get("redirect_uri"), want)
			}
		})
	}
}

// A tool that wants more rights than the token has takes neither the others along nor the calls in flight, and nor does the
// sign-in that gives it them.
func TestMoreRightsForOneToolDisturbNoOther(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true, ToolScopes: map[string]string{"echo": "admin"}})
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
	d.Name, d.DefaultVerdict = "vault", domain.Allow
	o := options(t, core.Serve)
	callbackAt(t, o.Home)
	c := open(t, o)
	h := window(c)
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	signIn(t, h, "vault")
	becomes(t, h, "vault", domain.StateReady)
	running := decode[api.CallView](t, ask(t, h, http.MethodPost, "/api/calls", api.CallRequest{Server: "vault", Kind: domain.ToolCall, Name: "wait"}))
	shown := func() api.CallView {
		return decode[api.CallView](t, ask(t, h, http.MethodGet, "/api/calls/"+running.ID, nil))
	}
	mcptest.Eventually(t, "a call is in flight", func() bool { return shown().Sent })
	if e := callEcho(t, c, "vault").Error; e == nil || e.Code != domain.CodeMoreRights {
		t.Fatalf("a call that lacks a scope: %+v", e)
	}
	becomes(t, h, "vault", domain.StateDegraded)
	signIn(t, h, "vault")
	if call := callEcho(t, c, "vault"); call.Error != nil {
		t.Errorf("after the sign-in: %+v", call.Error)
	}
	if now := shown(); now.Status != api.CallRunning {
		t.Errorf("the call in flight ended: %+v", now.Error)
	}
	ask(t, h, http.MethodDelete, "/api/calls/"+running.ID, nil)
	mcptest.Eventually(t, "it ended", func() bool { return shown().Status == api.CallDone })
}
