package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestATokenIsRenewedShortlyBeforeItsEnd(t *testing.T) {
	for life, early := range map[time.Duration]time.Duration{
		time.Hour: 5 * time.Minute, 24 * time.Hour: 5 * time.Minute, 25 * time.Minute: 5 * time.Minute, 10 * time.Minute: 2 * time.Minute, time.Minute: 12 * time.Second,
	} {
		t.Run(life.String(), func(t *testing.T) {
			w := newWorld(t, oauthtest.Options{Lifetime: life, Rotate: true})
			w.road()
			w.clock.pass(life - early - time.Second)
			w.passes("echo")
			if n := w.server.Refreshes(); n != 0 {
				t.Fatalf("%d refreshes with more than %s left", n, early)
			}
			w.clock.pass(time.Second)
			w.passes("echo")
			w.passes("echo")
			if n := w.server.Refreshes(); n != 1 {
				t.Fatalf("%d refreshes with %s left", n, early)
			}
		})
	}
}

func TestATokenGrowsOldWhileTheComputerSleeps(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	w.road()
	kept, _, err := w.client.account(w.target).peek()
	if err != nil || kept.Expires.IsZero() {
		t.Fatalf("%v, ends %s", err, kept.Expires)
	}
	// What else a time of this process holds stands still in that sleep, and would be compared instead of the time of day.
	for what, at := range map[string]time.Time{"obtained": kept.Obtained, "ends": kept.Expires, "to be renewed": kept.renewAt()} {
		if at != at.Round(0) {
			t.Errorf("%s at %s", what, at)
		}
	}
}

func TestManyRequestsWaitForOneRefresh(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{Rotate: true}, over(y))
	w.road()
	w.clock.pass(2 * time.Hour)
	letPass := y.hold()
	var all sync.WaitGroup
	results := make(chan called, 20)
	for range cap(results) {
		all.Go(func() { results <- w.call("echo") })
	}
	<-y.arrived
	letPass()
	all.Wait()
	close(results)
	for got := range results {
		if got.err != nil || got.status != http.StatusOK {
			t.Errorf("%d %v", got.status, got.err)
		}
	}
	if w.server.Refreshes() != 1 || w.server.RevokedFamilies() != 0 {
		t.Errorf("%d refreshes, %d families revoked", w.server.Refreshes(), w.server.RevokedFamilies())
	}
}

func TestWithoutNetworkTheTokenLivesToItsEnd(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{Rotate: true}, over(y))
	w.road()
	y.setCut(true)
	w.clock.pass(58 * time.Minute)
	w.passes("echo")
	before := y.dialed()
	w.passes("echo")
	if y.dialed() != before {
		t.Error("it is asked again at once")
	}
	w.clock.pass(5 * time.Minute)
	got := w.call("echo")
	wantError(t, got.err, domain.CodeSignInUnreachable)
	if kept := w.kept(); kept.Refused || kept.Refresh == "" {
		t.Error("the sign-in is lost")
	}
	y.setCut(false)
	w.clock.pass(pauseAfterFailure)
	w.passes("echo")
	if w.server.Refreshes() != 1 {
		t.Errorf("%d refreshes", w.server.Refreshes())
	}
}

func TestASlowRefreshHoldsNobodyUpWhileTheTokenIsGood(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{Rotate: true}, over(y), func(w *world) {
		w.options.After = func(d time.Duration) <-chan time.Time {
			if d != renewalPatience {
				return nil
			}
			now := make(chan time.Time)
			close(now)
			return now
		}
	})
	w.road()
	before := w.kept()
	w.clock.pass(57 * time.Minute)
	letPass := y.hold()
	w.passes("echo")
	<-y.arrived
	w.passes("echo")
	letPass()
	w.await(func() bool { return w.kept().Refresh != before.Refresh })
	w.passes("echo")
	if w.server.Refreshes() != 1 {
		t.Errorf("%d refreshes", w.server.Refreshes())
	}
}

