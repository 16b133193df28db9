package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
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

func TestTheDocumentDoesNotStandWhereClientsNeedASecret(t *testing.T) {
	w := newWorld(t, oauthtest.Options{CIMD: true, AuthMethods: []string{methodPost}}, withDocument)
	w.road()
	if len(w.server.Registrations()) != 1 {
		t.Errorf("%d registrations", len(w.server.Registrations()))
	}
}

func TestTheDocumentDoesNotStandForARedirectURIThatItDoesNotList(t *testing.T) {
	w := newWorld(t, oauthtest.Options{CIMD: true}, func(w *world) {
		w.options.ClientMetadataURL = func() string { return "https://client.example/metadata" }
	})
	w.road()
	if len(w.server.Registrations()) != 1 {
		t.Errorf("%d registrations", len(w.server.Registrations()))
	}
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

func TestWhereNobodyCanReadTheDocumentTheNextSignInRegisters(t *testing.T) {
	w := newWorld(t, oauthtest.Options{CIMD: true}, withDocument)
	w.server.SetOptions(func(o *oauthtest.Options) {
		o.Fetch = func(context.Context, string) ([]byte, error) { return nil, errors.New("a firewall") }
	})
	begun := w.begin()
	if status, _ := w.browse(begun.AuthorizeURL); status != http.StatusBadRequest {
		t.Fatalf("the page says %d", status) // and the browser does not come back
	}
	w.signIn()
	wantError(t, w.end(begun), domain.CodeSignInEnded, "reason", "replaced")
	w.passes("echo")
	w.signIn() // as whom it took us

	const another = "https://client.example/another"
	w.client.options.ClientMetadataURL = func() string { return another }
	w.server.SetOptions(func(o *oauthtest.Options) {
		o.Fetch = func(context.Context, string) ([]byte, error) { return ClientMetadata(another) }
	})
	w.signIn()
	if all := w.server.Authorizations(); all[len(all)-1].Get("client_id") != another {
		t.Error("another document is not tried")
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
	w.signIn() // at once
}

func TestARegistrationThatCannotBeReadIsMadeAgain(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	begun := w.road()
	if err := w.store.Put(registrationKey(begun.Issuer, begun.RedirectURI), "{damaged"); err != nil {
		t.Fatal(err)
	}
	w.signIn()
	if len(w.server.Registrations()) != 2 {
		t.Errorf("%d registrations", len(w.server.Registrations()))
	}
}

func TestAServerThatRegistersNobodyTwiceKnowsUsStill(t *testing.T) {
	for name, m := range map[string]map[string]any{"registered": {}, "by the document": {"client_id_metadata_document_supported": true}} {
		t.Run(name, func(t *testing.T) {
			d := wellBehaved()
			maps.Copy(d[wellKnownOAuth], m)
			var registered atomic.Int32
			i := newInternet(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/register" && (len(m) > 0 || registered.Add(1) > 1) {
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				d.ServeHTTP(w, r)
			}))
			c := New(Options{
				Store: newMemory(), Network: i.network(), After: never,
				CallbackPort: func() string { return freePort(t) }, ClientMetadataURL: func() string { return "https://client.example/metadata" },
			})
			defer c.Close()
			o := BeginOptions{RedirectURI: DocumentRedirectURIs()[0]} // nobody listens
			target := Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}
			first, err := c.Begin(t.Context(), target, o)
			if err != nil {
				t.Fatal(err)
			}
			first.Cancel() // the person closed the tab
			again, err := c.Begin(t.Context(), target, o)
			if err != nil {
				t.Fatal(err)
			}
			if first.flow.last().plan.client.ClientID != again.flow.last().plan.client.ClientID {
				t.Error("as somebody else")
			}
		})
	}
}

func TestAServerThatForgetsUsInTheMiddleIsToldAgain(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	begun := w.begin()
	answer, err := oauthtest.Browse(w.ctx(), w.browser, begun.AuthorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	w.server.ForgetClients()
	if status, _ := w.browse(answer.String()); status != http.StatusBadRequest {
		t.Errorf("page %d", status)
	}
	wantError(t, w.end(begun), domain.CodeSignInRefused, "oauth_error", "invalid_client")
	w.signIn()
	w.passes("echo")
}

func TestARegistrationThatIsNotGiven(t *testing.T) {
	for status, want := range map[int]domain.Code{
		400: domain.CodeClientIDNeeded, 401: domain.CodeClientIDNeeded, 403: domain.CodeClientIDNeeded, 404: domain.CodeClientIDNeeded, 302: domain.CodeClientIDNeeded,
		429: domain.CodeSignInUnreachable, 503: domain.CodeSignInUnreachable, 200: domain.CodeSignInRefused,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"error":"invalid_client_metadata"}`))
		}))
		e := endpointAt(t, server.URL)
		_, err := register(t.Context(), e.web, serverMetadata{Issuer: server.URL, RegistrationEndpoint: server.URL}, "http://127.0.0.1/")
		if domain.CodeOf(err) != want {
			t.Errorf("%d: %v", status, err)
		}
		server.Close()
	}
}

func TestTheEndOfASecretNeedNotBeAWholeSecond(t *testing.T) {
	for said, usable := range map[string]bool{"1000.5": true, "999.5": false, "1e300": true, "0": true, "null": true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"client_id":"us","client_secret":"s3cret","client_secret_expires_at":` + said + `}`))
		}))
		e := endpointAt(t, server.URL)
		given, err := register(t.Context(), e.web, serverMetadata{Issuer: server.URL, RegistrationEndpoint: server.URL}, "http://127.0.0.1/")
		if err != nil || given.usable(server.URL, "http://127.0.0.1/", time.Unix(1000, 0)) != usable {
			t.Errorf("%s: %v, %v", said, given.SecretExpires, err)
		}
		server.Close()
	}
}

func TestARegistrationEndsWithItsSecret(t *testing.T) {
	now := time.Unix(1000, 0)
	r := registration{Issuer: "https://as.example", ClientID: "us", RedirectURIs: []string{"http://127.0.0.1/"}}
	for expires, want := range map[float64]bool{0: true, 1001: true, 1000: false, 999: false} {
		r.SecretExpires = expires
		if r.usable("https://as.example", "http://127.0.0.1/", now) != want {
			t.Errorf("%v", expires)
		}
	}
	r.SecretExpires = 0
	if r.usable("https://other.example", "http://127.0.0.1/", now) || r.usable("https://as.example", "http://127.0.0.1:2/", now) {
		t.Error("used elsewhere")
	}
}

func TestTheDocumentNamesItselfAndItsPorts(t *testing.T) {
	raw, err := ClientMetadata("https://client.example/metadata")
	if err != nil {
		t.Fatal(err)
	}
	var document wish
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	if document.ClientID != "https://client.example/metadata" || document.AuthMethod != "none" || document.ApplicationType != "native" || len(document.RedirectURIs) != 14 ||
		!slices.Contains(document.RedirectURIs, "http://localhost:8919/callback") || !slices.Contains(document.RedirectURIs, "http://127.0.0.1:8913/callback") {
		t.Errorf("%s", raw)
	}
}
