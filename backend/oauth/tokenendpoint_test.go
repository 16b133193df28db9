package oauth

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// answering is a token endpoint that always gives the same answer.
func answering(t *testing.T, status int, kind, body string) tokenEndpoint {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return endpointAt(t, server.URL)
}

func TestWhatATokenEndpointGives(t *testing.T) {
	const start = 0 // of the clock of endpointAt
	for body, want := range map[string]time.Duration{
		`{"access_token":"a","token_type":"Bearer","expires_in":3600}`:                 time.Hour,
		`{"access_token":"a","token_type":"bearer","expires_in":"3600"}`:               time.Hour,
		`{"access_token":"a","token_type":"Bearer"}`:                                   0,
		`{"access_token":"a","expires_in":0}`:                                          0,
		`{"access_token":"a","expires_in":null}`:                                       0,
		`{"access_token":"a","expires_in":-5}`:                                         0,
		`{"access_token":"a","expires_in":99999999999999}`:                             0,
		`access_token=a&token_type=bearer&expires_in=3600&scope=one%2Ctwo`:             time.Hour,
		`{"access_token":"a","expires_in":3600.7}`:                                     time.Hour,
		`{"access_token":"a","expires_in":"soon"}`:                                     0,
		`{"access_token":"a","expires_in":"NaN"}`:                                      0,
		`{"access_token":"a","expires_in":1e300}`:                                      0,
		`access_token=a&token_type=bearer&expires_in=soon`:                             0,
		`access_token=a&token_type=bearer&expires_in=-1`:                               0,
		`{"refresh_token":"r","access_token":"a","scope":"one two","expires_in":3600}`: time.Hour,
	} {
		kind := "application/json"
		if strings.HasPrefix(body, "access_token") {
			kind = "application/x-www-form-urlencoded"
		} else if strings.HasPrefix(body, `{"refresh_token"`) {
			kind = "text/plain" // as some say
		}
		given, err := answering(t, http.StatusOK, kind, body).refresh(t.Context(), "r")
		if err != nil || given.access != "a" || given.refresh != "r" {
			t.Errorf("%s: %v %v", body, given, err)
			continue
		}
		if want == 0 != given.expires.IsZero() || want != 0 && given.expires.Sub(time.Time{}) != start+want {
			t.Errorf("%s: ends %s", body, given.expires)
		}
	}
}

func TestWhichScopesATokenEndpointGives(t *testing.T) {
	for body, want := range map[string][]string{
		`{"access_token":"a"}`: nil, `{"access_token":"a","scope":null}`: nil, `{"access_token":"a","scope":""}`: {}, `{"access_token":"a","scope":"one two one"}`: {"one", "two"},
		`{"access_token":"a","scope":"one,two"}`: {"one", "two"}, `{"access_token":"a","scope":["one"]}`: nil,
		`access_token=a`: nil, `access_token=a&scope=`: {}, `access_token=a&scope=one%2Ctwo`: {"one", "two"},
	} {
		kind := "application/json"
		if strings.HasPrefix(body, "access_token") {
			kind = "application/x-www-form-urlencoded; charset=utf-8"
		}
		given, err := answering(t, http.StatusOK, kind, body).refresh(t.Context(), "r")
		if err != nil || !slices.Equal(given.scopes, want) || (given.scopes == nil) != (want == nil) {
			t.Errorf("%s: %q %v", body, given.scopes, err)
		}
	}
}

func TestWhyATokenEndpointGivesNone(t *testing.T) {
	tests := []struct {
		status     int
		kind, body string
		code       domain.Code
		refusal    string // the code of a definite no
	}{
		{400, "application/json", `{"error":"invalid_grant"}`, domain.CodeSignInRefused, "invalid_grant"},
		{401, "application/json", `{"error":"invalid_client","error_description":"who"}`, domain.CodeSignInRefused, "invalid_client"},
		{200, "application/json", `{"error":"bad_refresh_token"}`, domain.CodeSignInRefused, "invalid_grant"},
		{200, "application/x-www-form-urlencoded", `error=incorrect_client_credentials`, domain.CodeSignInRefused, "invalid_client"},
		{200, "application/json", `{"ok":false,"error":"invalid_refresh_token"}`, domain.CodeSignInRefused, "invalid_grant"},
		{503, "application/json", `{"error":"temporarily_unavailable"}`, domain.CodeSignInUnreachable, ""},
		{500, "application/json", `{"error":"server_error"}`, domain.CodeSignInUnreachable, ""},
		{502, "text/html", `<h1>Bad gateway</h1>`, domain.CodeSignInUnreachable, ""},
		{429, "application/json", `{"error":"invalid_request"}`, domain.CodeSignInUnreachable, ""},
		{403, "text/html", `<h1>Log in to the hotel's network</h1>`, domain.CodeSignInRefused, ""},
		{200, "text/html", `<h1>Log in to the hotel's network</h1>`, domain.CodeSignInRefused, ""},
		{200, "application/json", `{}`, domain.CodeSignInRefused, ""},
		{200, "application/json", `null`, domain.CodeSignInRefused, ""},
		{200, "application/json", `{"access_token":"a\r\nX-Evil: 1"}`, domain.CodeSignInRefused, ""},
		{200, "application/json", `[`, domain.CodeSignInRefused, ""},
		{400, "application/json", ``, domain.CodeSignInRefused, ""},
	}
	for _, test := range tests {
		_, err := answering(t, test.status, test.kind, test.body).refresh(t.Context(), "a refresh token")
		if domain.CodeOf(err) != test.code || isRefusal(err) != (test.refusal != "") || test.refusal != "" && !isRefusal(err, test.refusal) {
			t.Errorf("%d %s: %s %v", test.status, test.body, domain.CodeOf(err), err)
		}
	}
}

