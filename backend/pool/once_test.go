package pool

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// A server that took a call and then restarted has perhaps run it: it must not be asked again.
func TestCallThatBeganIsNotSentAgainAfterARestart(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.NoListen}})
	var calls atomic.Int32
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch {
		case bytes.Contains(body, []byte(`"tools/call"`)):
			calls.Add(1)
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "id: begun\nretry: 10\ndata:\n\n")
			fake.Forget()
		case r.Header.Get("Last-Event-Id") != "":
			http.NotFound(w, r)
		default:
			fake.ServeHTTP(w, r)
		}
	}))))
	_, err := p.Call(mcptest.Within(t), toolCall("one", "echo", ""))
	wantCode(t, err, domain.CodeConnClosed)
	if domain.Unsent(err) || calls.Load() != 1 {
		t.Errorf("%v, the tool ran %d times", err, calls.Load())
	}
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
}
