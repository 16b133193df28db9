package pool

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// olderServer is a server at one address that speaks SSE and answers POST as it is told, until it is updated.
type olderServer struct {
	refuse http.HandlerFunc // POST to the address itself
	sse    *mcptest.SSEServer

	mu      sync.Mutex
	updated http.Handler // answers everything once it is set
	asked   []string     // the methods of the requests to the address itself
}

func newOlder(refuse http.HandlerFunc) *olderServer {
	return &olderServer{refuse: refuse, sse: mcptest.NewSSE(mcptest.Options{})}
}

func refuseWith(status int, media, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}
}

func (o *olderServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	updated := o.updated
	if r.URL.Path != "/messages" {
		o.asked = append(o.asked, r.Method)
	}
	o.mu.Unlock()
	switch {
	case updated != nil:
		updated.ServeHTTP(w, r)
	case r.Method == http.MethodPost && r.URL.Path != "/messages":
		_, _ = io.Copy(io.Discard, r.Body)
		o.refuse(w, r)
	default:
		o.sse.ServeHTTP(w, r)
	}
}

func (o *olderServer) update(h http.Handler) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.updated = h
}

// takeAsked returns the methods of the requests since it was last called.
func (o *olderServer) takeAsked() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	asked := o.asked
	o.asked = nil
	return asked
}

func TestServerThatOnlySpeaksSSEIsReached(t *testing.T) {
	for _, status := range []int{400, 404, 405, 410, 415, 422} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			older := newOlder(refuseWith(status, "application/json", `{"detail":"no"}`))
			d := mcptest.Serve(t, domain.StreamableHTTP, older)
			p := newPool(t, nil)
			start(t, p, server("one", d))
			if got := p.Status("one"); got.TransportInUse != domain.SSE || got.ProtocolVersion != "2025-11-25" {
				t.Errorf("status %+v", got)
			}
			if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"bonjour"}}`)); got != "bonjour" {
				t.Errorf("echo = %q", got)
			}
			if asked := older.takeAsked(); !slices.Equal(asked, []string{"POST", "POST", "GET"}) {
				t.Errorf("it was asked by %v", asked)
			}
			report := p.Probe(mcptest.Within(t), "one", d, nil)
			if !report.OK || report.TransportInUse != domain.SSE || len(report.Steps) != len(domain.Steps(d.Transport)) {
				t.Errorf("test %+v", report)
			}
			for i, step := range report.Steps {
				if !step.OK || step.Name != domain.Steps(d.Transport)[i] {
					t.Errorf("step %d is %+v", i, step)
				}
			}
		})
	}
}

func TestWhatDoesNotSaySoIsNotTakenForSSE(t *testing.T) {
	const refusal = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"not licensed"}}`
	tests := []struct {
		name   string
		refuse http.HandlerFunc
		code   domain.Code
	}{
		{"401", refuseWith(401, "text/plain", "who are you?"), domain.CodeSignInNeeded},
		{"403", refuseWith(403, "text/plain", "not from here"), domain.CodeHTTPStatus},
		{"500", refuseWith(500, "text/plain", "out of order"), domain.CodeHTTPStatus},
		{"503", refuseWith(503, "text/plain", "later"), domain.CodeHTTPStatus},
		{"a page", refuseWith(200, "text/html", "<h1>Welcome</h1>"), domain.CodeHTML},
		{"a refusal in JSON-RPC", refuseWith(400, "application/json", refusal), domain.CodeProtocol},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			older := newOlder(test.refuse)
			p := newPool(t, nil)
			report := p.Probe(mcptest.Within(t), "one", mcptest.Serve(t, domain.StreamableHTTP, older), nil)
			if report.OK || report.Error.Code != test.code {
				t.Errorf("test %+v, error %+v", report, report.Error)
			}
			if asked := older.takeAsked(); slices.Contains(asked, "GET") {
				t.Errorf("it was asked by %v", asked)
			}
		})
	}
}

// Where there is no SSE either, the person hears of the transport of the definition; and of a sign-in where there is one.
func TestWhatIsNeitherKeepsItsOwnReason(t *testing.T) {
	tests := []struct {
		name string
		get  http.HandlerFunc
		code domain.Code
	}{
		{"nothing there", http.NotFound, domain.CodeHTTPStatus},
		{"a page", refuseWith(200, "text/html", "<h1>Welcome</h1>"), domain.CodeHTTPStatus},
		{"a sign-in", refuseWith(401, "text/plain", "who are you?"), domain.CodeSignInNeeded},
	}
	p := newPool(t, nil)
	for _, test := range tests {
		d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				test.get(w, r)
				return
			}
			http.Error(w, "POST is not for me", http.StatusMethodNotAllowed)
		}))
		report := p.Probe(mcptest.Within(t), "one", d, nil)
		if report.Error == nil || report.Error.Code != test.code {
			t.Fatalf("%s: %+v", test.name, report.Error)
		}
		last := report.Steps[len(report.Steps)-1]
		if last.Name != domain.StepHandshake || last.OK || test.code == domain.CodeHTTPStatus && report.Error.Args["status"] != "405" {
			t.Errorf("%s: last step %+v, error %+v", test.name, last, report.Error)
		}
	}
}

func TestSpokenTransportIsRememberedAndDoubted(t *testing.T) {
	older := newOlder(refuseWith(405, "text/plain", "Method Not Allowed"))
	one := server("one", mcptest.Serve(t, domain.StreamableHTTP, older))
	kept := &memory{offers: make(map[string]json.RawMessage)}
	remember := func(o *Options) { o.Offers = kept }
	start(t, newPool(t, remember), one)
	mcptest.Eventually(t, "kept", func() bool {
		raw, _, _ := kept.Offer("one")
		return strings.Contains(string(raw), `"sse":"`+one.StartDigest()+`"`)
	})
	older.takeAsked()

	next := newPool(t, remember)
	start(t, next, one)
	if asked := older.takeAsked(); !slices.Equal(asked, []string{"GET"}) {
		t.Errorf("although it is known, it was asked by %v", asked)
	}

	older.update(mcptest.NewHTTP(mcptest.Options{}))
	if err := next.Reconnect(mcptest.Within(t), "one"); err != nil {
		t.Fatalf("after it was updated: %v", err)
	}
	if got := next.Status("one").TransportInUse; got != domain.StreamableHTTP {
		t.Errorf("after it was updated it is reached by %s", got)
	}
	mcptest.Eventually(t, "kept anew", func() bool {
		raw, _, _ := kept.Offer("one")
		return !strings.Contains(string(raw), `"sse"`)
	})

	// Another address is another server.
	moved := one
	moved.URL += "?moved"
	if _, sse := (&slot{pool: next, asked: true, era: era{SSE: one.StartDigest()}}).knownEra(moved); sse {
		t.Error("what was learnt of one address counts for another")
	}
}
