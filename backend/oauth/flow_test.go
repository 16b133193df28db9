package oauth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestASignInLeadsFromTheRefusalToTheTool(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RequiredScopes: []string{"mcp"}, ScopesSupported: []string{"mcp", "more", "offline_access"}})
	if _, ok, err := w.client.SignedIn(w.target); ok || err != nil {
		t.Fatalf("signed in before: %v", err)
	}
	begun := w.road()

	asked := w.server.Authorizations()[0]
	for name, want := range map[string]string{
		"response_type": "code", "state": begun.State, "code_challenge_method": "S256", "resource": w.target.URL, "redirect_uri": begun.RedirectURI,
		"scope": "mcp offline_access",
	} {
		if asked.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, asked.Get(name), want)
		}
	}
	exchanged := w.server.TokenRequests()[0]
	if !exchanged.Verifier || exchanged.RedirectURI != begun.RedirectURI || exchanged.Resource != w.target.URL || exchanged.Error != "" {
		t.Errorf("token request %+v", exchanged)
	}
	us := w.server.Registrations()[0]
	if us.ApplicationType != "native" || us.AuthMethod != "none" || !slices.Equal(us.RedirectURIs, []string{begun.RedirectURI}) || us.Name != clientName {
		t.Errorf("registration %+v", us)
	}
	summary, ok, err := w.client.SignedIn(w.target)
	if err != nil || !ok || summary.Issuer != w.server.Issuer() || !summary.Renewable || summary.Expires.IsZero() {
		t.Errorf("summary %+v %v %v", summary, ok, err)
	}
	if len(newVerifier()) != 128 {
		t.Errorf("a verifier has %d characters", len(newVerifier()))
	}
}

func TestSignInsWorkAtEveryKindOfServer(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{
		"rotates":                          {Rotate: true},
		"without refresh tokens":           {RefreshLess: true},
		"slow token endpoint":              {TokenDelay: 30 * time.Millisecond},
		"exact redirect":                   {ExactRedirect: true},
		"strict application type":          {StrictApplicationType: true, ExactRedirect: true},
		"metadata at an odd place":         {ResourceMetadata: oauthtest.PlaceOdd},
		"metadata below the path":          {ResourceMetadata: oauthtest.PlacePath},
		"metadata at the root":             {ResourceMetadata: oauthtest.PlaceRoot},
		"of 2025-03-26":                    {ResourceMetadata: oauthtest.PlaceNone},
		"of 2025-03-26, default endpoints": {ResourceMetadata: oauthtest.PlaceNone, NoMetadata: true, NoISS: true},
		"trailing slashes":                 {TrailingSlash: true},
		"issuer with a path":               {IssuerPath: "/tenant1"},
		"OpenID only":                      {OpenIDOnly: true},
		"OpenID only with a path":          {OpenIDOnly: true, IssuerPath: "/tenant1"},
		"no iss":                           {NoISS: true},
		"no expiry":                        {NoExpiry: true},
		"secret in the body":               {AuthMethods: []string{"client_secret_post"}},
		"secret in the header":             {AuthMethods: []string{"client_secret_basic"}},
		"no revocation":                    {NoRevocation: true},
		"DPoP, where it is wanted":         {DPoP: oauthtest.DPoPRequired},
		"DPoP with nonces":                 {DPoP: oauthtest.DPoPRequired, DPoPNonce: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o)
			w.road()
			if o.TrailingSlash && w.server.Authorizations()[0].Get("resource") != w.target.URL+"/" {
				t.Errorf("resource is %q", w.server.Authorizations()[0].Get("resource"))
			}
			w.clock.pass(2 * time.Hour)
			if o.RefreshLess {
				w.refused("echo", http.StatusUnauthorized)
				return
			}
			w.passes("echo")
		})
	}
}

