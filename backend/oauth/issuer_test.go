package oauth

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

// beginWith begins a sign-in at an authorization server that answers with these documents.
func beginWith(t *testing.T, d documents) (Begun, error) {
	t.Helper()
	c := New(Options{Store: newMemory(), Network: newInternet(t, d).network(), CallbackPort: func() string { return freePort(t) }, After: never})
	t.Cleanup(c.Close)
	return c.Begin(t.Context(), Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}, BeginOptions{})
}

func TestAnIssuerIsTheOneThatWasNamed(t *testing.T) {
	const named = "https://example.com/tenant"
	for said, same := range map[string]bool{
		named: true, named + "/": true, named + "//": false, "https://example.com/Tenant": false, "https://EXAMPLE.com/tenant": false, "http://example.com/tenant": false,
		"https://example.com:443/tenant": false, "https://example.com/%74enant": false, "https://example.com./tenant": false, "https://xn--example-.com/tenant": false,
		named + "?": false, named + "#": false, "https://a@example.com/tenant": false, "": false,
	} {
		d := wellBehaved()
		d[wellKnownResource+"/mcp"]["authorization_servers"] = []string{named}
		d[wellKnownOAuth+"/tenant"] = d[wellKnownOAuth]
		d[wellKnownOAuth]["issuer"] = said
		begun, err := beginWith(t, d)
		if same && (err != nil || begun.Issuer != said) {
			t.Errorf("%q: %v", said, err)
		}
		if !same && (domain.CodeOf(err) != domain.CodeSignInRefused || domain.AsError(err).Args["reason"] != "issuer") {
			t.Errorf("%q: %v", said, err)
		}
	}
}

func TestAnIssuerCannotLookLikeAnother(t *testing.T) {
	for _, issuer := range []string{"https://accounts.example@example.com", "https://accounts.example:x@example.com", "https://example.com?x", "https://example.com#x", "example.com", "/x"} {
		d := wellBehaved()
		d[wellKnownResource+"/mcp"]["authorization_servers"] = []string{issuer}
		d[wellKnownOAuth]["issuer"] = issuer
		if begun, err := beginWith(t, d); domain.CodeOf(err) != domain.CodeSignInRefused || domain.AsError(err).Args["reason"] != "issuer" {
			t.Errorf("%q: %v, shown as %q", issuer, err, begun.Issuer)
		}
	}
}

func TestScopesThatOneIssuerGrantedAreNotAskedOfAnother(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RequiredScopes: []string{"mcp"}})
	w.road()
	other := w.moved()
	other.SetOptions(func(o *oauthtest.Options) { o.ScopesSupported = []string{"files"} })
	if begun := w.begin(); begun.Issuer != other.Issuer() || len(begun.Scopes) > 0 {
		t.Errorf("%v is asked at %s", begun.Scopes, begun.Issuer)
	}
}

// The query of a server's address is where keys of people stand.
func TestWhatTheAddressOfAServerHoldsIsNotToldToOthers(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ResourceMetadata: oauthtest.PlaceNone})
	w.target.URL += "?api_key=s3cret"
	begun := w.road()
	if strings.Contains(begun.AuthorizeURL, "s3cret") {
		t.Errorf("the browser opens %s", begun.AuthorizeURL)
	}
	w = newWorld(t, oauthtest.Options{ResourceMismatch: true})
	w.target.URL += "?api_key=s3cret"
	w.refused("echo", http.StatusUnauthorized)
	_, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
	wantError(t, err, domain.CodeSignInRefused, "reason", "resource")
	wantNone(t, "the error", spoken(t, err), []string{"s3cret"})
}

func TestWhatAResourceCovers(t *testing.T) {
	server, err := url.Parse("https://example.com/a/b?q=1")
	if err != nil {
		t.Fatal(err)
	}
	for resource, want := range map[string]bool{
		"https://example.com": true, "https://example.com/": true, "https://example.com/a": true, "https://example.com/a/b": true, "https://example.com/a/b/": true,
		"https://example.com:443/a/b": true, "HTTPS://EXAMPLE.com/a/b": true, "https://example.com/a/b?q=1": true,
		"https://example.com/a/b?q=2": false, "https://example.com/a?q=1": false, "https://example.com/a/b#x": false, "https://example.com/a/bc": false,
		"https://example.com/a/b/c": false, "https://example.com/A/b": false, "https://example.com/a%2Fb": false, "http://example.com/a/b": false,
		"https://example.com:444/a/b": false, "https://example.com.evil.example/a/b": false, "https://example.com@evil.example/a/b": false,
		"//example.com/a/b": false, "/a/b": false, "": false, "\x00": false,
	} {
		if coversServer(resource, server) != want {
			t.Errorf("%q covers %s: want %v", resource, server, want)
		}
	}
}

func TestAQuestionIsNotSentOnWithoutTLS(t *testing.T) {
	from, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://example.com/x", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for to, follows := range map[string]bool{
		"https://example.com/y": true, "http://example.com/y": false, "https://example.com:444/y": false, "https://example.com.evil.example/y": false,
	} {
		next, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if err := withinOrigin(next, []*http.Request{from}); (err == nil) != follows {
			t.Errorf("%s: %v", to, err)
		}
	}
}

func TestPagesAreNoMetadata(t *testing.T) {
	d := wellBehaved()
	d[wellKnownResource] = d[wellKnownResource+"/mcp"]
	for name, hidden := range map[string][]string{
		"at the root": {wellKnownResource + "/mcp"}, "of 2025-03-26": {wellKnownResource + "/mcp", wellKnownResource}, "of OpenID": {wellKnownOAuth},
	} {
		pages := documents{}
		maps.Copy(pages, d)
		pages[wellKnownOpenID] = d[wellKnownOAuth]
		for _, path := range hidden {
			delete(pages, path)
		}
		i := newInternet(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, ok := pages[r.URL.Path]; ok {
				pages.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html") // as those do that leave all paths to a program in the page
			_, _ = w.Write([]byte("<!doctype html>"))
		}))
		c := New(Options{Store: newMemory(), Network: i.network(), CallbackPort: func() string { return freePort(t) }, After: never})
		begun, err := c.Begin(t.Context(), Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}, BeginOptions{})
		if err != nil || begun.Issuer != "https://example.com" {
			t.Errorf("%s: %q, %v", name, begun.Issuer, err)
		}
		c.Close()
	}
}
