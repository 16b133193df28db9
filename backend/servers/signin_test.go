package servers_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/servers"
)

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
