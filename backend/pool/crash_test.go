package pool

import (
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// No call waits for the next start to hear that its server is gone: here there is none before somebody asks. And who calls
// next does not wait for the pause either.
func TestCrashFailsEveryCallInFlight(t *testing.T) {
	p := newPool(t, func(o *Options) { o.Patience.FirstRestart = time.Hour })
	start(t, p, server("one", mcptest.Command(mcptest.Options{Text: "panic: out of memory"})))
	const waiting = 4
	var failed []<-chan error
	for range waiting {
		_, ended := hold(t, p, "one")
		failed = append(failed, ended)
	}
	_, crash := p.Call(mcptest.Within(t), toolCall("one", "crash", ""))
	for i := range waiting + 1 {
		err := crash
		if i < waiting {
			err = <-failed[i]
		}
		if e := wantCode(t, err, domain.CodeServerExited); e.Proof != "panic: out of memory" || domain.Unsent(err) {
			t.Errorf("call %d: %+v", i, e)
		}
	}
	mcptest.Eventually(t, "the reason", func() bool {
		reason := p.Status("one").Reason
		return reason != nil && reason.Proof == "panic: out of memory"
	})
	if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"again"}}`)); got != "again" {
		t.Errorf("echo = %q", got)
	}
}

func TestLinesThatAreNoJSONRPCAreCounted(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("tidy", mcptest.Command(mcptest.Options{})))
	start(t, p, server("one", mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Banner}, Text: "listening"})))
	before := p.Status("one").StrayLines
	callText(t, p, toolCall("one", "echo", ""))
	mcptest.Eventually(t, "more lines", func() bool { return p.Status("one").StrayLines > before })
	if before < 2 || p.Status("tidy").StrayLines != 0 {
		t.Errorf("%d lines before the call, %d of a tidy server", before, p.Status("tidy").StrayLines)
	}
}

// Between two starts of a server that crashes again and again nothing is starting, and who connects it need not wait.
func TestAPersonDoesNotWaitForThePauseAfterACrash(t *testing.T) {
	p := newPool(t, func(o *Options) { o.Patience.FirstRetry, o.Patience.Longest = time.Hour, time.Hour })
	start(t, p, server("one", mcptest.Command(mcptest.Options{Text: "panic: out of memory"})))
	for range 2 {
		_, err := p.Call(mcptest.Within(t), toolCall("one", "crash", ""))
		wantCode(t, err, domain.CodeServerExited)
	}
	mcptest.Eventually(t, "stopped", stateIs(p, "one", domain.StateStopped))
	if reason := p.Status("one").Reason; reason == nil || reason.Proof != "panic: out of memory" {
		t.Errorf("stopped because of %+v", reason)
	}
	if err := p.Connect(mcptest.Within(t), "one"); err != nil {
		t.Fatal(err)
	}
	if status := p.Status("one"); status.State != domain.StateReady || status.Reason != nil {
		t.Errorf("%s because of %v", status.State, status.Reason)
	}
}
