package oauth

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
	"apollia.fr/connexions/backend/oauthtest"
)

// moved has the MCP server name another authorization server from now on.
func (w *world) moved() (other *oauthtest.Server) {
	w.t.Helper()
	other = oauthtest.New(w.t, oauthtest.Options{Auto: true, Now: w.clock.Now})
	guarded := httptest.NewServer(other.Guard(http.HandlerFunc(echo)))
	w.t.Cleanup(func() {
		guarded.CloseClientConnections()
		guarded.Close()
	})
	w.client.account(w.target).challengedBy(httpauth.Challenge{})
	resource := w.target.URL
	mislead := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = rw.Write([]byte(`{"resource":"` + resource + `","authorization_servers":["` + other.Issuer() + `"]}`))
	}))
	w.t.Cleanup(mislead.Close)
	w.client.account(w.target).challengedBy(httpauth.Challenge{Params: map[string]string{"resource_metadata": mislead.URL}})
	return other
}

func TestAClientIDIsShownToNoOtherIssuer(t *testing.T) {
	w := newWorld(t, oauthtest.Options{NoRegistration: true})
	redirectURI := "http://127.0.0.1:" + w.options.CallbackPort() + "/callback"
	us := oauthtest.Client{ID: "us", Secret: "s3cret", AuthMethod: methodPost, RedirectURIs: []string{redirectURI}}
	w.server.AddClient(us)
	w.target.Auth = &domain.Auth{ClientID: us.ID, Secrets: secrets(domain.SecretClient, us.Secret)}
	w.server.SetOptions(func(o *oauthtest.Options) { o.AuthMethods = []string{methodPost} })
	w.road()

	other := w.moved()
	other.AddClient(us)
	_, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
	wantError(t, err, domain.CodeSignInRefused, "reason", "issuer_changed", "before", w.server.Issuer(), "address", other.Issuer())
	if len(other.Authorizations()) > 0 || len(other.TokenRequests()) > 0 {
		t.Error("it was shown")
	}
	w.passes("echo") // the sign-in that there is goes on

	changed := w.target
	changed.Auth = &domain.Auth{ClientID: "another", Secrets: secrets(domain.SecretClient, "other")}
	w.client.account(changed).challengedBy(w.client.account(w.target).wanted)
	if begun, err := w.client.Begin(w.ctx(), changed, BeginOptions{}); err != nil {
		t.Errorf("another client ID: %v", err)
	} else {
		begun.Cancel()
	}

	if err := w.client.Forget(w.ctx(), w.target); err != nil {
		t.Fatal(err)
	}
	if _, err := w.client.Begin(w.ctx(), w.target, BeginOptions{}); err != nil {
		t.Errorf("after signing out: %v", err)
	}
}

func TestWhatAProgramShowsIsShownToNoOtherIssuer(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	us := w.server.AddClient(oauthtest.Client{AuthMethod: methodBasic})
	w.target.Auth = &domain.Auth{Grant: domain.ClientCredentials, ClientID: us.ID, Secrets: secrets(domain.SecretClient, us.Secret)}
	w.passes("echo")
	other := w.moved()
	err := w.client.Obtain(w.ctx(), w.target)
	wantError(t, err, domain.CodeSignInRefused, "reason", "issuer_changed")
	if len(other.TokenRequests()) > 0 {
		t.Error("it was shown")
	}
	w.passes("echo")
}

func TestARegistrationIsMadeAtEachIssuer(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	w.road()
	other := w.moved()
	begun := w.begin()
	if begun.Issuer != other.Issuer() || len(other.Registrations()) != 1 || len(w.server.Registrations()) != 1 {
		t.Errorf("at %s, registrations %v", begun.Issuer, other.Registrations())
	}
}
