package oauthtest_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/oauthtest"
)

func TestGuardLetsThroughOnlyTokensForTheServer(t *testing.T) {
	a := newAgent(t, oauthtest.Options{})
	a.call(nil, "echo").challenged(t, http.StatusUnauthorized, "Bearer resource_metadata=")
	a.call(object{"access_token": "made-up", "token_type": "Bearer"}, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	tokens := a.signIn("")
	if r := a.call(tokens, "echo"); r.status != http.StatusNoContent {
		t.Errorf("a good token: %d", r.status)
	}
	for _, resource := range []string{"", "https://elsewhere.invalid/mcp", a.origin(), a.origin() + "/other"} {
		code := a.browse(url.Values{"resource": {resource}}).Get("code")
		a.call(a.token(codeParams(code)).body, "echo").challenged(t, http.StatusUnauthorized, "another resource")
	}
	seen := a.server.Presented()
	if len(seen) != 6 || seen[1] != (oauthtest.Credential{Scheme: "Bearer", Token: tokens["access_token"].(string)}) {
		t.Errorf("seen %v", seen)
	}
	if got := a.server.Requests(); !slices.Contains(got, "POST "+a.mcp) || !slices.Contains(got, "POST "+a.server.Issuer()+"/token") {
		t.Errorf("requests %v", got)
	}
}

func TestResourceWithATrailingSlashIsTheSame(t *testing.T) {
	a := newAgent(t, oauthtest.Options{TrailingSlash: true})
	code := a.browse(url.Values{"resource": {a.mcp + "/"}}).Get("code")
	if r := a.call(a.token(codeParams(code)).body, "echo"); r.status != http.StatusNoContent {
		t.Errorf("got %d", r.status)
	}
}

func TestScopesAreEnforced(t *testing.T) {
	a := newAgent(t, oauthtest.Options{RequiredScopes: []string{"mcp"}, ToolScopes: map[string]string{"delete": "admin"}})
	usual := a.signIn("")
	if usual["scope"] != "mcp" || a.call(usual, "echo").status != http.StatusNoContent {
		t.Errorf("tokens %v", usual)
	}
	a.call(usual, "delete").challenged(t, http.StatusForbidden, `error="insufficient_scope"`, `scope="admin"`, "resource_metadata=")
	a.call(a.signIn("admin"), "delete").challenged(t, http.StatusForbidden, `scope="mcp"`)
	more := a.signIn("mcp admin")
	if r := a.call(more, "delete"); r.status != http.StatusNoContent {
		t.Errorf("with both scopes: %d", r.status)
	}

	a.server.SetOptions(func(o *oauthtest.Options) { o.NeverEnough = true })
	a.call(more, "delete").challenged(t, http.StatusForbidden, "insufficient_scope", `scope="admin"`)
	if r := a.call(more, "echo"); r.status != http.StatusNoContent {
		t.Errorf("another tool: %d", r.status)
	}
	a.server.SetOptions(func(o *oauthtest.Options) { o.ToolScopes = nil })
	a.call(more, "echo").challenged(t, http.StatusForbidden, "insufficient_scope")

	a.server.SetOptions(func(o *oauthtest.Options) { o.NeverEnough, o.WithholdScopes = false, []string{"admin"} })
	if got := a.signIn("mcp admin")["scope"]; got != "mcp" {
		t.Errorf("granted %v", got)
	}
}

func TestControlIsThereOnlyWhereItIsAskedFor(t *testing.T) {
	a := newAgent(t, oauthtest.Options{})
	if r := a.get(a.server.URL() + "/control/state"); r.status != http.StatusNotFound {
		t.Errorf("without the switch: %d", r.status)
	}
	a.server.SetOptions(func(o *oauthtest.Options) { o.Control = true })
	tokens := a.signIn("")
	if got := a.get(a.server.URL() + "/control/state").body; got["authorizations"] != 1.0 || got["registrations"] != 1.0 {
		t.Errorf("state %v", got)
	}
	a.do(http.MethodPost, a.server.URL()+"/control/expire", "", nil).wants(t, http.StatusOK, "")
	a.call(tokens, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	a.token(refreshParams(tokens["refresh_token"])).wants(t, http.StatusOK, "")
	a.do(http.MethodPost, a.server.URL()+"/control/revoke", "", nil).wants(t, http.StatusOK, "")
	a.token(refreshParams(tokens["refresh_token"])).wants(t, http.StatusBadRequest, "invalid_grant")
}

func TestRefusedTokens(t *testing.T) {
	a := newAgent(t, oauthtest.Options{RefuseTokens: true})
	a.call(a.signIn(""), "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
}