func TestServersThatDoNotConformAreRefusedBeforeAnybodyIsAsked(t *testing.T) {
	for reason, o := range map[string]oauthtest.Options{
		"no_pkce":              {NoPKCE: true},
		"no_pkce ":             {PlainPKCEOnly: true},
		"issuer":               {WrongIssuer: true},
		"resource":             {ResourceMismatch: true},
		"too_large":            {HugeMetadata: true},
		"too_large ":           {HugeResourceMetadata: true},
		"no_metadata":          {RedirectMetadata: true},
		"no_metadata ":         {NoMetadata: true},
		"no_resource_metadata": {RedirectResourceMetadata: true},
	} {
		t.Run(reason, func(t *testing.T) {
			w := newWorld(t, o)
			w.refused("echo", http.StatusUnauthorized)
			_, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
			wantError(t, err, domain.CodeSignInRefused, "reason", strings.TrimSpace(reason))
			if len(w.server.Registrations()) > 0 {
				t.Error("it was registered at")
			}
			if _, waits := w.client.Waiting(w.target.Subject); waits {
				t.Error("a sign-in waits")
			}
		})
	}
}

func TestAnAnswerOfAnotherIssuerIsRefused(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"wrong": {WrongISS: true}, "missing": {DropISS: true}, "unannounced": {NoISS: true, WrongISS: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o)
			w.refused("echo", http.StatusUnauthorized)
			page, err := w.visit(w.begin())
			wantError(t, err, domain.CodeSignInRefused, "reason", "iss")
			if page.Status != http.StatusBadRequest || len(w.server.TokenRequests()) > 0 {
				t.Errorf("page %d, token requests %v", page.Status, w.server.TokenRequests())
			}
		})
	}
}

func TestADenialEndsTheSignInWithItsText(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Deny: true})
	w.refused("echo", http.StatusUnauthorized)
	page, err := w.visit(w.begin())
	wantError(t, err, domain.CodeSignInDenied, "oauth_error", "access_denied", "description", "The person said no.")
	if !strings.Contains(page.Body, "access_denied: The person said no.") || !strings.Contains(page.Body, "You can close this tab.") {
		t.Errorf("page %s", page.Body)
	}
	w.awaitNone()
	if len(w.server.Authorizations()) != 1 {
		t.Errorf("%d tabs", len(w.server.Authorizations()))
	}
}

func TestWithoutRegistrationAClientIDIsAskedFor(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"absent": {NoRegistration: true}, "null": {NullRegistration: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o)
			w.refused("echo", http.StatusUnauthorized)
			_, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
			redirectURI := "http://127.0.0.1:" + w.options.CallbackPort() + "/callback"
			wantError(t, err, domain.CodeClientIDNeeded, "redirect_uri", redirectURI, "issuer", w.server.Issuer())
			if !strings.Contains(domain.AsError(err).Hint, redirectURI) {
				t.Errorf("hint %q", domain.AsError(err).Hint)
			}
			for _, method := range []string{"none", "client_secret_basic", "client_secret_post"} {
				w.server.SetOptions(func(o *oauthtest.Options) { o.AuthMethods = []string{method} })
				us := w.server.AddClient(oauthtest.Client{RedirectURIs: []string{redirectURI}, AuthMethod: method})
				w.target.Auth = &domain.Auth{ClientID: us.ID, Secrets: []domain.Variable{{Name: domain.SecretClient, Value: us.Secret}}}
				w.road()
				w.clock.pass(2 * time.Hour)
				w.passes("echo")
			}
		})
	}
}

func TestTheMetadataDocumentStandsForARegistration(t *testing.T) {
	w := newWorld(t, oauthtest.Options{CIMD: true}, withDocument)
	w.road()
	if got := w.server.Authorizations()[0].Get("client_id"); got != w.options.ClientMetadataURL() || len(w.server.Registrations()) > 0 {
		t.Errorf("client_id %q, registrations %v", got, w.server.Registrations())
	}
	w.clock.pass(2 * time.Hour)
	w.passes("echo")
}

