package oauth

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestTheNextOwnerGoesOnWhereOneWasKilledInARefresh(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	now := make(chan time.Time)
	close(now)
	owner := w.options
	owner.After = func(time.Duration) <-chan time.Time { return now } // it has no time to end anything
	const expiries = 5
	for range expiries {
		w.clock.pass(2 * time.Hour)
		w.server.SetOptions(func(o *oauthtest.Options) { o.TokenDelay = patience })
		before := len(w.server.TokenRequests())
		first := New(owner)
		left := make(chan error, 1)
		go func() {
			_, _, err := first.Token(w.ctx(), w.target)
			left <- err
		}()
		w.await(func() bool { return len(w.server.TokenRequests()) > before })
		first.Close()
		if err := <-left; err == nil {
			t.Fatal("the refresh ended")
		}
		w.server.SetOptions(func(o *oauthtest.Options) { o.TokenDelay = 0 })
		second := New(w.options)
		got := w.callBy(second, "echo")
		second.Close()
		if got.err != nil || got.status != http.StatusOK {
			t.Fatalf("%d %v", got.status, got.err)
		}
	}
	if w.server.RevokedFamilies() != 0 || w.server.Refreshes() > expiries+1 || len(w.server.Authorizations()) != 1 {
		t.Errorf("%d families revoked, %d refreshes, %d sign-ins", w.server.RevokedFamilies(), w.server.Refreshes(), len(w.server.Authorizations()))
	}
}

func TestClosingLetsARefreshEnd(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{Rotate: true}, over(y))
	w.road()
	before := w.kept()
	w.clock.pass(2 * time.Hour)
	letPass := y.hold()
	left := make(chan error, 1)
	go func() {
		_, _, err := w.client.Token(w.ctx(), w.target)
		left <- err
	}()
	<-y.arrived
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		w.client.Close()
	}()
	letPass()
	<-closed
	if err := <-left; err != nil || w.kept().Refresh == before.Refresh {
		t.Errorf("%v, what the server gave is lost", err)
	}
	w.clock.pass(2 * time.Hour)
	if _, _, err := w.client.Token(w.ctx(), w.target); err == nil {
		t.Error("a client that is closed asks for tokens")
	}
}

func TestSigningOutEndsARefreshThatRuns(t *testing.T) {
	for name, forget := range map[string]func(*world) error{
		"sign out":          func(w *world) error { return w.client.Forget(w.ctx(), w.target) },
		"remove the server": func(w *world) error { return w.client.ForgetServer("fake") },
	} {
		t.Run(name, func(t *testing.T) {
			y := newWay()
			w := newWorld(t, oauthtest.Options{NoRevocation: true}, over(y))
			w.road()
			w.clock.pass(2 * time.Hour)
			letPass := y.hold()
			done := make(chan error, 1)
			go func() {
				_, _, err := w.client.Token(w.ctx(), w.target)
				done <- err
			}()
			<-y.arrived
			if err := forget(w); err != nil {
				t.Fatal(err)
			}
			letPass()
			wantError(t, <-done, domain.CodeSignInNeeded)
			if names, _ := w.store.Names("token/"); len(names) > 0 {
				t.Errorf("it came back: %v", names)
			}
			w.refused("echo", http.StatusUnauthorized)
		})
	}
}

func TestWhatARefreshBringsAfterASignOutIsRevoked(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{}, over(y))
	w.road()
	w.clock.pass(2 * time.Hour)
	letPass := y.hold()
	var all sync.WaitGroup
	all.Go(func() {
		if _, _, err := w.client.Token(w.ctx(), w.target); domain.CodeOf(err) != domain.CodeSignInNeeded {
			t.Error(err)
		}
	})
	<-y.arrived
	ctx, leave := context.WithCancel(w.ctx())
	all.Go(func() {
		if err := w.client.Forget(ctx, w.target); err != nil {
			t.Error(err)
		}
	})
	<-y.arrived // to revoke what there was, which does not come about
	leave()
	letPass()
	all.Wait()
	w.client.Close()
	var kinds []string
	for _, r := range w.server.Revocations() {
		kinds = append(kinds, r.Kind)
	}
	if w.server.Refreshes() != 1 || !slices.Equal(kinds, []string{"refresh_token", "access_token"}) {
		t.Errorf("%d refreshes, revoked %v", w.server.Refreshes(), kinds)
	}
}

func TestSigningOutEndsASignInThatWaits(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	w.road()
	begun := w.begin()
	answer, err := oauthtest.Browse(w.ctx(), w.browser, begun.AuthorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.client.Forget(w.ctx(), w.target); err != nil {
		t.Fatal(err)
	}
	wantError(t, w.end(begun), domain.CodeSignInEnded, "reason", "canceled")
	_, err = w.client.Finish(w.ctx(), answer)
	wantError(t, err, domain.CodeUnknownItem)
	w.refused("echo", http.StatusUnauthorized)
}

func TestASignInOvertakesARefreshThatRuns(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{RequiredScopes: []string{"mcp"}}, over(y))
	w.road()
	w.clock.pass(2 * time.Hour)
	letPass := y.hold()
	done := make(chan string, 1)
	go func() {
		token, _, _ := w.client.Token(w.ctx(), w.target)
		done <- token
	}()
	<-y.arrived
	fresh := w.kept()
	fresh.Access, fresh.Refresh = "of the new sign-in", "its refresh token"
	if err := w.client.account(w.target).adopt(&flow{}, fresh, nil, nil, false); err != nil {
		t.Fatal(err)
	}
	letPass()
	if token := <-done; token != fresh.Access || w.kept().Access != fresh.Access {
		t.Errorf("used %q, kept %q", token, w.kept().Access)
	}
}

func TestSigningOutHoldsForOtherDefinitionsToo(t *testing.T) {
	w := newWorld(t, oauthtest.Options{DPoP: oauthtest.DPoPAllowed})
	w.road()
	earlier := w.target
	w.target.Auth = &domain.Auth{DPoP: true}
	w.road()
	if err := w.client.Forget(w.ctx(), w.target); err != nil {
		t.Fatal(err)
	}
	w.target = earlier
	w.refused("echo", http.StatusUnauthorized)
	if names, _ := w.store.Names("token/"); len(names) > 0 {
		t.Errorf("left %v", names)
	}
}
