package mcptest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// patience bounds every wait for something that must happen.
const patience = 60 * time.Second

// Within gives a context that outlasts everything that must happen in a test.
func Within(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	tb.Cleanup(cancel)
	return ctx
}

// Eventually waits for a condition that other goroutines or processes bring about.
func Eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	ctx := Within(tb)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			tb.Fatalf("never: %s", what)
		}
	}
}

// Serve starts a handler for the time of the test and describes it as a server.
func Serve(tb testing.TB, transport domain.Transport, handler http.Handler) domain.Definition {
	tb.Helper()
	server := httptest.NewServer(handler)
	tb.Cleanup(func() {
		server.CloseClientConnections() // those that listen would hold it up
		server.Close()
	})
	return domain.Definition{Name: "fake", Transport: transport, URL: server.URL + "/mcp"}
}

// EachTransport runs a test against the same fake server over all three transports.
func EachTransport(t *testing.T, o Options, test func(t *testing.T, d domain.Definition)) {
	t.Helper()
	t.Run("stdio", func(t *testing.T) { test(t, Command(o)) })
	t.Run("streamable_http", func(t *testing.T) { test(t, Serve(t, domain.StreamableHTTP, NewHTTP(o))) })
	t.Run("sse", func(t *testing.T) { test(t, Serve(t, domain.SSE, NewSSE(o))) })
}

// Text gives the first text of the result of a tools/call.
func Text(t *testing.T, result json.RawMessage) string {
	t.Helper()
	var read struct {
		Content []struct{ Text string } `json:"content"`
	}
	if err := json.Unmarshal(result, &read); err != nil || len(read.Content) == 0 {
		t.Fatalf("result %s", result)
	}
	return read.Content[0].Text
}
