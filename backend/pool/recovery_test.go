package pool

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestForgottenSessionsAreRenewedUnderParallelCalls(t *testing.T) {
	for _, o := range []mcptest.Options{{}, behaving(mcptest.Bad400), behaving(mcptest.Bad400JSON)} {
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

func TestDroppedStreamComesBack(t *testing.T) {
	fake := mcptest.NewSSE(mcptest.Options{})
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Serve(t, domain.SSE, fake)))
	fake.Drop()
	if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"back"}}`)); got != "back" {
		t.Errorf("echo = %q", got)
	}
}

func TestServerThatComesUpLaterIsFound(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	p := newPool(t, nil)
	err = ensure(t, p, server("one", domain.Definition{Transport: domain.StreamableHTTP, URL: "http://" + address}))
	wantCode(t, err, domain.CodeConnRefused)
	if !domain.Unsent(err) || p.Status("one").State != domain.StateStopped {
		t.Errorf("%v, %s", err, p.Status("one").State)
	}
	listener, err = net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	late := &httptest.Server{Listener: listener, Config: &http.Server{Handler: mcptest.NewHTTP(mcptest.Options{})}}
	late.Start()
	t.Cleanup(late.Close)
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
	if err := p.Disconnect(mcptest.Within(t), "one"); err != nil { // before the server closes, which waits for the stream
		t.Fatal(err)
	}
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