func TestARotatedTokenIsStoredBeforeItIsUsed(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	shown := len(w.server.Presented())
	var tooEarly bool
	w.store.failWith(func(string) error {
		tooEarly = tooEarly || len(w.server.Presented()) != shown
		return nil
	})
	w.clock.pass(2 * time.Hour)
	w.passes("echo")
	all := w.server.Presented()
	if tooEarly || len(all) != shown+1 || !strings.Contains(w.store.values[w.target.key()], all[shown].Token) {
		t.Errorf("shown %d tokens, too early: %v", len(all)-shown, tooEarly)
	}
}

func TestATokenThatCannotBeStoredIsNotLost(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	w.store.failWith(func(string) error { return errors.New("the disk is full") })
	w.clock.pass(57 * time.Minute)
	w.passes("echo") // with the old one
	w.clock.pass(time.Hour)
	if got := w.call("echo"); got.err == nil || !strings.Contains(got.err.Error(), "the disk is full") {
		t.Fatalf("%d %v", got.status, got.err)
	}
	w.store.failWith(nil)
	w.clock.pass(pauseAfterFailure)
	w.passes("echo")
	if w.server.RevokedFamilies() != 0 {
		t.Error("a token was used twice")
	}
}

func TestARefreshTokenThatIsWorthNothingAsksForASignIn(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	w.server.RevokeAll()
	w.clock.pass(2 * time.Hour)
	for range 3 {
		w.refused("echo", http.StatusUnauthorized)
		w.clock.pass(2 * time.Hour)
	}
	if !w.kept().Refused {
		t.Error("what is kept does not say so")
	}
	asked := 0
	for _, r := range w.server.TokenRequests() {
		if r.GrantType == "refresh_token" {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("%d refreshes were tried", asked)
	}
	if _, ok, _ := w.client.SignedIn(w.target); ok {
		t.Error("signed in")
	}
	_, _, err := w.client.Token(w.ctx(), w.target)
	wantError(t, err, domain.CodeSignInNeeded, "server", "fake")
	if !domain.Unsent(err) {
		t.Error("the call counts as sent")
	}
	w.signIn()
	w.passes("echo")
}

func TestARefusalCountsForNoLaterSignIn(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	w.server.RevokeAll()
	w.refused("echo", http.StatusUnauthorized)
	w.signIn()
	w.server.Expire()
	w.passes("echo")
}

func TestASupersededTokenNeverDeletesItsSuccessor(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	old := credential{Access: "old access", Refresh: "old refresh", Obtained: w.clock.Now(), Expires: w.clock.Now().Add(time.Hour)}
	successor := old
	successor.Access, successor.Refresh, successor.Expires = "new access", "new refresh", w.clock.Now().Add(9*time.Hour)
	endpoint := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.FormValue("refresh_token") != "old refresh" {
			t.Errorf("asked with %q", r.FormValue("refresh_token"))
		}
		_ = write(w.store, w.target.key(), successor) // another owner was faster
		rw.WriteHeader(http.StatusBadRequest)
		_, _ = rw.Write([]byte(`{"error":"invalid_grant"}`))
	}))
	defer endpoint.Close()
	old.Server = serverMetadata{Issuer: endpoint.URL, TokenEndpoint: endpoint.URL}
	if err := write(w.store, w.target.key(), old); err != nil {
		t.Fatal(err)
	}
	w.clock.pass(2 * time.Hour)
	token, _, err := w.client.Token(w.ctx(), w.target)
	if err != nil || token != "new access" || w.kept().Refresh != "new refresh" || w.kept().Refused {
		t.Errorf("token %q, %v", token, err)
	}
}

