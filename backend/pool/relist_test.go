package pool

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// tampered is an HTTP server some of whose methods fail or tell of changes before they answer.
type tampered struct {
	http.Handler

	mu     sync.Mutex
	fails  map[string]bool
	hangs  map[string]bool   // until the client leaves
	tells  map[string]string // the notification before the answer to a method
	asked  map[string]int
	status int // of what fails; 0: a JSON-RPC error
}

func newTampered() *tampered {
	return &tampered{
		Handler: mcptest.NewHTTP(mcptest.Options{}), fails: map[string]bool{}, hangs: map[string]bool{}, tells: map[string]string{}, asked: map[string]int{},
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
	fails, hangs, tells, status := h.fails[m.Method], h.hangs[m.Method], h.tells[m.Method], h.status
	h.mu.Unlock()
	switch {
	case hangs:
		<-r.Context().Done()
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

// A server that does not answer for one list is not asked for the next ones until it shows that it lives.
func TestAMuteServerIsNotAskedForEveryList(t *testing.T) {
	fake := newTampered()
	fake.hangs["tools/list"] = true
	d := mcptest.Serve(t, domain.StreamableHTTP, fake)
	d.TimeoutMS = 2000
	p := newPool(t, nil)
	start(t, p, server("one", d))
	status := p.Status("one")
	if status.State != domain.StateDegraded || status.Reason.Code != domain.CodeNoAnswer || len(status.Warnings) != 0 {
		t.Errorf("%s because of %v, warnings %q", status.State, status.Reason, reasons(status.Warnings))
	}
	if asked := fake.count("resources/list") + fake.count("prompts/list"); asked != 0 {
		t.Errorf("asked for %d more lists", asked)
	}
	fake.change(func() { clear(fake.hangs) })
	callText(t, p, toolCall("one", "grow", `{"name":"grow"}`))
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
	if status = p.Status("one"); status.Tools != len(mcptest.Standing)+1 || status.Resources != 2 || status.Prompts != 1 {
		t.Errorf("%d tools, %d resources, %d prompts", status.Tools, status.Resources, status.Prompts)
	}
}

// counting counts what is saved.
type counting struct {
	memory
	saved int
}

func (c *counting) SaveOffer(id string, offer json.RawMessage) error {
	err := c.memory.SaveOffer(id, offer)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saved++
	return err
}

// Some servers say that their tools changed whenever they are asked for them.
func TestAListThatIsSaidToChangeAndDoesNotIsNoChange(t *testing.T) {
	fake := newTampered()
	fake.tells["tools/list"] = "notifications/tools/list_changed"
	kept := &counting{memory: memory{offers: make(map[string]json.RawMessage)}}
	p := newPool(t, func(o *Options) { o.Offers = kept })
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, fake)))
	mcptest.Eventually(t, "more lists", func() bool { return fake.count("tools/list") > 5 })
	kept.mu.Lock()
	saved := kept.saved
	kept.mu.Unlock()
	if texts := strings.Join(logTexts(p, "one"), "\n"); strings.Contains(texts, "lists changed") || saved != 1 {
		t.Errorf("saved %d times, log:\n%s", saved, texts)
	}
	callText(t, p, toolCall("one", "grow", `{"name":"grow"}`))
	mcptest.Eventually(t, "the new tool", func() bool { return p.Status("one").Tools == len(mcptest.Standing)+1 })
	mcptest.Eventually(t, "the change in the log", func() bool {
		return strings.Contains(strings.Join(logTexts(p, "one"), "\n"), "lists changed: ")
	})
}

func TestSettleTimeGrowsWhileNothingChanges(t *testing.T) {
	p := Patience{Settle: 200 * time.Millisecond, Longest: time.Second}
	settle := p.Settle
	for _, test := range []struct {
		changed bool
		want    time.Duration
	}{{false, 400 * time.Millisecond}, {false, 800 * time.Millisecond}, {false, time.Second}, {false, time.Second}, {true, 200 * time.Millisecond}} {
		if settle = p.settle(settle, test.changed); settle != test.want {
			t.Errorf("after changed = %v: %v, want %v", test.changed, settle, test.want)
		}
	}
}

// The lists are asked for once the server tells of their changes, so that none need be asked for twice.
func TestAStatelessServerIsListedOnce(t *testing.T) {
	for _, transport := range []domain.Transport{domain.Stdio, domain.StreamableHTTP} {
		d := mcptest.Command(mcptest.Options{Revision: mcptest.Stateless})
		if transport == domain.StreamableHTTP {
			d = mcptest.Serve(t, transport, mcptest.NewHTTP(mcptest.Options{Revision: mcptest.Stateless}))
		}
		p := newPool(t, nil)
		start(t, p, server("one", d))
		callText(t, p, toolCall("one", "grow", `{"name":"grow"}`))
		mcptest.Eventually(t, "the new tool", func() bool { return p.Status("one").Tools == len(mcptest.Standing)+1 })
		lists := 0
		frames, _ := p.Traffic("one", 0, 0)
		for _, frame := range frames {
			if strings.Contains(frame.Text, `"method":"tools/list"`) {
				lists++
			}
		}
		if lists != 2 {
			t.Errorf("%s: %d lists of tools, want one at the start and one after the change", transport, lists)
		}
	}
}
