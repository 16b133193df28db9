package pool

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// tampered is an HTTP server some of whose methods fail or tell of changes before they answer.
type tampered struct {
	http.Handler

	mu     sync.Mutex
	fails  map[string]bool
	tells  map[string]string // the notification before the answer to a method
	asked  map[string]int
	status int // of what fails; 0: a JSON-RPC error
}

func newTampered() *tampered {
	return &tampered{
		Handler: mcptest.NewHTTP(mcptest.Options{}), fails: map[string]bool{}, tells: map[string]string{}, asked: map[string]int{},
	}
}

func (h *tampered) change(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

func (h *tampered) count(method string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[method]
}

func (h *tampered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &m) // what is none has no method
	h.mu.Lock()
	h.asked[m.Method]++
	fails, tells, status := h.fails[m.Method], h.tells[m.Method], h.status
	h.mu.Unlock()
	switch {
	case fails && status != 0:
		w.WriteHeader(status)
	case fails:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no %s today"}}`, m.ID, m.Method)
	case tells != "":
		h.Handler.ServeHTTP(&foretelling{ResponseWriter: w, notification: tells}, r)
	default:
		h.Handler.ServeHTTP(w, r)
	}
}

// foretelling writes a notification as the first event of an answer.
type foretelling struct {
	http.ResponseWriter
	notification string
}

func (f *foretelling) WriteHeader(status int) {
	f.ResponseWriter.WriteHeader(status)
	fmt.Fprintf(f.ResponseWriter, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":%q}\n\n", f.notification)
}

func (f *foretelling) Unwrap() http.ResponseWriter { return f.ResponseWriter }

const resourcesChanged = "notifications/resources/list_changed"

// A list that is broken stays so until it is listed again, whatever becomes of the others.
func TestDegradedUntilNoListIsBroken(t *testing.T) {
	fake := newTampered()
	fake.fails["resources/list"], fake.fails["tools/list"] = true, true
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, fake)))
	status := p.Status("one")
	if status.State != domain.StateDegraded || status.Reason.Args["section"] != "tools" || !strings.Contains(reasons(status.Warnings), "resources") {
		t.Fatalf("%s because of %v, warnings %q", status.State, status.Reason, reasons(status.Warnings))
	}
	if status.Prompts != 1 {
		t.Errorf("%d prompts, want the one that could be listed", status.Prompts)
	}
	fake.change(func() { fake.fails["tools/list"] = false })
	callText(t, p, toolCall("one", "grow", `{"name":"grow"}`))
	mcptest.Eventually(t, "the tools", func() bool { return p.Status("one").Tools == len(mcptest.Standing)+1 })
	mcptest.Eventually(t, "what is still broken", func() bool { return p.Status("one").Reason.Args["section"] == "resources" })
	if status = p.Status("one"); status.State != domain.StateDegraded || len(status.Warnings) != 0 {
		t.Errorf("%s because of %v, warnings %q", status.State, status.Reason, reasons(status.Warnings))
	}
	fake.change(func() { fake.fails["resources/list"], fake.tells["tools/call"] = false, resourcesChanged })
	callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"mended"}}`))
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
	if status = p.Status("one"); status.Reason != nil || status.Resources != 2 {
		t.Errorf("reason %v, %d resources", status.Reason, status.Resources)
	}
}
