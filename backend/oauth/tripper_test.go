package oauth

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestATokenThatIsRefusedEarlyIsRenewedOnceAndTheRequestSentAgain(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	w.server.Expire()
	w.passes("echo") // which compares the body
	if w.server.Refreshes() != 1 {
		t.Errorf("%d refreshes", w.server.Refreshes())
	}
}

func TestAServerThatTakesNoTokenIsNotGivenOneAfterTheOther(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true})
	w.road()
	w.server.SetOptions(func(o *oauthtest.Options) { o.RefuseTokens = true })
	for range 5 {
		w.refused("echo", http.StatusUnauthorized)
	}
	if n := w.server.Refreshes(); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	w.server.SetOptions(func(o *oauthtest.Options) { o.RefuseTokens = false })
	w.passes("echo")
	w.server.Expire()
	w.passes("echo")
}

func TestTheTokenGoesToNoOtherServer(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	w.road()
	shown := len(w.server.Presented())
	for _, address := range []string{strings.Replace(w.target.URL, "127.0.0.1", "localhost", 1), w.server.URL() + "/mcp"} {
		r, err := http.NewRequestWithContext(w.ctx(), http.MethodPost, address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		var sent http.Header
		next := tripFunc(func(r *http.Request) (*http.Response, error) {
			sent = r.Header
			return nil, errors.New("enough")
		})
		_, _ = w.client.Transport(w.target, next).RoundTrip(r)
		if sent.Get("Authorization") != "" {
			t.Errorf("%s gets %v", address, sent)
		}
	}
	if len(w.server.Presented()) != shown {
		t.Error("it was shown")
	}
}

type tripFunc func(*http.Request) (*http.Response, error)

func (f tripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAServerThatRefusesATokenWhileNoNewOneCanBeAskedForDoesNotEndTheSignIn(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{Rotate: true}, over(y))
	w.road()
	w.server.Expire()
	y.setCut(true)
	for range 2 {
		wantError(t, w.call("echo").err, domain.CodeSignInUnreachable)
	}
	w.clock.pass(2 * time.Hour)
	if err := w.call("echo").err; domain.CodeOf(err) != domain.CodeSignInUnreachable || !domain.Unsent(err) {
		t.Errorf("a call that lacks its token: unsent %v, %v", domain.Unsent(err), err)
	}
	y.setCut(false)
	w.clock.pass(pauseAfterFailure)
	w.passes("echo")
}
