package pool

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
)

// What servers make of a question that only new ones know, and the revision that is spoken in the end.
func TestEveryServerIsSpokenToAsItWants(t *testing.T) {
	tests := []struct {
		name  string
		fake  mcptest.Options
		stdio bool // of the standard streams only
		want  string
	}{
		{name: "stateless only", fake: mcptest.Options{Revision: session.Stateless}, want: session.Stateless},
		{name: "both", fake: mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Dual}}, want: session.Stateless},
		{name: "does not know the question", want: "2025-11-25"},
		{name: "answers anything with nothing", fake: mcptest.Options{Behave: []mcptest.Behaviour{mcptest.EmptyProbe}}, want: "2025-11-25"},
		{name: "old", fake: mcptest.Options{Revision: "2024-11-05"}, want: "2024-11-05"},
		{name: "never answers the question", fake: mcptest.Options{Behave: []mcptest.Behaviour{mcptest.SilentProbe}}, want: "2025-11-25"},
		{name: "ends when asked", fake: mcptest.Options{Behave: []mcptest.Behaviour{mcptest.DieOnProbe}}, stdio: true, want: "2025-11-25"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			servers := map[string]domain.Definition{"stdio": mcptest.Command(test.fake)}
			if !test.stdio {
				servers["http"] = mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(test.fake))
			}
			for transport, d := range servers {
				p := newPool(t, nil)
				start(t, p, server("one", d))
				if got := p.Status("one").ProtocolVersion; got != test.want {
					t.Errorf("%s: revision %s, want %s", transport, got, test.want)
				}
				echo := toolCall("one", "echo", `{"name":"echo","arguments":{"message":"bonjour"}}`)
				if got := callText(t, p, echo); got != "bonjour" {
					t.Errorf("%s: echo says %q", transport, got)
				}
				report := p.Probe(mcptest.Within(t), "one", d, nil)
				if !report.OK || report.ProtocolVersion != test.want || len(report.Steps) != 8 {
					t.Errorf("%s: test %+v", transport, report)
				}
			}
		})
	}
}

// Every request of the stateless revision says who asks, in its body and in its headers.
func TestStatelessRequestsSpeakForThemselves(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{Revision: session.Stateless})
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, fake)))
	meta := callText(t, p, toolCall("one", "meta", `{"name":"meta","arguments":{"message":"bonjour"}}`))
	for _, want := range []string{
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientInfo":{"name":"apollia-connexions"`,
		`"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}},"roots":{}}`, `"progressToken":"apollia-1"`, `"arguments":{"message":"bonjour"}`,
	} {
		if !strings.Contains(meta, want) {
			t.Errorf("params %s lack %s", meta, want)
		}
	}
	for _, h := range fake.Headers() {
		if h.Get("Mcp-Session-Id") != "" || h.Get("Mcp-Method") == "" {
			t.Errorf("headers %v", h)
		}
	}
}

// The headers of a server go with every request, and the revision that was agreed on with all after that.
func TestHeadersGoWithEveryRequestInEveryRevision(t *testing.T) {
	for _, transport := range []domain.Transport{domain.StreamableHTTP, domain.SSE} {
		for _, revision := range session.Revisions() {
			if revision == session.Stateless && transport == domain.SSE {
				continue // that transport has only the older revisions
			}
			t.Run(string(transport)+" "+revision, func(t *testing.T) {
				var mu sync.Mutex
				var seen []http.Header
				o := mcptest.Options{Revision: revision}
				var fake http.Handler = mcptest.NewHTTP(o)
				if transport == domain.SSE {
					fake = mcptest.NewSSE(o)
				}
				d := mcptest.Serve(t, transport, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					mu.Lock()
					seen = append(seen, r.Header.Clone())
					mu.Unlock()
					fake.ServeHTTP(w, r)
				}))
				d.Headers = []domain.Variable{{Name: "X-Key", Value: "hush-hush-42"}}
				p := newPool(t, nil)
				start(t, p, server("one", d))
				if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"bonjour"}}`)); got != "bonjour" {
					t.Errorf("echo says %q", got)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, h := range seen {
					if h.Get("X-Key") != "hush-hush-42" {
						t.Errorf("a request without the header: %v", h)
					}
				}
				if last := seen[len(seen)-1]; transport == domain.StreamableHTTP && last.Get("Mcp-Protocol-Version") != revision {
					t.Errorf("the call came in revision %q", last.Get("Mcp-Protocol-Version"))
				}
			})
		}
	}
}