func TestWhereTheDocumentIsRefusedTheSameTabGoesOn(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"at the page": {RefuseCIMD: true}, "at the token endpoint": {RefuseCIMDAtToken: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o, withDocument)
			w.refused("echo", http.StatusUnauthorized)
			begun := w.begin()
			status, body := w.browse(begun.AuthorizeURL)
			if err := w.end(begun); err != nil || status != http.StatusOK || !strings.Contains(body, "Signed in") {
				t.Fatalf("%v, %d %s", err, status, body)
			}
			w.passes("echo")
			if len(w.server.Registrations()) != 1 {
				t.Errorf("registrations %v", w.server.Registrations())
			}
			before := len(w.server.Authorizations())
			w.signIn()
			if last := w.server.Authorizations()[before]; last.Get("client_id") != w.server.Registrations()[0].ID {
				t.Error("the document is offered again")
			}
		})
	}
}

func TestWhereTheDocumentIsRefusedAndNothingElseIsTakenAClientIDIsAskedFor(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RefuseCIMD: true, NoRegistration: true}, withDocument)
	w.refused("echo", http.StatusUnauthorized)
	begun := w.begin()
	_, err := w.visit(begun)
	wantError(t, err, domain.CodeClientIDNeeded, "redirect_uri", begun.RedirectURI)
}

// browse follows all redirects, as a browser does.
func (w *world) browse(address string) (status int, body string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.ctx(), http.MethodGet, address, http.NoBody)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.fetch(r)
}

func (w *world) fetch(r *http.Request) (status int, body string) {
	w.t.Helper()
	a, err := fetch(w.browser, r)
	if err != nil {
		w.t.Fatal(err)
	}
	return a.status, string(a.body)
}

func TestAnotherCallbackPortIsRegisteredAndNothingElseIs(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ExactRedirect: true})
	first := w.road()
	w.signIn()
	if len(w.server.Registrations()) != 1 {
		t.Fatalf("%d registrations for one port", len(w.server.Registrations()))
	}
	port := w.options.CallbackPort()
	other := freePort(t)
	w.client.options.CallbackPort = func() string { return other }
	second := w.signIn()
	if second.RedirectURI == first.RedirectURI || len(w.server.Registrations()) != 2 {
		t.Fatalf("%d registrations for two ports", len(w.server.Registrations()))
	}
	w.client.options.CallbackPort = func() string { return port }
	w.signIn()
	if len(w.server.Registrations()) != 2 {
		t.Error("a port that was registered is registered again")
	}
}

func TestAServerThatForgotUsIsToldAgain(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ExactRedirect: true})
	w.road()
	w.server.ForgetClients()
	w.clock.pass(2 * time.Hour)
	w.refused("echo", http.StatusUnauthorized) // the refresh comes to invalid_client
	w.signIn()
	w.passes("echo")

	w.server.ForgetClients()
	begun := w.begin()
	if status, _ := w.browse(begun.AuthorizeURL); status != http.StatusBadRequest {
		t.Fatalf("the page says %d", status) // and the browser does not come back
	}
	begun.Cancel()
	w.awaitNone()
	w.signIn()
}

// awaitNone waits until no sign-in waits.
func (w *world) awaitNone() {
	w.t.Helper()
	w.await(func() bool {
		_, waits := w.client.Waiting(w.target.Subject)
		return !waits
	})
}

func TestStepUpAsksForAllScopesTogether(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RequiredScopes: []string{"mcp"}, ToolScopes: map[string]string{"write": "files:write", "send": "mail:send"}})
	w.road()
	for tool, want := range map[string][]string{"write": {"mcp", "files:write"}, "send": {"mcp", "mail:send"}} {
		w.refused(tool, http.StatusForbidden)
		begun := w.signIn()
		if !covers(begun.Scopes, want) {
			t.Errorf("scopes %v, want %v among them", begun.Scopes, want)
		}
		w.passes(tool)
	}
	w.passes("write")
	w.passes("send")
}

