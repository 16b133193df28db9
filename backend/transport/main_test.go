package transport

import (
	"encoding/json"
	"log/slog"
	"os"
	"testing"

	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestMain(m *testing.M) {
	mcptest.ServeIfAsked()
	holdIfAsked()
	goleak.VerifyTestMain(m)
}

func testLogger() *slog.Logger { return slog.New(slog.DiscardHandler) }

func testOptions() Options {
	return Options{Environ: os.Environ(), Log: NewLog(nil, nil), Traffic: NewTraffic(nil)}
}

func dial(t *testing.T, d domain.Definition, o Options) *Link {
	t.Helper()
	l, err := Dial(mcptest.Within(t), "fake", d, o, nil)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func initialize(t *testing.T, l *Link) json.RawMessage {
	t.Helper()
	return initializeIn(t, l, "2025-11-25")
}

func initializeIn(t *testing.T, l *Link, revision string) json.RawMessage {
	t.Helper()
	params := json.RawMessage(`{"protocolVersion":"` + revision + `","capabilities":{},"clientInfo":{"name":"test","version":"0"}}`)
	result, err := l.Request(mcptest.Within(t), "initialize", params)
	if err != nil {
		t.Fatalf("initialize: %v", err)
	}
	l.SetProtocolVersion(revision)
	if err := l.Notify(mcptest.Within(t), "notifications/initialized", nil); err != nil {
		t.Fatalf("initialized: %v", err)
	}
	return result
}

// callText calls a tool and returns the text of its answer.
func callText(t *testing.T, l *Link, params string) string {
	t.Helper()
	raw, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(params))
	if err != nil {
		t.Fatalf("call %s: %v", params, err)
	}
	return mcptest.Text(t, raw)
}

func wantCode(t *testing.T, err error, code domain.Code) *domain.Error {
	t.Helper()
	e := domain.AsError(err)
	if e == nil || e.Code != code {
		t.Fatalf("got %#v, want code %s", e, code)
	}
	return e
}
