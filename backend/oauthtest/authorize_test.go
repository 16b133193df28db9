package oauthtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/oauthtest"
)

func TestRedirectsOfAnAuthorization(t *testing.T) {
	plain := url.Values{"code_challenge": {verifier}, "code_challenge_method": {"plain"}}
	tests := []struct {
		name    string
		options oauthtest.Options
		changes url.Values
		want    string // the error; empty: a code
	}{
		{"well-behaved", oauthtest.Options{}, nil, ""},
		{"deny", oauthtest.Options{Deny: true}, nil, "access_denied"},
		{"without a challenge", oauthtest.Options{}, url.Values{"code_challenge": {""}}, "invalid_request"},
		{"short challenge", oauthtest.Options{}, url.Values{"code_challenge": {"short"}}, "invalid_request"},
		{"plain challenge", oauthtest.Options{}, plain, "invalid_request"},
		{"server without PKCE", oauthtest.Options{NoPKCE: true}, url.Values{"code_challenge": {""}}, ""},
		{"plain only", oauthtest.Options{PlainPKCEOnly: true}, plain, ""},
		{"S256 where plain is all", oauthtest.Options{PlainPKCEOnly: true}, nil, "invalid_request"},
		{"response type", oauthtest.Options{}, url.Values{"response_type": {"token"}}, "unsupported_response_type"},
		{"relative resource", oauthtest.Options{}, url.Values{"resource": {"/mcp"}}, "invalid_target"},
		{"two resources", oauthtest.Options{}, url.Values{"resource": {"http://a/", "http://b/"}}, "invalid_target"},
		{"two states", oauthtest.Options{}, url.Values{"state": {"a", "b"}}, "invalid_request"},
		{"unknown scope", oauthtest.Options{ScopesSupported: []string{"read"}}, url.Values{"scope": {"write"}}, "invalid_scope"},
		{"known scope", oauthtest.Options{ScopesSupported: []string{"read"}}, url.Values{"scope": {"read"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAgent(t, tt.options)
			answer := a.browse(tt.changes)
			if answer.Get("error") != tt.want || answer.Has("code") == (tt.want != "") || answer.Get("iss") != a.server.Issuer() {
				t.Errorf("redirect %v", answer)
			}
			if seen := a.server.Authorizations(); len(seen) != 1 || seen[0].Get("client_id") != a.id {
				t.Errorf("seen %v", seen)
			}
		})
	}
}

func TestIssuerInRedirects(t *testing.T) {
	a := newAgent(t, oauthtest.Options{WrongISS: true})
	if got := a.browse(nil).Get("iss"); got != "https://elsewhere.invalid" {
		t.Errorf("wrong iss: %q", got)
	}
	for _, o := range []oauthtest.Options{{NoISS: true, Auto: true}, {DropISS: true, Auto: true}} {
		a.server.SetOptions(func(now *oauthtest.Options) { *now = o })
		if answer := a.browse(nil); answer.Has("iss") {
			t.Errorf("no iss: %v", answer)
		}
	}
}

func TestRedirectURIs(t *testing.T) {
	tests := []struct {
		name     string
		options  oauthtest.Options
		redirect string
		fine     bool
	}{
		{"registered", oauthtest.Options{}, redirectURI, true},
		{"another port", oauthtest.Options{}, "http://127.0.0.1:1234/callback", true},
		{"another port, exactly", oauthtest.Options{ExactRedirect: true}, "http://127.0.0.1:1234/callback", false},
		{"another path", oauthtest.Options{}, "http://127.0.0.1:9999/other", false},
		{"another name of loopback", oauthtest.Options{}, "http://localhost:9999/callback", false},
		{"another host", oauthtest.Options{}, "https://evil.example/callback", false},
		{"none", oauthtest.Options{}, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAgent(t, tt.options)
			r := a.get(a.authorizeURL(url.Values{"redirect_uri": {tt.redirect}}))
			if fine := r.status == http.StatusSeeOther; fine != tt.fine || !fine && r.status != http.StatusBadRequest {
				t.Errorf("%d %s", r.status, r.text)
			}
		})
	}
}

