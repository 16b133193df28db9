package oauth

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

// A server that is switched off, or not reached yet, was never asked: only its challenge says where its metadata is.
func TestSignInToAServerThatWasNeverAsked(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ResourceMetadata: oauthtest.PlaceOdd, RequiredScopes: []string{"read"}})
	begun := w.signIn()
	if !slices.Equal(begun.Scopes, []string{"read"}) {
		t.Errorf("asked for %v", begun.Scopes)
	}
	w.passes("echo")
}

func TestServerThatAsksForNoSignIn(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	unguarded := http.NewServeMux()
	unguarded.HandleFunc("/mcp", echo)
	server := httptest.NewServer(unguarded)
	t.Cleanup(server.Close)
	w.target.URL = server.URL + "/mcp"
	_, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
	wantError(t, err, domain.CodeInvalidInput, "reason", "no_sign_in", "server", "fake")

	w.target.URL = server.URL + "/sse" // takes no messages here: nothing is known of what it wants
	_, err = w.client.Begin(w.ctx(), w.target, BeginOptions{})
	wantError(t, err, domain.CodeClientIDNeeded)
}
