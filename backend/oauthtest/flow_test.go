package oauthtest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
)

const (
	redirectURI = "http://127.0.0.1:9999/callback"
	verifier    = "a-verifier-of-at-least-forty-three-characters-it-says"
	basic       = "client_secret_basic"
	post        = "client_secret_post"
)

type object = map[string]any

// agent is a plain OAuth client of one guarded server.
type agent struct {
	t      *testing.T
	server *oauthtest.Server
	http   *http.Client
	mcp    string // URL of the guarded server
	id     string
	secret string
	method string // how it authenticates; empty: it does not
	proof  func(method, address, token string) string
}

// reply is an answer that has been read.
type reply struct {
	status int
	header http.Header
	body   object // nil when it is not JSON
	text   string
}

// newAgent starts a server that a stub stands behind, and a client of it that has a registration.
func newAgent(t *testing.T, o oauthtest.Options) *agent {
	t.Helper()
	a := newStranger(t, o)
	if o.NoRegistration || o.NullRegistration {
		return a
	}
	a.register(object{})
	return a
}

// newStranger leaves the registration to the test.
func newStranger(t *testing.T, o oauthtest.Options) *agent {
	t.Helper()
	o.Auto = true
	server := oauthtest.New(t, o)
	stub := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return newClient(t, server, stub)
}

func newClient(t *testing.T, server *oauthtest.Server, behind http.Handler) *agent {
	t.Helper()
	guarded := httptest.NewServer(server.Guard(behind))
	client := &http.Client{
		Transport:     &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		guarded.CloseClientConnections()
		guarded.Close()
	})
	return &agent{t: t, server: server, http: client, mcp: guarded.URL + "/mcp"}
}

func (a *agent) do(method, address, body string, header http.Header) reply {
	a.t.Helper()
	request, err := http.NewRequestWithContext(a.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	maps.Copy(request.Header, header)
	answer, err := a.http.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	r := reply{status: answer.StatusCode, header: answer.Header, text: string(raw)}
	_ = json.NewDecoder(bytes.NewReader(raw)).Decode(&r.body) // then it has none
	return r
}

func (a *agent) get(address string) reply {
	a.t.Helper()
	return a.do(http.MethodGet, address, "", nil)
}

func (a *agent) origin() string { return strings.TrimSuffix(a.mcp, "/mcp") }

// register registers the client with what the test adds, as a public native client.
func (a *agent) register(changes object) reply {
	a.t.Helper()
	client := object{
		"client_name": "An agent", "redirect_uris": []string{redirectURI}, "token_endpoint_auth_method": "none",
		"application_type": "native", "grant_types": []string{"authorization_code", "refresh_token"},
	}
	maps.Copy(client, changes)
	raw, err := json.Marshal(client)
	if err != nil {
		a.t.Fatal(err)
	}
	r := a.do(http.MethodPost, a.server.Issuer()+"/register", string(raw), http.Header{"Content-Type": {"application/json"}})
	a.id, _ = r.body["client_id"].(string)
	a.secret, _ = r.body["client_secret"].(string)
	a.method, _ = r.body["token_endpoint_auth_method"].(string)
	return r
}

// authorizeURL asks for a code with what the test changes; an empty value leaves a parameter out.
func (a *agent) authorizeURL(changes url.Values) string {
	sum := sha256.Sum256([]byte(verifier))
	params := url.Values{
		"response_type": {"code"}, "client_id": {a.id}, "redirect_uri": {redirectURI}, "state": {"a state"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}, "resource": {a.mcp},
	}
	change(params, changes)
	return a.server.Issuer() + "/authorize?" + params.Encode()
}

func change(params, changes url.Values) {
	for name, values := range changes {
		params[name] = values
		if values[0] == "" {
			delete(params, name)
		}
	}
}

// browse gives what the redirect to the client says.
func (a *agent) browse(changes url.Values) url.Values {
	a.t.Helper()
	redirect, err := oauthtest.Browse(a.t.Context(), a.http, a.authorizeURL(changes))
	if err != nil {
		a.t.Fatal(err)
	}
	return redirect.Query()
}

// token sends a token request as the client authenticates.
func (a *agent) token(params url.Values) reply {
	a.t.Helper()
	return a.tokenAt(a.server.Issuer()+"/token", params)
}

func (a *agent) tokenAt(address string, params url.Values) reply {
	a.t.Helper()
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	params = maps.Clone(params)
	switch a.method {
	case basic:
		credentials := url.QueryEscape(a.id) + ":" + url.QueryEscape(a.secret)
		header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(credentials)))
	case post:
		params.Set("client_id", a.id)
		params.Set("client_secret", a.secret)
	default:
		params.Set("client_id", a.id)
	}
	if a.proof != nil {
		header.Set("DPoP", a.proof(http.MethodPost, address, ""))
	}
	return a.do(http.MethodPost, address, params.Encode(), header)
}

func codeParams(code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirectURI}, "code_verifier": {verifier},
	}
}

func refreshParams(token any) url.Values {
	value, _ := token.(string)
	return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {value}}
}

