package session

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

// runTask calls the tool that goes on as a task, with how it is to end.
func runTask(ctx context.Context, s *Session, end string, sink func(domain.Notice)) (domain.Result, error) {
	tool := domain.Tool{Name: "task", Raw: json.RawMessage(`{"name":"task","execution":{"taskSupport":"required"}}`)}
	return s.Call(ctx, domain.Call{
		Kind: domain.ToolCall, Name: "task", Params: json.RawMessage(`{"name":"task","arguments":{"message":"` + end + `"}}`),
		Target: &domain.Target{Tool: &tool}, Sink: sink,
	})
}

func TestTasksOfBothShapesEndAsTheyEnd(t *testing.T) {
	tests := []struct {
		end, says string
		code      domain.Code
		failed    bool // the tool itself
	}{
		{end: "done", says: "done as a task"},
		{end: "fail", says: "it failed", failed: true},
		{end: "ask", says: "hello Ada"},
		{end: "broken", code: domain.CodeToolFailed},
	}
	who := &answers{by: map[string]string{MethodElicitation: `{"action":"accept","content":{"name":"Ada"}}`}}
	for _, revision := range []string{"2025-11-25", Stateless} {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == Stateless && d.Transport == domain.SSE {
				return
			}
			s := open(t, d, Options{ServerID: "one", Answerer: who, Handshake: d.Transport == domain.SSE})
			for _, test := range tests {
				var mu sync.Mutex
				looks := 0
				result, err := runTask(mcptest.Within(t), s, test.end, func(n domain.Notice) {
					mu.Lock()
					defer mu.Unlock()
					if n.Kind == domain.NoticeTask && strings.Contains(string(n.Params), `"taskId":"task-`) {
						looks++
					}
				})
				if domain.CodeOf(err) != test.code {
					t.Fatalf("%s %s over %s: %v", revision, test.end, d.Transport, err)
				}
				if err == nil && (mcptest.Text(t, result.Raw) != test.says || result.IsError() != test.failed) {
					t.Errorf("%s %s over %s: %s", revision, test.end, d.Transport, result.Raw)
				}
				mu.Lock()
				if looks < 3 {
					t.Errorf("%s %s over %s: the caller heard of %d looks", revision, test.end, d.Transport, looks)
				}
				mu.Unlock()
			}
		})
	}
}

// quickly lets no time pass between two looks at a task.
func quickly(time.Duration) <-chan time.Time {
	passed := make(chan time.Time, 1)
	passed <- time.Time{}
	return passed
}

// A server may show a question for a while after it was answered (SEP-2663): a person hears it once.
func TestATaskAsksEachQuestionOnce(t *testing.T) {
	who := &answers{by: map[string]string{MethodElicitation: `{"action":"accept","content":{"name":"Ada"}}`}}
	s := open(t, mcptest.Command(mcptest.Options{Revision: Stateless}), Options{Answerer: who})
	s.options.After = quickly
	result, err := runTask(mcptest.Within(t), s, "forgetful", nil)
	if err != nil || mcptest.Text(t, result.Raw) != "hello Ada" {
		t.Errorf("%s, %v", result.Raw, err)
	}
	if len(who.asked) != 1 {
		t.Errorf("asked %d times", len(who.asked))
	}
}

// A task that asks without end is given up, and ended.
func TestATaskAsksNotWithoutEnd(t *testing.T) {
	who := &answers{by: map[string]string{MethodElicitation: `{"action":"accept","content":{"name":"Ada"}}`}}
	s := open(t, mcptest.Command(mcptest.Options{Revision: Stateless}), Options{Answerer: who})
	s.options.After = quickly
	_, err := runTask(mcptest.Within(t), s, "pester", nil)
	if e := domain.AsError(err); e == nil || e.Args["reason"] != "too_many_rounds" || len(who.asked) != maxRounds {
		t.Errorf("asked %d times: %v", len(who.asked), err)
	}
	result, err := call(t, s, domain.Call{Name: "cancelled_tasks"})
	if err != nil || mcptest.Text(t, result.Raw) != "1" {
		t.Errorf("%s tasks were cancelled (%v)", result.Raw, err)
	}
	many := needs{Requests: map[string]inputRequest{}}
	for i := range maxQuestions + 1 {
		many.Requests[strconv.Itoa(i)] = inputRequest{Method: MethodElicitation}
	}
	if err := (&taskWatch{session: s}).answer(t.Context(), many); domain.CodeOf(err) != domain.CodeProtocol || len(who.asked) != maxRounds {
		t.Errorf("all at once: asked %d times, %v", len(who.asked), err)
	}
}

