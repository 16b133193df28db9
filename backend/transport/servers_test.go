package transport

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// eachTransport runs a test against the same fake server over all three transports.
func eachTransport(t *testing.T, o mcptest.Options, test func(t *testing.T, d domain.Definition)) {
	t.Helper()
	t.Run("stdio", func(t *testing.T) { test(t, mcptest.Command(o)) })
	t.Run("streamable_http", func(t *testing.T) { test(t, served(t, domain.StreamableHTTP, mcptest.NewHTTP(o))) })
	t.Run("sse", func(t *testing.T) { test(t, served(t, domain.SSE, mcptest.NewSSE(o))) })
}

// served starts a handler and describes it as a server.
func served(t *testing.T, transport domain.Transport, handler http.Handler) domain.Definition {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections() // those that listen would hold it up
		server.Close()
	})
	return domain.Definition{Name: "fake", Transport: transport, URL: server.URL + "/mcp"}
}
