package servers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/servers"
)

const documentAddress = "https://client.example/metadata"

// protect has the bench know a server that wants a sign-in, switched off so that nobody else asks it, and gives a wish for a
// sign-in whose answer nobody listens for.
func (b *bench) protect(t *testing.T, o oauthtest.Options) (*oauthtest.Server, servers.SignInWish) {
	t.Helper()
	provider := oauthtest.New(t, o)
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
	d.Name = "vault"
	if _, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true}); err != nil {
		t.Fatal(err)
	}
	return provider, servers.SignInWish{Server: "vault", RedirectURI: oauth.DocumentRedirectURIs()[0]}
}

// Where the browser runs on another computer, the person carries the address of its last page over; with a server that does
// not take our document they do so twice.
func TestAnswerOfASignInThatGoesOn(t *testing.T) {
	b := newBench(t)
	_, wish := b.protect(t, oauthtest.Options{Auto: true, RefuseCIMD: true, Fetch: func(context.Context, string) ([]byte, error) {
		return oauth.ClientMetadata(documentAddress)
	}})
	begun, err := b.BeginSignIn(t.Context(), wish)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(address string) servers.SignIn {
		t.Helper()
		last, err := oauthtest.Browse(mcptest.Within(t), nil, address)
		if err != nil {
			t.Fatal(err)
		}
		now, err := b.AnswerSignIn(t.Context(), begun.ID, last.String())
		if err != nil || now.ID != begun.ID || now.Error != nil {
			t.Fatalf("the answer: %+v, %v", now, err)
		}
		return now
	}
	next := answer(begun.AuthorizeURL)
	if !next.Running || next.AuthorizeURL == begun.AuthorizeURL {
		t.Fatalf("after the first answer: %+v", next)
	}
	known, err := b.SignInOf("vault")
	if err != nil || known.Waiting == nil || known.Waiting.ID != begun.ID || known.Waiting.AuthorizeURL != next.AuthorizeURL {
		t.Errorf("known of it meanwhile: %+v, %v", known.Waiting, err)
	}
	if now, err := b.SignIn(t.Context(), begun.ID, 0); err != nil || now.AuthorizeURL != next.AuthorizeURL {
		t.Errorf("shown meanwhile: %+v, %v", now, err)
	}
	if last := answer(next.AuthorizeURL); last.Running {
		t.Errorf("after the second answer: %+v", last)
	}
	if known, err := b.SignInOf("vault"); err != nil || known.Signed == nil {
		t.Errorf("in the end: %+v, %v", known, err)
	}
}

// An agent tries again and again, several tools at once: the page that a person has open stays good.
func TestOffersOfASignInAreOne(t *testing.T) {
	b := newBench(t)
	provider, wish := b.protect(t, oauthtest.Options{Auto: true})
	var mu sync.Mutex
	offers, begun := map[string]int{}, 0
	offer := func() {
		offered, first, err := b.OfferSignIn(mcptest.Within(t), wish)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			t.Error(err)
		}
		offers[offered.AuthorizeURL]++
		if first {
			begun++
		}
	}
	var agents sync.WaitGroup
	for range 8 {
		agents.Go(offer)
	}
	agents.Wait()
	offer()
	if len(offers) != 1 || begun != 1 || len(provider.Registrations()) != 1 {
		t.Errorf("%d addresses, begun %d times, %d registrations", len(offers), begun, len(provider.Registrations()))
	}
}

func TestAnswerAtTheCallbackOfAnotherApp(t *testing.T) {
	b := newBench(t)
	_, wish := b.protect(t, oauthtest.Options{Auto: true})
	begun, err := b.BeginSignIn(t.Context(), wish)
	if err != nil {
		t.Fatal(err)
	}
	last, err := oauthtest.Browse(mcptest.Within(t), nil, begun.AuthorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	another := *last
	another.Path = "/api/apps/another/oauth/callback"
	if _, err := b.FinishSignIn(t.Context(), &another); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("at another app: %v", err)
	}
	if done, err := b.FinishSignIn(t.Context(), last); err != nil || done.Err != nil {
		t.Errorf("at its own: %v, %v", err, done.Err)
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

func TestSignInGoesWithItsServer(t *testing.T) {
	b := newBench(t)
	_, wish := b.protect(t, oauthtest.Options{Auto: true})
	begun, err := b.BeginSignIn(t.Context(), wish)
	if err == nil {
		err = b.Remove(t.Context(), "vault")
	}
	if err != nil {
		t.Fatal(err)
	}
	ended, err := b.SignIn(mcptest.Within(t), begun.ID, time.Minute)
	if err != nil || ended.Running || ended.Error == nil || ended.Error.Code != domain.CodeSignInEnded {
		t.Errorf("after its server was removed: %+v, %v", ended, err)
	}
}

func TestSignInOfADraftWithFaults(t *testing.T) {
	b := newBench(t)
	b.protect(t, oauthtest.Options{})
	for name, c := range map[string]struct {
		draft domain.Definition
		field string
	}{
		"no name":     {domain.Definition{Transport: domain.StreamableHTTP, URL: "https://x.example/mcp"}, "name"},
		"a name had":  {domain.Definition{Name: "vault", Transport: domain.StreamableHTTP, URL: "https://x.example/mcp"}, "name"},
		"no address":  {domain.Definition{Name: "x", Transport: domain.StreamableHTTP, URL: "foo"}, "url"},
		"no provider": {domain.Definition{Name: "x", Transport: domain.StreamableHTTP, URL: "https://x.example/mcp", Auth: &domain.Auth{Type: domain.AuthOAuth, Provider: "gogle"}}, "auth.provider"},
	} {
		_, err := b.BeginSignIn(t.Context(), servers.SignInWish{Definition: &c.draft})
		if e := domain.AsError(err); e == nil || e.Args["field"] != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
}
