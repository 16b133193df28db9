package servers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/servers"
)

// A server that will not have our metadata document sends the person on, to be asked as a client that it registered: both
// answers are to the one sign-in.
func TestASignInIsAnsweredByHandWhenItTakesTwoAttempts(t *testing.T) {
	b := newBench(t)
	provider := oauthtest.New(t, oauthtest.Options{
		Auto: true, RefuseCIMD: true, Fetch: func(_ context.Context, address string) ([]byte, error) { return oauth.ClientMetadata(address) },
	})
	guarded := httptest.NewServer(provider.Guard(http.NotFoundHandler()))
	t.Cleanup(guarded.Close)
	d := domain.Definition{Name: "guarded", Transport: domain.StreamableHTTP, URL: guarded.URL + "/mcp"}
	begun, err := b.BeginSignIn(t.Context(), servers.SignInWish{Definition: &d, RedirectURI: oauth.DocumentRedirectURIs()[0]})
	if err != nil {
		t.Fatal(err)
	}
	answer := func(address string) servers.SignIn {
		t.Helper()
		ended, err := oauthtest.Browse(t.Context(), nil, address)
		if err != nil {
			t.Fatal(err)
		}
		now, err := b.AnswerSignIn(t.Context(), begun.ID, ended.String())
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	second := answer(begun.AuthorizeURL)
	if !second.Running || second.ID != begun.ID || second.AuthorizeURL == begun.AuthorizeURL {
		t.Fatalf("after the first answer %+v", second)
	}
	if now, err := b.SignIn(t.Context(), begun.ID, 0); err != nil || now.AuthorizeURL != second.AuthorizeURL {
		t.Errorf("%v: it shows %s, not the address to open now", err, now.AuthorizeURL)
	}
	if now := answer(second.AuthorizeURL); now.Running || now.Error != nil {
		t.Errorf("after the second answer %+v", now)
	}
	if now, err := b.SignIn(t.Context(), begun.ID, 0); err != nil || now.Running || now.Error != nil {
		t.Errorf("%v: at the end %+v", err, now)
	}
}

// signedIn adds a server that a program signs in to by itself, switched off, and signs in to it.
func (b *bench) signedIn(t *testing.T, name string) {
	t.Helper()
	provider := oauthtest.New(t, oauthtest.Options{})
	guarded := httptest.NewServer(provider.Guard(http.NotFoundHandler()))
	t.Cleanup(guarded.Close)
	us := provider.AddClient(oauthtest.Client{AuthMethod: "client_secret_basic"})
	d := domain.Definition{Name: name, Transport: domain.StreamableHTTP, URL: guarded.URL + "/mcp", Auth: &domain.Auth{
		Type:  domain.AuthOAuth,
		Grant: domain.ClientCredentials, ClientID: us.ID, Secrets: []domain.Variable{{Name: domain.SecretClient, Value: us.Secret, Secret: true}},
	}}
	if _, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.BeginSignIn(t.Context(), servers.SignInWish{Server: name}); err != nil {
		t.Fatal(err)
	}
}

func TestTokensGoWithTheirServersAndWithDraftsThatWereNeverSaved(t *testing.T) {
	b := newBench(t)
	tokens := b.vault.Kept()
	for _, id := range []string{"removed", "draft"} {
		if err := tokens.Put("token/"+id+"/bG9jYWw/bG9jYWw/x", "{}"); err != nil {
			t.Fatal(err)
		}
	}
	b.signedIn(t, "stays")
	b.add(t, fake("removed"))
	if err := b.Remove(t.Context(), "removed"); err != nil {
		t.Fatal(err)
	}
	emptied := func(when string, want map[string]bool) {
		t.Helper()
		if err := b.EmptyTrash(); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"stays", "removed", "draft"} {
			names, err := tokens.Names("token/" + id + "/")
			if got := len(names) > 0; err != nil || got != want[id] {
				t.Errorf("%s the token of %s is kept: %v %v", when, id, got, err)
			}
		}
	}
	emptied("at first", map[string]bool{"stays": true, "removed": true, "draft": true})
	b.now = time.Now().Add(25 * time.Hour) // the store has its own clock
	emptied("a day later", map[string]bool{"stays": true, "draft": true})
	b.now = b.now.AddDate(0, 1, 0)
	emptied("a month later", map[string]bool{"stays": true})
	b.now = b.now.AddDate(0, 2, 0)
	emptied("at the end", map[string]bool{"stays": true})
}