func TestRegistrationChecksWhatItIsTold(t *testing.T) {
	tests := []struct {
		name    string
		options oauthtest.Options
		changes object
		want    string
	}{
		{"public", oauthtest.Options{}, object{}, ""},
		{"without redirects", oauthtest.Options{}, object{"redirect_uris": []string{}}, "invalid_redirect_uri"},
		{"http elsewhere", oauthtest.Options{}, object{"redirect_uris": []string{"http://example.com/"}}, "invalid_redirect_uri"},
		{"fragment", oauthtest.Options{}, object{"redirect_uris": []string{"https://example.com/#a"}}, "invalid_redirect_uri"},
		{"unknown method", oauthtest.Options{}, object{"token_endpoint_auth_method": "magic"}, "invalid_client_metadata"},
		{"method of other servers", oauthtest.Options{AuthMethods: []string{post}}, object{}, "invalid_client_metadata"},
		{"key without keys", oauthtest.Options{}, object{"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"},
		{"web on loopback", oauthtest.Options{}, object{"application_type": "web"}, ""},
		{"web on loopback, strictly", oauthtest.Options{StrictApplicationType: true}, object{"application_type": "web"}, "invalid_redirect_uri"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newStranger(t, tt.options)
			r := a.register(tt.changes)
			if tt.want != "" {
				r.wants(t, http.StatusBadRequest, tt.want)
				return
			}
			r.wants(t, http.StatusCreated, "")
			seen := a.server.Registrations()
			if len(seen) != 1 || seen[0].ID != a.id || seen[0].RedirectURIs[0] != redirectURI || seen[0].AuthMethod != "none" {
				t.Errorf("seen %v", seen)
			}
		})
	}
	a := newAgent(t, oauthtest.Options{NoRegistration: true})
	if r := a.register(object{}); r.status != http.StatusNotFound {
		t.Errorf("no registration: %d", r.status)
	}
}

func TestPersonPressesAllowOrDeny(t *testing.T) {
	a := newAgent(t, oauthtest.Options{})
	a.server.SetOptions(func(o *oauthtest.Options) { o.Auto = false })
	if _, err := oauthtest.Browse(t.Context(), a.http, a.authorizeURL(nil)); err == nil {
		t.Error("nobody pressed a button")
	}
	press := func(decision string) (string, reply) {
		page := a.get(a.authorizeURL(url.Values{"scope": {"read write"}})).text
		for _, part := range []string{`lang="en"`, "An agent", "<li>read</li>", ">Allow</button>", ">Deny</button>"} {
			if !strings.Contains(page, part) {
				t.Fatalf("page has no %s: %s", part, page)
			}
		}
		key := regexp.MustCompile(`name="request" value="([^"]+)"`).FindStringSubmatch(page)[1]
		form := url.Values{"request": {key}, "decision": {decision}}.Encode()
		return form, a.do(http.MethodPost, a.server.Issuer()+"/authorize", form, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	}
	form, allowed := press("allow")
	if allowed.status != http.StatusSeeOther || !strings.Contains(allowed.header.Get("Location"), "code=") {
		t.Errorf("allow: %d %s", allowed.status, allowed.header.Get("Location"))
	}
	again := a.do(http.MethodPost, a.server.Issuer()+"/authorize", form, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	if again.status != http.StatusBadRequest {
		t.Errorf("a second answer: %d", again.status)
	}
	if _, denied := press("deny"); !strings.Contains(denied.header.Get("Location"), "error=access_denied") {
		t.Errorf("deny: %s", denied.header.Get("Location"))
	}
}

func TestVisitShowsThePageOfTheClient(t *testing.T) {
	a := newStranger(t, oauthtest.Options{})
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte("thanks for " + r.URL.Query().Get("state")))
	}))
	defer listener.Close()
	a.register(object{"redirect_uris": []string{listener.URL}})
	page, err := oauthtest.Visit(t.Context(), nil, a.authorizeURL(url.Values{"redirect_uri": {listener.URL}}))
	if err != nil || page != (oauthtest.Page{Status: http.StatusAccepted, Body: "thanks for a state"}) {
		t.Errorf("page %v, %v", page, err)
	}
}

