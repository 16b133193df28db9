package oauth

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestKnownProviders(t *testing.T) {
	for provider, o := range map[string]oauthtest.Options{
		"github": {GitHubStyle: true}, "slack": {SlackStyle: true, Rotate: true}, "notion": {NotionStyle: true, NoPKCE: true, Rotate: true},
		"google": {}, "microsoft": {Rotate: true}, "custom": {NoPKCE: true},
	} {
		t.Run(provider, func(t *testing.T) {
			o.ResourceMetadata, o.NoMetadata, o.NoRegistration = oauthtest.PlaceNone, true, true
			w := newWorld(t, o)
			known, err := providerOf(domain.Auth{Provider: provider, AuthorizeURL: "https://a.example", TokenURL: "https://t.example"})
			if err != nil || known.revoke != "" {
				t.Fatalf("%+v %v", known, err)
			}
			redirectURI := "http://127.0.0.1:" + w.options.CallbackPort() + "/callback"
			us := w.server.AddClient(oauthtest.Client{RedirectURIs: []string{redirectURI}, AuthMethod: known.method})
			w.target.Auth = &domain.Auth{
				Provider: provider, ClientID: us.ID, Secrets: []domain.Variable{{Name: domain.SecretClient, Value: us.Secret}},
				AuthorizeURL: w.server.URL() + "/authorize", TokenURL: w.server.URL() + "/token", Scopes: []string{"one", "two"},
			}
			w.road()
			asked := w.server.Authorizations()[0]
			if asked.Get("code_challenge_method") != "S256" || !w.server.TokenRequests()[0].Verifier {
				t.Error("without PKCE")
			}
			for name := range known.query {
				if asked.Get(name) != known.query.Get(name) {
					t.Errorf("%s is %q", name, asked.Get(name))
				}
			}
			if provider == "slack" && asked.Get("user_scope") != "one,two" || provider == "microsoft" && !strings.Contains(asked.Get("scope"), "offline_access") {
				t.Errorf("asked %v", asked)
			}
			w.clock.pass(2 * time.Hour)
			w.passes("echo")
			w.server.RevokeAll()
			w.clock.pass(2 * time.Hour)
			w.refused("echo", http.StatusUnauthorized)
			if summary, ok, _ := w.client.SignedIn(w.target); ok {
				t.Errorf("signed in though the refresh token is refused: %+v", summary)
			}
		})
	}
}

func TestPKCECanBeSwitchedOffForAProvider(t *testing.T) {
	off := false
	w := newWorld(t, oauthtest.Options{NoPKCE: true, ResourceMetadata: oauthtest.PlaceNone, NoMetadata: true})
	us := w.server.AddClient(oauthtest.Client{RedirectURIs: []string{"http://127.0.0.1/callback"}})
	w.target.Auth = &domain.Auth{
		Provider: "custom", ClientID: us.ID, PKCE: &off, AuthorizeURL: w.server.URL() + "/authorize?audience=x", TokenURL: w.server.URL() + "/token",
	}
	w.road()
	if asked := w.server.Authorizations()[0]; asked.Has("code_challenge") || asked.Get("audience") != "x" {
		t.Errorf("asked %v", asked)
	}
}

func TestPKCECannotBeSwitchedOffForADiscoveredServer(t *testing.T) {
	off := false
	w := newWorld(t, oauthtest.Options{}, withAuth(domain.Auth{PKCE: &off}))
	w.road()
	if asked := w.server.Authorizations()[0]; asked.Get("code_challenge_method") != "S256" {
		t.Errorf("asked %v", asked)
	}
}

func TestTokensOfAnotherServerAreNotRevokedAtAProvider(t *testing.T) {
	for _, auth := range []domain.Auth{{AuthorizeURL: "https://a.example/a"}, {TokenURL: "https://a.example/t"}} {
		auth.Provider = "google"
		if p, err := providerOf(auth); err != nil || p.revoke != "" {
			t.Errorf("%+v: %s %v", auth, p.revoke, err)
		}
	}
	if p, err := providerOf(domain.Auth{Provider: "google"}); err != nil || p.revoke == "" {
		t.Errorf("%+v %v", p, err)
	}
}

func TestAProviderIsKnownByItsOrigin(t *testing.T) {
	for iss, want := range map[string]bool{
		"": true, "https://login.microsoftonline.com": true, "https://login.microsoftonline.com/0000/v2.0": true,
		"https://evil.example": false, "https://login.microsoftonline.com.evil.example/": false, "http://login.microsoftonline.com/": false,
	} {
		p, err := providerOf(domain.Auth{Provider: "microsoft", Tenant: "a/b"})
		if err != nil || !strings.Contains(p.token, "/a%2Fb/") {
			t.Fatalf("%+v %v", p, err)
		}
		if err := (plan{server: p.metadata(), provider: p}).checkIssuer(url.Values{"iss": {iss}}); (err == nil) != want {
			t.Errorf("%q: %v", iss, err)
		}
	}
}

// A configuration is checked against the names of package domain before anything here sees it.
func TestProvidersAreThoseThatAConfigurationMayName(t *testing.T) {
	names := append(slices.Collect(maps.Keys(providers())), domain.CustomProvider)
	slices.Sort(names)
	if want := domain.Providers(); !slices.Equal(names, want) {
		t.Errorf("providers %v, a configuration may name %v", names, want)
	}
}

func TestThePersonMayNameAddressesAnywhere(t *testing.T) {
	i := newInternet(t, documents{})
	c := New(Options{Store: newMemory(), Network: i.network()})
	defer c.Close()
	own := Target{URL: "https://example.com/mcp", Auth: &domain.Auth{Provider: domain.CustomProvider}}
	for target, want := range map[*Target]class{&own: loopback, {URL: own.URL}: public, {}: loopback} {
		web, err := c.web(t.Context(), *target)
		if err != nil {
			t.Fatal(err)
		}
		if got := web.Transport.(*guard).within(); got != want {
			t.Errorf("%+v: %s, want %s", target, got, want)
		}
		web.CloseIdleConnections()
	}
}

func TestWhatASignInDependsOn(t *testing.T) {
	base := Target{URL: "https://example.com/mcp", Auth: &domain.Auth{}}
	for what, change := range map[string]func(*Target){
		"URL": func(t *Target) { t.URL += "2" }, "provider": func(t *Target) { t.Auth.Provider = "x" }, "tenant": func(t *Target) { t.Auth.Tenant = "x" },
		"client": func(t *Target) { t.Auth.ClientID = "x" }, "page": func(t *Target) { t.Auth.AuthorizeURL = "x" }, "token endpoint": func(t *Target) { t.Auth.TokenURL = "x" },
		"grant": func(t *Target) { t.Auth.Grant = domain.WorkloadIdentity }, "company": func(t *Target) { t.Auth.IDPTokenURL = "x" }, "DPoP": func(t *Target) { t.Auth.DPoP = true },
	} {
		changed := base
		changed.Auth = &domain.Auth{}
		change(&changed)
		if changed.digest() == base.digest() {
			t.Errorf("another %s needs no other sign-in", what)
		}
	}
	same := base
	same.Auth = &domain.Auth{Scopes: []string{"x"}, Secrets: secrets(domain.SecretClient, "x")}
	if same.digest() != base.digest() {
		t.Error("more scopes, or another secret, need another sign-in")
	}
}