// A task that works on after a question shows that it does, which keeps its call alive.
func TestATaskIsLookedAtAfterItsQuestion(t *testing.T) {
	who := &answers{by: map[string]string{MethodElicitation: `{"action":"accept","content":{"name":"Ada"}}`}}
	for _, revision := range []string{"2025-11-25", Stateless} {
		s := open(t, mcptest.Command(mcptest.Options{Revision: revision}), Options{Answerer: who})
		s.options.After = quickly
		var mu sync.Mutex
		answered, looks := false, 0
		result, err := runTask(mcptest.Within(t), s, "late", func(n domain.Notice) {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case n.Kind == domain.NoticeAnswered:
				answered = true
			case n.Kind == domain.NoticeTask && answered:
				looks++
			}
		})
		if err != nil || mcptest.Text(t, result.Raw) != "hello Ada" {
			t.Errorf("%s: %s, %v", revision, result.Raw, err)
		}
		if looks < 3 {
			t.Errorf("%s: the caller heard of %d looks after the question", revision, looks)
		}
	}
}

func TestACallerThatLeavesEndsTheTask(t *testing.T) {
	for _, revision := range []string{"2025-11-25", Stateless} {
		s := open(t, mcptest.Command(mcptest.Options{Revision: revision}), Options{})
		ctx, leave := context.WithCancel(mcptest.Within(t))
		_, err := runTask(ctx, s, "never", func(n domain.Notice) {
			if n.Kind == domain.NoticeTask {
				leave()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", revision, err)
		}
		result, err := call(t, s, domain.Call{Name: "cancelled_tasks"})
		if err != nil || mcptest.Text(t, result.Raw) != "1" {
			t.Errorf("%s: %s tasks were cancelled (%v)", revision, result.Raw, err)
		}
		leave()
	}
}

func TestATaskMayBeCancelledByTheServerOrByAPerson(t *testing.T) {
	for _, revision := range []string{"2025-11-25", Stateless} {
		s := open(t, mcptest.Command(mcptest.Options{Revision: revision}), Options{ServerID: "one"})
		cancelled := func(err error) bool {
			e := domain.AsError(err)
			return e != nil && e.Code == domain.CodeCanceled && e.Args["reason"] == "task_cancelled"
		}
		if _, err := runTask(mcptest.Within(t), s, "stop", nil); !cancelled(err) {
			t.Errorf("%s, by the server: %v", revision, err)
		}
		var once sync.Once
		_, err := runTask(mcptest.Within(t), s, "never", func(n domain.Notice) {
			once.Do(func() {
				all := s.Tasks()
				if n.Kind != domain.NoticeTask || len(all) != 1 || all[0].Server != "one" || all[0].Tool != "task" || all[0].Status != taskWorking {
					t.Errorf("%s: %s, tasks %+v", revision, n.Kind, all)
					return
				}
				if err := s.CancelTask(mcptest.Within(t), all[0].ID); err != nil {
					t.Errorf("%s: %v", revision, err)
				}
			})
		})
		if !cancelled(err) || len(s.Tasks()) != 0 {
			t.Errorf("%s, by a person: %v, tasks %+v", revision, err, s.Tasks())
		}
		if err := s.CancelTask(mcptest.Within(t), "task-2"); domain.CodeOf(err) != domain.CodeUnknownItem {
			t.Errorf("%s: cancelled what was over: %v", revision, err)
		}
	}
}

// A server must not be asked for what it does not announce, nor in a revision that does not have it.
func TestOnlyServersWithTasksAreAskedForThem(t *testing.T) {
	const all = `{"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`
	tool := &domain.Tool{Name: "task", Raw: json.RawMessage(`{"name":"task","execution":{"taskSupport":"required"}}`)}
	for _, test := range []struct {
		revision, capabilities string
		asked, cancelled       bool
	}{
		{"2025-11-25", all, true, true},
		{"2025-11-25", `{"tasks":{"requests":{"tools":{"call":{}}}}}`, true, false},
		{"2025-11-25", `{"tasks":{"cancel":{},"requests":{"sampling":{"createMessage":{}}}}}`, false, true},
		{"2025-11-25", `{"tasks":{"requests":{"tools":{"call":false}}}}`, false, false},
		{"2025-11-25", `{"tools":{}}`, false, false},
		{"2025-11-25", ``, false, false},
		{"2025-06-18", all, false, false},
		{"2024-11-05", all, false, false},
		{Stateless, all, false, true}, // there the server decides
	} {
		s := &Session{greeting: Greeting{Version: test.revision, Capabilities: json.RawMessage(test.capabilities)}}
		asked := s.wantsTask(domain.Call{Kind: domain.ToolCall, Name: "task", Target: &domain.Target{Tool: tool}})
		if asked != test.asked || s.cancelsTasks() != test.cancelled {
			t.Errorf("%s with %s: asked for a task %v, to cancel one %v", test.revision, test.capabilities, asked, s.cancelsTasks())
		}
	}
}

func TestATaskThatCannotBeCancelledIsLeftAlone(t *testing.T) {
	s := &Session{greeting: Greeting{Version: "2025-11-25"}, tasks: map[string]domain.Task{"t": {ID: "t"}}}
	if err := s.CancelTask(t.Context(), "t"); domain.CodeOf(err) != domain.CodeNotAnnounced {
		t.Errorf("got %v", err)
	}
	s.cancelTask(t.Context(), "t") // without a link it would fail
}

func TestWhatATaskIs(t *testing.T) {
	for _, test := range []struct {
		revision string
		asked    bool
		raw      string
		want     string
	}{
		{Stateless, false, `{"resultType":"task","taskId":"t","status":"working","pollIntervalMs":5}`, "t 100ms"},
		{Stateless, false, `{"resultType":"task","status":"working"}`, "task"},
		{Stateless, false, `{"resultType":"task","taskId":7}`, "task"},
		{Stateless, false, `{"content":[]}`, "none"},
		{Stateless, false, `{"task":{"taskId":"t","status":"working"}}`, "none"},
		{"2025-11-25", true, `{"task":{"taskId":"t","status":"working","pollInterval":900000}}`, "t 30s"},
		{"2025-11-25", true, `{"task":{"taskId":"t","status":"working"}}`, "t 1s"},
		{"2025-11-25", true, `{"content":[],"task":{"taskId":"t"}}`, "none"},
		{"2025-11-25", true, `{"task":7}`, "none"},
		{"2025-11-25", true, `{"task":{}}`, "task"},
		{"2025-11-25", true, `{"resultType":"task","taskId":"t"}`, "none"},
		{"2025-11-25", false, `{"task":{"taskId":"t","status":"working"}}`, "none"},
		{"2025-11-25", false, `{"task":{}}`, "none"},
		{"2025-06-18", false, `{"resultType":"task"}`, "none"},
	} {
		s := &Session{greeting: Greeting{Version: test.revision}}
		found, err := s.taskOf(json.RawMessage(test.raw), test.asked)
		got := "none"
		switch {
		case err != nil:
			got = domain.AsError(err).Args["reason"]
		case found != nil:
			got = found.ID + " " + found.pause().String()
		}
		if got != test.want {
			t.Errorf("%s, asked %v: %s: %s, want %s", test.revision, test.asked, test.raw, got, test.want)
		}
	}
	for _, end := range []task{{Status: "completed"}, {Status: "failed"}, {Status: "odd"}, {Status: "failed", Result: json.RawMessage(`{}`)}} {
		if raw, err := end.outcome(); domain.CodeOf(err) != domain.CodeProtocol {
			t.Errorf("%+v ends with %s, %v", end, raw, err)
		}
	}
	if _, err := (task{Status: "failed", Error: &jsonrpc.Error{Code: -1, Message: "m"}}).outcome(); err == nil {
		t.Error("a failed task succeeds")
	}
}
