package pool

import (
	"errors"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestStartCallStatus(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{Name: "fake", Tools: 3, PageSize: 4}, func(t *testing.T, d domain.Definition) {
		p := newPool(t, nil)
		start(t, p, server("one", d))
		status := p.Status("one")
		want := len(mcptest.Standing) + 3
		if status.State != domain.StateReady || status.Tools != want || status.Resources != 2 || status.Prompts != 1 {
			t.Errorf("status %+v, want ready with %d tools", status, want)
		}
		if status.ProtocolVersion != "2025-11-25" || status.Info.Version != "1.2.3" || status.Instructions == "" {
			t.Errorf("status %+v", status)
		}
		if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"bonjour"}}`)); got != "bonjour" {
			t.Errorf("echo = %q", got)
		}
	})
}

func TestCrashFailsTheCallAndTheNextOneWorks(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{Text: "panic: out of memory"}, func(t *testing.T, d domain.Definition) {
		p := newPool(t, nil)
		start(t, p, server("one", d))
		_, err := p.Call(mcptest.Within(t), toolCall("one", "crash", `{"name":"crash"}`))
		if d.Transport == domain.Stdio {
			failure := wantCode(t, err, domain.CodeServerExited)
			if failure.Args["exit_code"] != "3" || !strings.Contains(failure.Proof, "out of memory") {
				t.Errorf("failure %+v", failure)
			}
		} else {
			wantCode(t, err, domain.CodeConnClosed)
		}
		if errors.Is(err, domain.ErrUnsent) {
			t.Error("a call that ran counts as not sent")
		}
		if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"again"}}`)); got != "again" {
			t.Errorf("echo = %q", got)
		}
	})
}

func TestFailedStartIsParkedWithItsReason(t *testing.T) {
	p := newPool(t, nil)
	p.Sync([]domain.Server{server("one", mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Die}, Text: "no config"}))})
	parked := func() bool {
		for _, line := range logTexts(p, "one") {
			if strings.Contains(line, "Not tried again") {
				return true
			}
		}
		return false
	}
	mcptest.Eventually(t, "parked", parked)
	status := p.Status("one")
	if status.State != domain.StateStopped || status.Reason.Code != domain.CodeServerExited || status.Reason.Proof != "no config" {
		t.Errorf("status %+v", status)
	}
	starts := 0
	for _, line := range logTexts(p, "one") {
		if strings.HasPrefix(line, "started ") {
			starts++
		}
	}
	if starts != maxSameFailures {
		t.Errorf("%d starts, want %d", starts, maxSameFailures)
	}
}

func logTexts(p *Pool, id string) []string {
	lines, _ := p.Logs(id, 0, 0)
	var texts []string
	for _, line := range lines {
		texts = append(texts, line.Text)
	}
	return texts
}

// A reader of a pool that is gone hears that the numbers began anew.
func TestLogsAndTrafficBeginAnewInTheNextPool(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Command(mcptest.Options{})))
	lines, next := p.Logs("one", 1_000_000, 0)
	frames, nextFrame := p.Traffic("one", 1_000_000, 0)
	if len(lines) == 0 || next != lines[len(lines)-1].Seq || len(frames) == 0 || nextFrame != frames[len(frames)-1].Seq {
		t.Errorf("%d lines up to %d, %d frames up to %d", len(lines), next, len(frames), nextFrame)
	}
	if lines, next := p.Logs("nobody", 1_000_000, 0); len(lines) != 0 || next != 0 {
		t.Errorf("%d lines of nobody, then from %d", len(lines), next)
	}
}
