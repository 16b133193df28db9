package oauth

import (
	"net/http"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

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
