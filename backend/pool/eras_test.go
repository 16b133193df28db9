package pool

import (
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
)

// eachEra runs a test over every revision and every transport that the revision has.
func eachEra(t *testing.T, test func(t *testing.T, p *Pool, revision string, d domain.Definition)) {
	t.Helper()
	for _, revision := range session.Revisions() {
		t.Run(revision, func(t *testing.T) {
			mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
				if revision == session.Stateless && d.Transport == domain.SSE {
					return // the revision has no such transport
				}
				p := newPool(t, nil)
				start(t, p, server("one", d))
				if got := p.Status("one").ProtocolVersion; got != revision {
					t.Fatalf("revision %s", got)
				}
				test(t, p, revision, d)
			})
		})
	}
}

// Every call asks for progress, whatever its caller asked for, and its caller hears it.
func TestProgressIsAskedForInEveryEra(t *testing.T) {
	eachEra(t, func(t *testing.T, p *Pool, _ string, _ domain.Definition) {
		t.Helper()
		var heard []string
		call := toolCall("one", "slow", `{"name":"slow","arguments":{"ms":4}}`)
		call.Sink = func(n domain.Notice) {
			if n.Kind == domain.NoticeProgress {
				heard = append(heard, string(n.Params))
			}
		}
		if got := callText(t, p, call); got != "done" {
			t.Errorf("slow = %q", got)
		}
		if len(heard) != 4 || !strings.Contains(heard[3], `"progress":4`) {
			t.Errorf("heard %q", heard)
		}
	})
}

// A server hears that nobody waits any more; over HTTP without sessions it sees that the answer's stream closes.
func TestCancelledCallIsToldInEveryEra(t *testing.T) {
	eachEra(t, func(t *testing.T, p *Pool, revision string, d domain.Definition) {
		t.Helper()
		cancel, failed := hold(t, p, "one")
		before := len(framesWith(p, "notifications/cancelled"))
		mcptest.Eventually(t, "it was sent", func() bool { return len(framesWith(p, `"tools/call"`)) > 0 })
		cancel()
		wantCode(t, <-failed, domain.CodeCanceled)
		if revision == session.Stateless && d.Transport == domain.StreamableHTTP {
			callText(t, p, toolCall("one", "echo", ""))
			if got := len(framesWith(p, "notifications/cancelled")); got != before {
				t.Errorf("%d notifications", got-before)
			}
			return
		}
		mcptest.Eventually(t, "the server heard of it", func() bool { return callText(t, p, toolCall("one", "cancelled", "")) != "" })
	})
}

// framesWith lists the frames of the traffic that hold a text.
func framesWith(p *Pool, part string) []string {
	frames, _ := p.Traffic("one", 0, 0)
	var found []string
	for _, f := range frames {
		if strings.Contains(f.Text, part) {
			found = append(found, f.Text)
		}
	}
	return found
}
