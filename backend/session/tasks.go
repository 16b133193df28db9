package session

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/transport"
)

// withTasks is the only revision with a handshake that has tasks.
const withTasks = "2025-11-25"

// extensionTasks is the name of the tasks extension in the capabilities of the stateless revision (SEP-2663).
const extensionTasks = "io.modelcontextprotocol/tasks"

// Bounds of the pause between two looks at a task, whatever the server says.
const (
	shortestPoll = 100 * time.Millisecond
	usualPoll    = time.Second
	longestPoll  = 30 * time.Second
)

// cancelTime bounds telling a server that nobody waits for a task any more.
const cancelTime = 2 * time.Second

// States of a task (MCP 2025-11-25, basic/utilities/tasks; SEP-2663).
const (
	taskWorking   = "working"
	taskNeedsYou  = "input_required"
	taskCancelled = "cancelled"
)

// task is a call that goes on at the server while nobody holds a connection.
type task struct {
	ID     string `json:"taskId"`
	Status string `json:"status"`
	// Message is the server's own word on the status.
	Message string `json:"statusMessage"`
	// PollMS is how long to wait before asking again, by its names of both shapes.
	PollMS   *int64          `json:"pollIntervalMs"`
	Interval *int64          `json:"pollInterval"`
	Result   json.RawMessage `json:"result"`
	Error    *jsonrpc.Error  `json:"error"`
	needs
}

func (t task) pause() time.Duration {
	ms := t.PollMS
	if ms == nil {
		ms = t.Interval
	}
	if ms == nil {
		return usualPoll
	}
	return min(max(time.Duration(*ms)*time.Millisecond, shortestPoll), longestPoll)
}

// taskOf reads the task that a result hands out instead of the answer; nil for any other result. The stateless revision says
// so by the type of the result, 2025-11-25 only to who asked for a task; before, nothing means one.
func (s *Session) taskOf(raw json.RawMessage, asked bool) (*task, error) {
	m, _ := members(raw)
	body := raw
	switch {
	case s.greeting.IsStateless():
		if text(m, "resultType") != string(domain.ResultTask) {
			return nil, nil
		}
	case !asked || m["content"] != nil:
		return nil, nil
	default:
		if body = objectOf(m, "task"); body == nil {
			return nil, nil
		}
	}
	var t task
	if err := json.Unmarshal(body, &t); err != nil || t.ID == "" {
		return nil, malformedTask(errors.Join(err, errors.New("no taskId")))
	}
	return &t, nil
}

func malformedTask(cause error) error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server answered with a task that cannot be understood.",
		Hint: "Report this to the makers of the server.", Proof: cause.Error(), Cause: cause, Args: map[string]string{"reason": "task"},
	}
}

// wantsTask reports whether a tool of 2025-11-25 runs as a task only. A server that does not announce tasks must not be
// asked for one, whatever the tool says.
func (s *Session) wantsTask(call domain.Call) bool {
	if call.Kind != domain.ToolCall || call.Target == nil || call.Target.Tool == nil || !s.greeting.hasTasks("requests", "tools", "call") {
		return false
	}
	m, _ := members(call.Target.Tool.Raw)
	execution, _ := members(objectOf(m, "execution"))
	return text(execution, "taskSupport") == "required"
}

// hasTasks reports whether a server of 2025-11-25 announces something of its tasks, by the path of the members that say so.
func (g Greeting) hasTasks(path ...string) bool {
	if g.Version != withTasks {
		return false
	}
	found := g.Capabilities
	for _, name := range append([]string{"tasks"}, path...) {
		m, _ := members(found)
		found = objectOf(m, name)
	}
	return found != nil
}

func (t task) outcome() (json.RawMessage, error) {
	switch {
	case t.Status == "completed" && t.Result != nil:
		return t.Result, nil
	case t.Status == "failed" && t.Error != nil:
		return nil, t.Error
	case t.Status == taskCancelled:
		return nil, &domain.Error{
			Code: domain.CodeCanceled, Message: "The server cancelled the task.", Hint: "Call the tool again.",
			Args: map[string]string{"reason": "task_cancelled"},
		}
	}
	return nil, malformedTask(errors.New("the status \"" + t.Status + "\" has nothing with it"))
}

// Tasks lists the calls that go on as tasks, the oldest first.
func (s *Session) Tasks() []domain.Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.tasks), func(a, b domain.Task) int { return a.StartedAt.Compare(b.StartedAt) })
}

// CancelTask asks the server to end a task; the call that waits for it then hears so. It fails with CodeUnknownItem when
// no call goes on as that task, with CodeNotAnnounced when the server ends none, and with what the server says.
func (s *Session) CancelTask(ctx context.Context, id string) error {
	s.mu.Lock()
	_, known := s.tasks[id]
	s.mu.Unlock()
	if !known {
		return domain.UnknownTask(id)
	}
	if !s.cancelsTasks() {
		return &domain.Error{
			Code: domain.CodeNotAnnounced, Message: "The server does not let a task be cancelled.", Hint: "Cancel the call that waits for it.",
			Args: map[string]string{"section": "tasks"},
		}
	}
	_, err := s.ofTask(ctx, "tasks/cancel", id)
	return callFailed(domain.Call{Name: id}, err)
}

func (s *Session) noteTask(call domain.Call, id string, t task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	view, known := s.tasks[id]
	if !known {
		view = domain.Task{Server: s.options.ServerID, ID: id, Tool: call.Name, StartedAt: time.Now(), Caller: call.Caller}
	}
	view.Status, view.Message = t.Status, s.link.Mask(t.Message)
	s.tasks[id] = view
}

func (s *Session) forgetTask(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tasks, id)
}

// cancelsTasks reports whether the server can end a task.
func (s *Session) cancelsTasks() bool {
	return s.greeting.IsStateless() || s.greeting.hasTasks("cancel")
}

// cancelTask tells the server that nobody waits any more, if it can be told. It outlives the caller's context.
func (s *Session) cancelTask(ctx context.Context, id string) {
	if !s.cancelsTasks() {
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer done()
	if _, err := s.ofTask(ctx, "tasks/cancel", id); err != nil {
		s.options.Log.Add(transport.StreamLifecycle, "task not cancelled: "+err.Error())
	}
}