// signIn gives the token answer at the end of a whole sign-in for those scopes.
func (a *agent) signIn(scope string) object {
	a.t.Helper()
	params := a.browse(url.Values{"scope": {scope}})
	r := a.token(codeParams(params.Get("code")))
	if r.status != http.StatusOK {
		a.t.Fatalf("redirect %v, token %d %s", params, r.status, r.text)
	}
	return r.body
}

// call sends a call of a tool to the guarded server.
func (a *agent) call(tokens object, tool string) reply {
	a.t.Helper()
	value, _ := tokens["access_token"].(string)
	scheme, _ := tokens["token_type"].(string)
	header := http.Header{}
	if value != "" {
		header.Set("Authorization", scheme+" "+value)
	}
	if a.proof != nil {
		header.Set("DPoP", a.proof(http.MethodPost, a.mcp, value))
	}
	return a.do(http.MethodPost, a.mcp, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`"}}`, header)
}

// wants fails unless the reply has that status and that error.
func (r reply) wants(t *testing.T, status int, code string) {
	t.Helper()
	got, _ := r.body["error"].(string)
	if r.status != status || got != code {
		t.Errorf("got %d %q, want %d %q: %s", r.status, got, status, code, r.text)
	}
}

// challenged fails unless the reply is a challenge with that status and those parts.
func (r reply) challenged(t *testing.T, status int, parts ...string) {
	t.Helper()
	challenge := strings.Join(r.header.Values("WWW-Authenticate"), "\n")
	for _, part := range parts {
		if !strings.Contains(challenge, part) {
			t.Errorf("challenge %q has no %q", challenge, part)
		}
	}
	if r.status != status {
		t.Errorf("got %d, want %d: %s", r.status, status, challenge)
	}
}

func TestClientFindsItsWayFromTheChallengeToTheTools(t *testing.T) {
	server := oauthtest.New(t, oauthtest.Options{Auto: true, RequiredScopes: []string{"mcp"}})
	a := newClient(t, server, mcptest.NewHTTP(mcptest.Options{Name: "fake"}))

	refused := a.do(http.MethodPost, a.mcp, "{}", nil)
	refused.challenged(t, http.StatusUnauthorized, `Bearer `, `scope="mcp"`)
	match := regexp.MustCompile(`resource_metadata="([^"]+)"`).FindStringSubmatch(refused.header.Get("WWW-Authenticate"))
	if match == nil {
		t.Fatalf("challenge %q", refused.header.Get("WWW-Authenticate"))
	}
	resource := a.get(match[1]).body
	issuers, _ := resource["authorization_servers"].([]any)
	if resource["resource"] != a.mcp || len(issuers) != 1 || issuers[0] != server.Issuer() {
		t.Fatalf("resource metadata %v", resource)
	}
	metadata := a.get(server.Issuer() + "/.well-known/oauth-authorization-server").body
	if metadata["issuer"] != server.Issuer() || metadata["registration_endpoint"] != server.Issuer()+"/register" {
		t.Fatalf("metadata %v", metadata)
	}

	if r := a.register(object{}); r.status != http.StatusCreated || a.id == "" {
		t.Fatalf("registration %d %s", r.status, r.text)
	}
	answer := a.browse(url.Values{"scope": {"mcp"}})
	if answer.Get("state") != "a state" || answer.Get("iss") != server.Issuer() {
		t.Fatalf("redirect %v", answer)
	}
	tokens := a.token(codeParams(answer.Get("code"))).body
	if tokens["token_type"] != "Bearer" || tokens["expires_in"] != float64(3600) || tokens["scope"] != "mcp" {
		t.Fatalf("tokens %v", tokens)
	}
	a.wantTools(tokens)

	server.Expire()
	a.call(tokens, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	renewed := a.token(refreshParams(tokens["refresh_token"])).body
	if renewed["refresh_token"] != nil {
		t.Errorf("without rotation the refresh token stays, but %v", renewed)
	}
	a.wantTools(renewed)

	if got := server.Refreshes(); got != 1 {
		t.Errorf("%d refreshes", got)
	}
	for _, secret := range []any{answer.Get("code"), tokens["access_token"], tokens["refresh_token"], renewed["access_token"]} {
		if !strings.Contains(strings.Join(server.Secrets(), " "), secret.(string)) {
			t.Errorf("secret %v is not known", secret)
		}
	}
}

// wantTools lists the tools of a real MCP server through the guard.
func (a *agent) wantTools(tokens object) {
	a.t.Helper()
	header := http.Header{"Authorization": {"Bearer " + tokens["access_token"].(string)}}
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{}}}`
	session := a.do(http.MethodPost, a.mcp, hello, header).header.Get("Mcp-Session-Id")
	header["Mcp-Session-Id"] = []string{session}
	r := a.do(http.MethodPost, a.mcp, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, header)
	if r.status != http.StatusOK || !strings.Contains(r.text, `"echo"`) {
		a.t.Fatalf("tools: %d %s", r.status, r.text)
	}
}
