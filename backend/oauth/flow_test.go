package oauth

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
		" no_pkce":             {NoPKCE: true, ResourceMetadata: oauthtest.PlaceNone},
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

// awaitNone waits until no sign-in waits.
func (w *world) awaitNone() {
	w.t.Helper()
	w.await(func() bool {
		_, waits := w.client.Waiting(w.target.Subject)
		return !waits
	})
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
	done, err := w.client.Finish(w.ctx(), answer)
	if err != nil || done.Err != nil || done.Target.Server != "fake" {
		t.Fatalf("%+v %v", done, err)
	}
	if _, err := w.client.Finish(w.ctx(), answer); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("a state counts twice: %v", err)
	}
	w.passes("echo")
	_, err = w.client.Finish(w.ctx(), &url.URL{Path: answer.Path, RawQuery: "state=&code=x"})
	wantError(t, err, domain.CodeUnknownItem)
}

func TestSignInsThatBeginAtOnceLeaveOne(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	var all sync.WaitGroup
	begun := make(chan Begun, 8)
	for range cap(begun) {
		all.Go(func() {
			b, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			begun <- b
		})
	}
	all.Wait()
	close(begun)
	waiting, ok := w.client.Waiting(w.target.Subject)
	if !ok {
		t.Fatal("none waits")
	}
	for b := range begun {
		if b.State != waiting.State {
			wantError(t, w.end(b), domain.CodeSignInEnded, "reason", "replaced")
		}
	}
	if _, err := w.visit(waiting); err != nil {
		t.Error(err)
	}
}

func TestWhoWaitsForTheEndFindsWhatFollowsBegun(t *testing.T) {
	var heard atomic.Int32
	w := newWorld(t, oauthtest.Options{}, func(w *world) {
		w.options.SignedIn = func(s Subject) {
			if s == w.target.Subject {
				heard.Add(1)
			}
		}
	})
	w.signIn()
	if heard.Load() != 1 {
		t.Error("nobody heard of the sign-in before its end")
	}
	w.begin().Cancel()
	w.awaitNone()
	if heard.Load() != 1 {
		t.Error("a sign-in that was given up counts")
	}
}

func TestASignInThatCannotBeReadCanBeForgottenAndMadeAgain(t *testing.T) {
	for name, mend := range map[string]func(*world) error{
		"sign in":  func(*world) error { return nil },
		"sign out": func(w *world) error { return w.client.Forget(w.ctx(), w.target) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, oauthtest.Options{})
			if err := w.store.Put(w.target.key(), "{damaged"); err != nil {
				t.Fatal(err)
			}
			if got := w.call("echo"); got.err == nil {
				t.Errorf("%d", got.status)
			}
			if err := mend(w); err != nil {
				t.Fatal(err)
			}
			w.signIn()
			w.passes("echo")
		})
	}
}

// held has a browser bring an answer whose code is not exchanged before letPass.
func (w *world) held(y *way) (begun Begun, answer *url.URL, page <-chan int, letPass func()) {
	w.t.Helper()
	begun = w.begin()
	answer, err := oauthtest.Browse(w.ctx(), w.browser, begun.AuthorizeURL)
	if err != nil {
		w.t.Fatal(err)
	}
	letPass = y.hold()
	status := make(chan int, 1)
	go func() {
		code, _ := w.browse(answer.String())
		status <- code
	}()
	<-y.arrived
	return begun, answer, status, letPass
}

func TestAnAnswerThatComesTwiceAtOnceCountsOnce(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{}, over(y))
	begun, answer, page, letPass := w.held(y)
	_, err := w.client.Finish(w.ctx(), answer)
	letPass()
	wantError(t, err, domain.CodeUnknownItem)
	if status := <-page; status != http.StatusOK || w.end(begun) != nil || len(w.server.TokenRequests()) != 1 {
		t.Errorf("page %d, token requests %v", status, w.server.TokenRequests())
	}
}

func TestABrowserThatLeavesEndsNoSignIn(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{}, over(y))
	begun := w.begin()
	answer, err := oauthtest.Browse(w.ctx(), w.browser, begun.AuthorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	letPass := y.hold()
	ctx, leave := context.WithCancel(w.ctx())
	go func() { _, _ = w.client.Finish(ctx, answer) }()
	<-y.arrived
	leave()
	letPass()
	if err := w.end(begun); err != nil {
		t.Error(err)
	}
	w.passes("echo")
}
