package pool

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestMain(m *testing.M) {
	mcptest.ServeIfAsked()
	goleak.VerifyTestMain(m)
}

// quick makes the pauses of a pool short enough for a test.
var quick = Patience{
	FirstRestart: time.Millisecond, FirstRetry: time.Millisecond, Longest: 20 * time.Millisecond,
	Sustained: time.Minute, Quiet: time.Minute, Install: time.Minute, Settle: time.Millisecond,
	Told: 30 * time.Second,
}

func asIs(_ context.Context, s domain.Server) (domain.Definition, error) { return s.Definition, nil }

func newPool(tb testing.TB, change func(*Options)) *Pool {
	tb.Helper()
	o := Options{Expand: asIs, Environ: os.Environ(), Version: "test", Patience: quick}
	if change != nil {
		change(&o)
	}
	p := New(o)
	tb.Cleanup(func() {
		if err := p.Close(mcptest.Within(tb)); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	return p
}

func server(id string, d domain.Definition) domain.Server {
	return domain.Server{ID: id, Definition: d, Enabled: true}
}

// ensure wants a server and waits for what comes of it.
func ensure(tb testing.TB, p *Pool, s domain.Server) error {
	tb.Helper()
	p.Want(s)
	return p.Await(mcptest.Within(tb), s.ID)
}

// start brings up a server that must come up.
func start(tb testing.TB, p *Pool, s domain.Server) {
	tb.Helper()
	if err := ensure(tb, p, s); err != nil {
		tb.Fatal(err)
	}
}

func toolCall(server, name, params string) domain.Call {
	return domain.Call{Kind: domain.ToolCall, Server: server, Name: name, Params: json.RawMessage(params)}
}

// callText makes a call that must succeed and returns the text of its result.
func callText(t *testing.T, p *Pool, call domain.Call) string {
	t.Helper()
	result, err := p.Call(mcptest.Within(t), call)
	if err != nil {
		t.Fatalf("call %s: %v", call.Name, err)
	}
	return mcptest.Text(t, result.Raw)
}

func wantCode(t *testing.T, err error, code domain.Code) *domain.Error {
	t.Helper()
	if got := domain.CodeOf(err); got != code {
		t.Fatalf("got %v (%s), want code %s", err, got, code)
	}
	return domain.AsError(err)
}

// hold makes a call that ends only when it is cancelled, and returns once it is in flight.
func hold(t *testing.T, p *Pool, server string) (cancel context.CancelFunc, failed <-chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(mcptest.Within(t))
	t.Cleanup(cancel)
	ended := make(chan error, 1)
	before := p.Status(server).References
	go func() {
		_, err := p.Call(ctx, toolCall(server, "wait", ""))
		ended <- err
	}()
	mcptest.Eventually(t, "a call in flight", func() bool { return p.Status(server).References == before+1 })
	return cancel, ended
}

// serveLater reserves an address where nothing listens yet, and returns what makes a server listen there.
func serveLater(t *testing.T, handler http.Handler) (d domain.Definition, begin func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	return domain.Definition{Transport: domain.StreamableHTTP, URL: "http://" + address}, func() {
		t.Helper()
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		late := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler}}
		late.Start()
		t.Cleanup(func() {
			late.CloseClientConnections() // those that listen would hold it up
			late.Close()
		})
	}
}
