package oauth

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestWithoutRegistrationAClientIDIsAskedFor(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"absent": {NoRegistration: true}, "null": {NullRegistration: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o)
			w.refused("echo", http.StatusUnauthorized)
			_, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
			redirectURI := "http://127.0.0.1:" + w.options.CallbackPort() + "/callback"
			wantError(t, err, domain.CodeClientIDNeeded, "redirect_uri", redirectURI, "issuer", w.server.Issuer())
			if !strings.Contains(domain.AsError(err).Hint, redirectURI) {
				t.Errorf("hint %q", domain.AsError(err).Hint)
			}
			for _, method := range []string{"none", "client_secret_basic", "client_secret_post"} {
				w.server.SetOptions(func(o *oauthtest.Options) { o.AuthMethods = []string{method} })
				us := w.server.AddClient(oauthtest.Client{RedirectURIs: []string{redirectURI}, AuthMethod: method})
				w.target.Auth = &domain.Auth{ClientID: us.ID, Secrets: []domain.Variable{{Name: domain.SecretClient, Value: us.Secret}}}
				w.road()
				w.clock.pass(2 * time.Hour)
				w.passes("echo")
			}
		})
	}
}

func TestTheMetadataDocumentStandsForARegistration(t *testing.T) {
	w := newWorld(t, oauthtest.Options{CIMD: true}, withDocument)
	w.road()
	if got := w.server.Authorizations()[0].Get("client_id"); got != w.options.ClientMetadataURL() || len(w.server.Registrations()) > 0 {
		t.Errorf("client_id %q, registrations %v", got, w.server.Registrations())
	}
	w.clock.pass(2 * time.Hour)
	w.passes("echo")
}

func TestWhereTheDocumentIsRefusedTheSameTabGoesOn(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"at the page": {RefuseCIMD: true}, "at the token endpoint": {RefuseCIMDAtToken: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o, withDocument)
			w.refused("echo", http.StatusUnauthorized)
			begun := w.begin()
			status, body := w.browse(begun.AuthorizeURL)
			if err := w.end(begun); err != nil || status != http.StatusOK || !strings.Contains(body, "Signed in") {
				t.Fatalf("%v, %d %s", err, status, body)
			}
			w.passes("echo")
			if len(w.server.Registrations()) != 1 {
				t.Errorf("registrations %v", w.server.Registrations())
			}
			before := len(w.server.Authorizations())
			w.signIn()
			if last := w.server.Authorizations()[before]; last.Get("client_id") != w.server.Registrations()[0].ID {
				t.Error("the document is offered again")
			}
		})
	}
}

func TestWhereTheDocumentIsRefusedAndNothingElseIsTakenAClientIDIsAskedFor(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RefuseCIMD: true, NoRegistration: true}, withDocument)
	w.refused("echo", http.StatusUnauthorized)
	begun := w.begin()
	_, err := w.visit(begun)
	wantError(t, err, domain.CodeClientIDNeeded, "redirect_uri", begun.RedirectURI)
}

func TestAnotherCallbackPortIsRegisteredAndNothingElseIs(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ExactRedirect: true})
	first := w.road()
	w.signIn()
	if len(w.server.Registrations()) != 1 {
		t.Fatalf("%d registrations for one port", len(w.server.Registrations()))
	}
	port := w.options.CallbackPort()
	other := freePort(t)
	w.client.options.CallbackPort = func() string { return other }
	second := w.signIn()
	if second.RedirectURI == first.RedirectURI || len(w.server.Registrations()) != 2 {
		t.Fatalf("%d registrations for two ports", len(w.server.Registrations()))
	}
	w.client.options.CallbackPort = func() string { return port }
	w.signIn()
	if len(w.server.Registrations()) != 2 {
		t.Error("a port that was registered is registered again")
	}
}

func TestAServerThatForgotUsIsToldAgain(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ExactRedirect: true})
	w.road()
	w.server.ForgetClients()
	w.clock.pass(2 * time.Hour)
	w.refused("echo", http.StatusUnauthorized) // the refresh comes to invalid_client
	w.signIn()
	w.passes("echo")

	w.server.ForgetClients()
	begun := w.begin()
	if status, _ := w.browse(begun.AuthorizeURL); status != http.StatusBadRequest {
		t.Fatalf("the page says %d", status) // and the browser does not come back
	}
	begun.Cancel()
	w.awaitNone()
	w.signIn()
}
