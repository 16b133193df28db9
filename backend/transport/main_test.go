package transport

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestMain(m *testing.M) {
	mcptest.ServeIfAsked()
	holdIfAsked()
	goleak.VerifyTestMain(m)
}

// patience bounds every wait for something that must happen.
const patience = 60 * time.Second

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func testLogger() *slog.Logger { return slog.New(slog.DiscardHandler) }

func testOptions() Options {
	return Options{Environ: os.Environ(), Log: NewLog(nil, nil), Traffic: NewTraffic(nil)}
}

func dial(t *testing.T, d domain.Definition, o Options) *Link {
	t.Helper()
	l, err := Dial(within(t), "fake", d, o, nil)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func initialize(t *testing.T, l *Link) json.RawMessage {
	t.Helper()
	params := json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}`)
	result, err := l.Request(within(t), "initialize", params)
	if err != nil {
		t.Fatalf("initialize: %v", err)
	}
	l.SetProtocolVersion("2025-11-25")
	if err := l.Notify(within(t), "notifications/initialized", nil); err != nil {
		t.Fatalf("initialized: %v", err)
	}
	return result
}

// callText calls a tool and returns the text of its answer.
func callText(t *testing.T, l *Link, params string) string {
	t.Helper()
	raw, err := l.Request(within(t), "tools/call", json.RawMessage(params))
	if err != nil {
		t.Fatalf("call %s: %v", params, err)
	}
	var result struct {
		Content []struct{ Text string } `json:"content"`
	}
	if err := json.Unmarshal(raw, &result); err != nil || len(result.Content) == 0 {
		t.Fatalf("call %s: got %s", params, raw)
	}
	return result.Content[0].Text
}

func wantCode(t *testing.T, err error, code domain.Code) *domain.Error {
	t.Helper()
	e := domain.AsError(err)
	if e == nil || e.Code != code {
		t.Fatalf("got %#v, want code %s", e, code)
	}
	return e
}
