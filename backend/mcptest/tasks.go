package mcptest

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
)

// tasks are calls that go on without a connection. The tool "task" makes one: its message says how it ends: "done",
// "fail" (the tool failed), "broken" (a protocol error), "ask" (needs a name first), "forgetful" (shows that question for
// some looks after it was answered), "late" (works for some looks after it), "pester" (asks something else at each look),
// "stop" (the server cancels it), and anything else never ends.
type tasks struct {
	mu  sync.Mutex
	all map[string]*fakeTask
}

type fakeTask struct {
	plan      string
	looks     int
	after     int // the looks since it was answered
	answer    string
	answered  bool
	cancelled bool
	ended     chan struct{} // closed when it has completed
}

// asks says that a task needs a name first.
func (task *fakeTask) asks() bool {
	switch task.plan {
	case "ask", "forgetful", "late":
		return true
	}
	return false
}

// enough is for how many looks nothing shows that a task was answered.
const enough = 5

func newTasks() *tasks { return &tasks{all: make(map[string]*fakeTask)} }

func (t *tasks) start(plan string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := "task-" + strconv.Itoa(len(t.all)+1)
	t.all[id] = &fakeTask{plan: plan, ended: make(chan struct{})}
	return id
}

func (t *tasks) find(params json.RawMessage) (string, *fakeTask) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := member(params, "taskId")
	return id, t.all[id]
}

// Cancelled lists how many tasks the client has cancelled.
func (t *tasks) cancelled() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, task := range t.all {
		if task.cancelled {
			n++
		}
	}
	return n
}

// look is the status after a look: a task works for two looks, then does what was planned.
func (t *tasks) look(task *fakeTask) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	task.looks++
	if task.answered {
		task.after++
	}
	switch {
	case task.cancelled:
		return "cancelled"
	case task.looks <= 2:
		return "working"
	case task.asks() && !task.answered, task.plan == "forgetful" && task.after <= enough, task.plan == "pester":
		return "input_required"
	case task.plan == "late" && task.after <= enough:
		return "working"
	case task.plan == "done" || task.plan == "fail" || task.asks():
		task.complete()
		return "completed"
	case task.plan == "broken":
		return "failed"
	case task.plan == "stop":
		return "cancelled"
	}
	return "working"
}

func (task *fakeTask) complete() {
	select {
	case <-task.ended:
	default:
		close(task.ended)
	}
}

func (task *fakeTask) result() (any, *rpcError) {
	switch task.plan {
	case "fail":
		return object{"content": []any{object{"type": "text", "text": "it failed"}}, "isError": true}, nil
	case "broken":
		return nil, &rpcError{Code: -32603, Message: "the task broke"}
	case "ask", "forgetful", "late":
		return text("hello " + task.answer), nil
	}
	return text("done as a task"), nil
}

const taskTime = "2026-11-30T12:00:00Z"

func taskView(id, status string) object {
	return object{"taskId": id, "status": status, "createdAt": taskTime, "lastUpdatedAt": taskTime}
}

var nameForm = object{
	"message": "Who are you?", "requestedSchema": object{"type": "object", "properties": object{"name": object{"type": "string"}}},
}

// serveTask answers the methods of tasks, in the shape of the revision.
func (s *session) serveTask(ctx context.Context, m message, send func(message)) (any, *rpcError) {
	id, task := s.tasks.find(m.Params)
	if task == nil {
		return nil, &rpcError{Code: -32602, Message: "Unknown task"}
	}
	switch m.Method {
	case "tasks/get":
		return s.lookAtTask(id, task), nil
	case "tasks/cancel":
		s.tasks.mu.Lock()
		task.cancelled = true
		s.tasks.mu.Unlock()
		return object{}, nil
	case "tasks/update":
		var p struct {
			Responses map[string]struct {
				Content struct{ Name string } `json:"content"`
			} `json:"inputResponses"`
		}
		_ = json.Unmarshal(m.Params, &p) // an empty answer is one
		s.tasks.mu.Lock()
		task.answer, task.answered = p.Responses["q"].Content.Name, true
		s.tasks.mu.Unlock()
		return object{}, nil
	case "tasks/result":
		if task.asks() {
			var said struct{ Content struct{ Name string } }
			_ = json.Unmarshal(s.ask(ctx, "elicitation/create", nameForm, send), &said) // as above
			s.tasks.mu.Lock()
			task.answer, task.answered = said.Content.Name, true
			s.tasks.mu.Unlock()
		}
		if task.plan == "late" {
			select {
			case <-task.ended:
			case <-ctx.Done():
			}
		}
		return task.result()
	}
	return nil, methodNotFound
}

func (s *session) lookAtTask(id string, task *fakeTask) any {
	status := s.tasks.look(task)
	view := taskView(id, status)
	view["ttl"], view["pollInterval"] = 60_000, 1
	if !s.o.stateless() {
		return view
	}
	view["ttlMs"], view["pollIntervalMs"] = 60_000, 1
	result, failure := task.result()
	switch status {
	case "completed":
		view["result"] = result
	case "failed":
		view["error"] = failure
	case "input_required":
		key := "q"
		if task.plan == "pester" {
			key += strconv.Itoa(task.looks)
		}
		view["inputRequests"] = object{key: object{"method": "elicitation/create", "params": nameForm}}
	}
	return view
}

// startTask hands out a task instead of a result: to those of 2025-11-25 who ask for one, to others who can take it.
func (s *session) startTask(params json.RawMessage, plan string) (any, *rpcError) {
	var p struct {
		Task json.RawMessage `json:"task"`
	}
	_ = json.Unmarshal(params, &p) // a call that asks for no task
	if s.o.stateless() {
		view := taskView(s.tasks.start(plan), "working")
		view["resultType"], view["ttlMs"], view["pollIntervalMs"] = "task", 60_000, 1
		return view, nil
	}
	if p.Task == nil {
		return nil, &rpcError{Code: -32601, Message: "This tool runs as a task only"}
	}
	view := taskView(s.tasks.start(plan), "working")
	view["ttl"], view["pollInterval"] = 60_000, 1
	return object{"task": view}, nil
}
