package pool

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
)

func TestForgottenSessionsAreRenewedUnderParallelCalls(t *testing.T) {
	fakes := []mcptest.Options{behaving(mcptest.Bad400), behaving(mcptest.Bad400JSON)}
	for _, revision := range withHandshake() {
		fakes = append(fakes, mcptest.Options{Revision: revision})
	}
	for _, o := range fakes {
		fake := mcptest.NewHTTP(o)
		p := newPool(t, nil)
		start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, fake)))
		fake.Forget()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				result, err := p.Call(mcptest.Within(t), toolCall("one", "echo", `{"name":"echo","arguments":{"message":"again"}}`))
				if err != nil || !strings.Contains(string(result.Raw), "again") {
					t.Errorf("after the server forgot us: %s, %v", result.Raw, err)
				}
			})
		}
		all.Wait()
	}
}

// withHandshake are the revisions that begin with one.
func withHandshake() []string {
	return slices.DeleteFunc(session.Revisions(), func(revision string) bool { return revision == session.Stateless })
}

func TestDroppedStreamComesBack(t *testing.T) {
	for _, revision := range withHandshake() {
		fake := mcptest.NewSSE(mcptest.Options{Revision: revision})
		p := newPool(t, nil)
		start(t, p, server("one", mcptest.Serve(t, domain.SSE, fake)))
		fake.Drop()
		if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"back"}}`)); got != "back" {
			t.Errorf("%s: echo = %q", revision, got)
		}
	}
}

func TestServerThatComesUpLaterIsFound(t *testing.T) {
	d, begin := serveLater(t, mcptest.NewHTTP(mcptest.Options{}))
	p := newPool(t, nil)
	err := ensure(t, p, server("one", d))
	wantCode(t, err, domain.CodeConnRefused)
	if !domain.Unsent(err) || p.Status("one").State != domain.StateStopped {
		t.Errorf("%v, %s", err, p.Status("one").State)
	}
	begin()
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
}

func TestSignInIsAStateOfItsOwn(t *testing.T) {
	var closed atomic.Bool
	open := mcptest.NewHTTP(mcptest.Options{})
	shut := mcptest.NewHTTP(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Unauthorized}})
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if closed.Load() {
			shut.ServeHTTP(w, r)
			return
		}
		open.ServeHTTP(w, r)
	}))
	p := newPool(t, nil)
	start(t, p, server("one", d))
	closed.Store(true)
	_, err := p.Call(mcptest.Within(t), toolCall("one", "echo", ""))
	wantCode(t, err, domain.CodeSignInNeeded)
	mcptest.Eventually(t, "needs sign-in", stateIs(p, "one", domain.StateNeedsSignIn))
	_, err = p.Call(mcptest.Within(t), toolCall("one", "echo", ""))
	wantCode(t, err, domain.CodeSignInNeeded)
	closed.Store(false)
	if err := p.Connect(mcptest.Within(t), "one"); err != nil {
		t.Errorf("after signing in: %v", err)
	}
}

// A call that wants more rights than the token has says nothing of the others: they go on over the same session.
func TestWantOfRightsEndsNoSession(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	var greetings atomic.Int32
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if bytes.Contains(body, []byte(`"method":"initialize"`)) {
			greetings.Add(1)
		}
		if bytes.Contains(body, []byte(`"name":"huge"`)) {
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="admin"`)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		fake.ServeHTTP(w, r)
	}))))
	before := greetings.Load()
	for range 2 {
		_, err := p.Call(mcptest.Within(t), toolCall("one", "huge", `{"name":"huge"}`))
		wantCode(t, err, domain.CodeMoreRights)
	}
	mcptest.Eventually(t, "degraded", stateIs(p, "one", domain.StateDegraded))
	if why := p.Status("one").Reason; why == nil || why.Code != domain.CodeMoreRights || why.Args["scopes"] != "admin" {
		t.Errorf("because of %+v", why)
	}
	callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"still here"}}`))
	callText(t, p, toolCall("one", "grow", `{"name":"grow"}`))
	mcptest.Eventually(t, "the new tool", func() bool { return p.Status("one").Tools == len(mcptest.Standing)+1 })
	if status := p.Status("one"); status.State != domain.StateDegraded || greetings.Load() != before {
		t.Errorf("%s, %d sessions more", status.State, greetings.Load()-before)
	}
	p.Restart("one") // as a sign-in does
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
}