func TestClientIsADocument(t *testing.T) {
	const id = "https://client.example/id.json"
	good := object{"client_id": id, "client_name": "Documented", "redirect_uris": []string{redirectURI}}
	fetch := func(document object) func(context.Context, string) ([]byte, error) {
		return func(_ context.Context, address string) ([]byte, error) {
			if address != id {
				return nil, errors.New("not there")
			}
			return json.Marshal(document)
		}
	}
	tests := []struct {
		name     string
		options  oauthtest.Options
		id       string
		document object
		redirect string
		status   int
		want     string // the error of the redirect
	}{
		{"good", oauthtest.Options{CIMD: true}, id, good, redirectURI, http.StatusSeeOther, ""},
		{"not known", oauthtest.Options{}, id, good, redirectURI, http.StatusBadRequest, ""},
		{"not there", oauthtest.Options{CIMD: true}, id + "x", good, redirectURI, http.StatusBadRequest, ""},
		{"no path", oauthtest.Options{CIMD: true}, "https://client.example", good, redirectURI, http.StatusBadRequest, ""},
		{"another id", oauthtest.Options{CIMD: true}, id, object{"client_id": id + "x"}, redirectURI, http.StatusBadRequest, ""},
		{"secret", oauthtest.Options{CIMD: true}, id, object{"client_id": id, "client_secret": "s"}, redirectURI, http.StatusBadRequest, ""},
		{"another port", oauthtest.Options{CIMD: true}, id, good, "http://127.0.0.1:1/callback", http.StatusBadRequest, ""},
		{"loose port", oauthtest.Options{CIMD: true, LoosePort: true}, id, good, "http://127.0.0.1:1/callback", http.StatusSeeOther, ""},
		{"refused", oauthtest.Options{RefuseCIMD: true}, id, good, redirectURI, http.StatusSeeOther, "invalid_client"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Fetch = fetch(tt.document)
			a := newStranger(t, tt.options)
			a.id = tt.id
			r := a.get(a.authorizeURL(url.Values{"redirect_uri": {tt.redirect}}))
			target, _ := url.Parse(r.header.Get("Location"))
			if r.status != tt.status || target.Query().Get("error") != tt.want {
				t.Fatalf("%d %s %s", r.status, target, r.text)
			}
			if tt.status == http.StatusSeeOther && tt.want == "" {
				params := codeParams(target.Query().Get("code"))
				params.Set("redirect_uri", tt.redirect)
				a.token(params).wants(t, http.StatusOK, "")
			}
		})
	}
	a := newStranger(t, oauthtest.Options{RefuseCIMDAtToken: true, Fetch: fetch(good)})
	a.id = id
	a.token(codeParams(a.browse(nil).Get("code"))).wants(t, http.StatusUnauthorized, "invalid_client")
}

func TestDocumentIsReadOverTheNetwork(t *testing.T) {
	mux := http.NewServeMux()
	host := httptest.NewServer(mux)
	defer host.Close()
	id := host.URL + "/id.json"
	mux.HandleFunc("/id.json", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(object{"client_id": id, "redirect_uris": []string{redirectURI}})
	})
	mux.Handle("/moved.json", http.RedirectHandler("/id.json", http.StatusFound))
	a := newStranger(t, oauthtest.Options{CIMD: true})
	a.id = id
	if !a.browse(nil).Has("code") {
		t.Error("no code")
	}
	a.id = host.URL + "/moved.json"
	if r := a.get(a.authorizeURL(nil)); r.status != http.StatusBadRequest {
		t.Errorf("a document that has moved: %d", r.status)
	}
}