func TestAServerThatIsNeverContentIsAskedABoundedNumberOfTimes(t *testing.T) {
	w := newWorld(t, oauthtest.Options{NeverEnough: true, ToolScopes: map[string]string{"write": "files:write"}})
	w.road()
	var err error
	for range maxSameScopes + 1 {
		w.refused("write", http.StatusForbidden)
		var begun Begun
		if begun, err = w.client.Begin(w.ctx(), w.target, BeginOptions{}); err != nil {
			break
		}
		if _, err := w.visit(begun); err != nil {
			t.Fatal(err)
		}
		w.passes("echo") // what it grants elsewhere says nothing of this
	}
	wantError(t, err, domain.CodeSignInRefused, "reason", "scope_loop")
	if err := w.client.Forget(w.ctx(), w.target); err != nil {
		t.Fatal(err)
	}
	w.signIn()
}

func TestSigningInOftenIsNoLoop(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RequiredScopes: []string{"mcp"}, RefreshLess: true})
	for range maxSameScopes + 2 {
		w.refused("echo", http.StatusUnauthorized)
		w.signIn()
		w.server.Expire()
	}
}

func TestDPoPBindsTheToken(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"plain": {DPoP: oauthtest.DPoPAllowed}, "nonces": {DPoP: oauthtest.DPoPAllowed, DPoPNonce: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o, withAuth(domain.Auth{DPoP: true}))
			w.road()
			if shown := w.server.Presented()[0]; shown.Scheme != "DPoP" || len(w.kept().Key) == 0 {
				t.Errorf("shown as %s, key %d", shown.Scheme, len(w.kept().Key))
			}
			w.server.RenewNonces()
			w.passes("echo")
			w.server.RenewNonces()
			w.clock.pass(2 * time.Hour)
			w.passes("echo")
			again := New(w.options)
			defer again.Close()
			if got := w.callBy(again, "echo"); got.err != nil || got.status != http.StatusOK {
				t.Errorf("after a start: %d %v", got.status, got.err)
			}
		})
	}
}

func TestATokenThatIsNotBoundIsRefused(t *testing.T) {
	w := newWorld(t, oauthtest.Options{}, withAuth(domain.Auth{DPoP: true}))
	_, err := w.visit(w.begin())
	wantError(t, err, domain.CodeSignInRefused, "reason", "not_bound")
}

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

func TestSigningOutRevokes(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	w.road()
	if err := w.client.Forget(w.ctx(), w.target); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, r := range w.server.Revocations() {
		kinds = append(kinds, r.Hint+", "+r.Kind)
	}
	if !slices.Equal(kinds, []string{"refresh_token, refresh_token", "access_token, access_token"}) {
		t.Errorf("revoked %v", kinds)
	}
	w.refused("echo", http.StatusUnauthorized)
	w.signIn()
	if len(w.server.Registrations()) != 1 {
		t.Error("the registration was forgotten too")
	}
}

func TestASignInThatAnswersElsewhere(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	begun, err := w.client.Begin(w.ctx(), w.target, BeginOptions{RedirectURI: "http://127.0.0.1:1/api/apps/x/oauth/callback"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := oauthtest.Browse(w.ctx(), w.browser, begun.AuthorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	done, err := w.client.Finish(w.ctx(), answer.Query())
	if err != nil || done.Err != nil || done.Target.Server != "fake" {
		t.Fatalf("%+v %v", done, err)
	}
	if _, err := w.client.Finish(w.ctx(), answer.Query()); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("a state counts twice: %v", err)
	}
	w.passes("echo")
	_, err = w.client.Finish(w.ctx(), url.Values{"state": {""}, "code": {"x"}})
	wantError(t, err, domain.CodeUnknownItem)
}
