package oauth

import (
	"net/http"
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
