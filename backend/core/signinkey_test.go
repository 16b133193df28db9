package core_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/secrets"
)

// Tokens whose key is lost are no secrets that a person could type again: with a new key their server asks for a sign-in.
func TestTokensWhoseKeyIsLost(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true})
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
	d.Name, d.DefaultVerdict = "vault", domain.Allow
	o := options(t, core.Serve)
	callbackAt(t, o.Home)
	before, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, window(before), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	signIn(t, window(before), "vault")
	becomes(t, window(before), "vault", domain.StateReady)
	if err := before.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(o.Home, "server.key")); err != nil {
		t.Fatal(err)
	}

	h := window(open(t, o))
	mcptest.Eventually(t, "the server says what is wrong", func() bool {
		reason := stateOf(t, h, "vault").Reason
		return reason != nil && reason.Code == domain.CodeSecretKeyMissing
	})
	if got := ask(t, h, http.MethodPost, "/api/sign-ins", api.NewSignIn{ServerID: "vault"}); got.code(t) != domain.CodeSecretKeyMissing {
		t.Errorf("a sign-in whose token could not be kept: %s", got.body)
	}
	mcptest.Eventually(t, "the status names no secret that a person could give again", func() bool {
		place := decode[api.Status](t, ask(t, h, http.MethodGet, "/api/status", nil)).Secrets
		return place.Reason != nil && place.Reason.Code == domain.CodeSecretKeyMissing && len(place.Lost) == 0
	})
	if renewal := decode[secrets.Renewal](t, ask(t, h, http.MethodPost, "/api/secrets/new-key", nil)); len(renewal.Secrets) != 0 {
		t.Errorf("to be given again: %v", renewal.Secrets)
	}
	mcptest.Eventually(t, "the server wants a sign-in", func() bool {
		view := stateOf(t, h, "vault")
		return view.State == domain.StateNeedsSignIn && view.Reason.Code == domain.CodeSignInNeeded
	})
	signIn(t, h, "vault")
	becomes(t, h, "vault", domain.StateReady)
}