func TestASecretIsNotSentWhereNoneIsWanted(t *testing.T) {
	for method, want := range map[string]bool{methodNone: false, methodPost: true, methodBasic: true, "": true} {
		var sent bool
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, password, _ := r.BasicAuth()
			sent = password == "s3cret" || r.FormValue("client_secret") == "s3cret"
			_, _ = w.Write([]byte(`{"access_token":"a"}`))
		}))
		e := endpointAt(t, server.URL)
		e.client.AuthMethod = method
		if _, err := e.refresh(t.Context(), "r"); err != nil || sent != want {
			t.Errorf("%q: sent %v, %v", method, sent, err)
		}
		server.Close()
	}
}

func TestChooseMethod(t *testing.T) {
	for _, test := range []struct {
		supported []string
		secret    string
		want      string
	}{
		{nil, "", methodNone},
		{nil, "s", methodBasic},
		{[]string{methodPost, methodBasic}, "s", methodBasic},
		{[]string{methodPost}, "s", methodPost},
		{[]string{methodPost}, "", methodPost},
		{[]string{methodPost, methodNone}, "", methodNone},
		{[]string{"tls_client_auth"}, "s", methodBasic},
	} {
		if got := chooseMethod(test.supported, test.secret); got != test.want {
			t.Errorf("%v %q: %s, want %s", test.supported, test.secret, got, test.want)
		}
	}
}

// trip answers a request as a server would, without one.
func trip(status int, kind string, body []byte) http.RoundTripper {
	return tripFunc(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write(body)
		resp := w.Result()
		resp.Request = r
		return resp, nil
	})
}

func FuzzTokenAnswers(f *testing.F) {
	for _, seed := range []string{
		`{"access_token":"a","expires_in":3600,"scope":"a b"}`, `{"error":"invalid_grant"}`, `access_token=a&expires_in=9`, `{"authed_user":{"access_token":"x"}}`, `null`, `{"authed_user":[]}`,
	} {
		f.Add(200, "application/json", []byte(seed))
		f.Add(400, "text/plain", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, kind string, body []byte) {
		if status < 200 || status > 599 {
			return
		}
		e := tokenEndpoint{
			web: &http.Client{Transport: trip(status, kind, body), CheckRedirect: withinOrigin}, server: serverMetadata{Issuer: "https://as.example", TokenEndpoint: "https://as.example/token"},
			client: registration{ClientID: "us"}, style: style{Nested: "authed_user"}, now: time.Now,
		}
		given, err := e.refresh(t.Context(), "r")
		if err == nil && (given.access == "" || given.expires.After(time.Now().Add(maxLifetime)) || len(given.scopes) > httpauth.MaxScopes) {
			t.Errorf("%d %q %q: %#v", status, kind, body, given)
		}
		if err != nil && len(domain.AsError(err).Message) > 20*maxWords {
			t.Errorf("an error of %d bytes", len(domain.AsError(err).Message))
		}
	})
}

func FuzzMetadata(f *testing.F) {
	for _, seed := range []string{
		`{"issuer":"https://as.example","authorization_endpoint":"https://as.example/a","token_endpoint":"https://as.example/t","code_challenge_methods_supported":["S256"]}`,
		`{"resource":"https://mcp.example","authorization_servers":["https://as.example"]}`, `{"client_id":"x","redirect_uris":[]}`, `[]`, `{"registration_endpoint":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		web := &http.Client{Transport: trip(http.StatusOK, "application/json", body), CheckRedirect: withinOrigin}
		m, found, err := findServer(t.Context(), web, "https://as.example")
		if found && err == nil && strings.TrimSuffix(m.Issuer, "/") != "https://as.example" {
			t.Errorf("%q is taken for another issuer", body)
		}
		where, err := discover(t.Context(), web, Target{URL: "https://mcp.example/mcp"}, httpauth.Challenge{})
		if err == nil && where.resource != "" && !strings.HasPrefix(where.resource, "https://mcp.example") {
			t.Errorf("%q is taken for another resource", body)
		}
		_ = checkEndpoints(t.Context(), web, m)
		given, err := register(t.Context(), web, m, "http://127.0.0.1/callback")
		if err == nil && (given.ClientID == "" || given.Issuer != m.Issuer || given.Kind != dynamic) {
			t.Errorf("%q: %#v", body, given)
		}
	})
}