func TestWhatAnotherProcessStoredIsUsedInsteadOfARefresh(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	other := New(w.options)
	defer other.Close()
	if got := w.callBy(other, "echo"); got.status != http.StatusOK {
		t.Fatalf("%d %v", got.status, got.err)
	}
	for range 4 { // each knows the token of the other's last turn
		w.clock.pass(2 * time.Hour)
		w.passes("echo")
		if got := w.callBy(other, "echo"); got.status != http.StatusOK {
			t.Fatalf("%d %v", got.status, got.err)
		}
	}
	if w.server.RevokedFamilies() != 0 || w.server.Refreshes() != 4 {
		t.Errorf("%d families revoked, %d refreshes", w.server.RevokedFamilies(), w.server.Refreshes())
	}
}

func TestARefreshGoesOnWithoutItsCaller(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{Rotate: true}, over(y))
	w.road()
	before := w.kept()
	w.clock.pass(2 * time.Hour)
	letPass := y.hold()
	ctx, cancel := context.WithCancel(w.ctx())
	gone := make(chan error, 1)
	go func() {
		_, _, err := w.client.Token(ctx, w.target)
		gone <- err
	}()
	<-y.arrived
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Fatalf("the caller gets %v", err)
	}
	letPass()
	w.await(func() bool { return w.kept().Refresh != before.Refresh })
	w.passes("echo")
	if w.server.Refreshes() != 1 {
		t.Errorf("%d refreshes", w.server.Refreshes())
	}
}

func TestStoredTokensNeedNoNetwork(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	w.road()
	y := newWay()
	y.setCut(true)
	options := w.options
	options.Network.Dial = y.dial
	options.Network.Resolver = names{}
	later := New(options)
	defer later.Close()
	if got := w.callBy(later, "echo"); got.status != http.StatusOK || y.dialed() != 0 {
		t.Errorf("%d %v, %d connections", got.status, got.err, y.dialed())
	}
	summary, ok, err := later.SignedIn(w.target)
	if err != nil || !ok || summary.Issuer != w.server.Issuer() {
		t.Errorf("%+v %v %v", summary, ok, err)
	}
}

func TestATokenWithoutExpiryIsKeptUntilItIsRefused(t *testing.T) {
	w := newWorld(t, oauthtest.Options{NoExpiry: true, RefreshLess: true, Lifetime: 1000 * time.Hour})
	w.road()
	w.clock.pass(999 * time.Hour)
	w.passes("echo")
	if summary, ok, _ := w.client.SignedIn(w.target); !ok || !summary.Expires.IsZero() || summary.Renewable {
		t.Errorf("%+v %v", summary, ok)
	}
	w.server.Expire()
	w.refused("echo", http.StatusUnauthorized)
	if _, ok, _ := w.client.SignedIn(w.target); ok {
		t.Error("signed in though the token is refused")
	}
	w.signIn()
	if _, ok, _ := w.client.SignedIn(w.target); !ok {
		t.Error("not signed in")
	}
}

func TestARefreshShowsTheSecretThatIsConfiguredNow(t *testing.T) {
	w := newWorld(t, oauthtest.Options{NoRegistration: true})
	us := oauthtest.Client{ID: "us", Secret: "s3cret", AuthMethod: methodPost, RedirectURIs: []string{"http://127.0.0.1:" + w.options.CallbackPort() + "/callback"}}
	us.GrantTypes = []string{"authorization_code", "refresh_token"}
	w.server.SetOptions(func(o *oauthtest.Options) { o.AuthMethods = []string{methodPost} })
	for _, secret := range []string{"s3cret", "another"} {
		us.Secret = secret
		w.server.AddClient(us)
		w.target.Auth = &domain.Auth{ClientID: us.ID, Secrets: secrets(domain.SecretClient, secret)}
		if secret == "s3cret" {
			w.road()
		}
		w.clock.pass(2 * time.Hour)
		w.passes("echo")
	}
	if err := w.client.Forget(w.ctx(), w.target); err != nil {
		t.Fatal(err)
	}
	if n, revoked := len(w.server.Authorizations()), len(w.server.Revocations()); n != 1 || revoked != 2 {
		t.Errorf("%d sign-ins, %d tokens revoked", n, revoked)
	}
}
