package oauth

import (
	"net/http"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

// Users of apps sign in side by side, each for themselves; what one does leaves the others alone.
func TestEachUserOfEachAppHasATokenOfTheirOwn(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	mine := w.target
	theirs, elsewhere := mine, mine
	theirs.User, elsewhere.App = "somebody", "another-app"
	all := []Target{mine, theirs, elsewhere}

	begun := make([]Begun, len(all))
	for i := range all {
		w.target = all[i]
		w.refused("echo", http.StatusUnauthorized)
		begun[i] = w.begin()
	}
	tokens := map[string]bool{}
	for i := range all {
		for j := range all[i:] { // whoever did not sign in yet has nothing of the others
			_, _, err := w.client.Token(w.ctx(), all[i+j])
			wantError(t, err, domain.CodeSignInNeeded)
		}
		if page, err := w.visit(begun[i]); err != nil || page.Status != http.StatusOK {
			t.Fatalf("sign-in of %v: %v", all[i].Subject, err)
		}
		token, _, err := w.client.Token(w.ctx(), all[i])
		if err != nil || tokens[token] {
			t.Errorf("%v: %v, or a token of somebody else", all[i].Subject, err)
		}
		tokens[token] = true
	}

	if err := w.client.Forget(w.ctx(), theirs); err != nil {
		t.Fatal(err)
	}
	for i, status := range []int{http.StatusOK, http.StatusUnauthorized, http.StatusOK} {
		w.target = all[i]
		if got := w.call("echo"); got.err != nil || got.status != status {
			t.Errorf("%v: %d %v, want %d", all[i].Subject, got.status, got.err, status)
		}
	}
}
