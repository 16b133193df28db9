package cli

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/servers"
)

// fakeCall is an API with one call, which goes on when the test says so.
type fakeCall struct {
	t *testing.T

	mu       sync.Mutex
	view     api.CallView
	request  api.CallRequest
	answer   *api.AnswerRequest
	canceled bool
	// afterAnswer is what becomes of the call once the request was answered.
	afterAnswer func(api.AnswerRequest) api.CallView
	changed     chan struct{}
	looked      func()
}

func newFakeCall(t *testing.T, view api.CallView) *fakeCall {
	t.Helper()
	view.ID, view.Server, view.Name, view.Kind = "c1", "acme", "echo", domain.ToolCall
	return &fakeCall{t: t, view: view, changed: make(chan struct{}, 1), looked: func() {}}
}

func (f *fakeCall) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/calls", func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.read(r.Body, &f.request)
		writeDocument(f.t, w, f.view)
	})
	mux.HandleFunc("GET /api/calls/c1", func(w http.ResponseWriter, r *http.Request) {
		f.looked()
		select {
		case <-f.changed:
		case <-r.Context().Done():
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		writeDocument(f.t, w, f.view)
	})
	mux.HandleFunc("DELETE /api/calls/c1", func(http.ResponseWriter, *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.canceled = true
	})
	mux.HandleFunc("GET /api/inbox/7", func(w http.ResponseWriter, _ *http.Request) {
		writeDocument(f.t, w, domain.Request{
			ID: "7", Server: "acme", Tool: "echo", Effect: domain.Writes, Caller: domain.Caller{Name: "cli", User: domain.LocalUser},
			Params:   json.RawMessage(`{"name":"echo","arguments":{"message":"hi \u001b[2J"}}`),
			Decision: domain.Decision{Because: policy.ServerDefault},
		})
	})
	mux.HandleFunc("GET /api/servers/acme", func(w http.ResponseWriter, _ *http.Request) {
		writeDocument(f.t, w, servers.View{Server: domain.Server{Definition: domain.Definition{Name: "Acme", Command: "npx"}}})
	})
	mux.HandleFunc("POST /api/inbox/7/answer", f.take)
	return mux
}

func (f *fakeCall) take(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = &api.AnswerRequest{}
	f.read(r.Body, f.answer)
	if f.afterAnswer == nil {
		writeDocument(f.t, w, &domain.Error{Code: domain.CodeSelfApproval, Message: "not here"})
		return
	}
	f.view = f.afterAnswer(*f.answer)
	f.changed <- struct{}{}
	writeDocument(f.t, w, domain.Request{ID: "7"})
}

func (f *fakeCall) read(from io.Reader, into any) {
	if err := json.NewDecoder(from).Decode(into); err != nil {
		f.t.Error(err)
	}
}

func doneCall(raw string, isError bool) api.CallView {
	return api.CallView{
		ID: "c1", Status: api.CallDone, Server: "acme", Kind: domain.ToolCall, Name: "echo", DurationMS: 12, IsError: isError,
		Result: &domain.Result{Raw: json.RawMessage(raw)},
	}
}

func TestCallPrintsItsResult(t *testing.T) {
	f := newFakeCall(t, doneCall(`{"content":[{"type":"text","text":"bonjour"}],"_meta":{"x":1}}`, false))
	f.view = doneCall(`{"content":[{"type":"text","text":"bonjour"}],"_meta":{"x":1}}`, false)
	p := fakeProgram(t, f.handler())
	got := run(t.Context(), p, "mcp", "call", "acme", "echo", "--args", `{"message":"bonjour"}`, "--json")
	want := `{"ok":true,"server":"acme","tool":"echo","duration_ms":12,"cache_hit":false,"text":"bonjour",` +
		`"result":{"content":[{"type":"text","text":"bonjour"}],"_meta":{"x":1}}}` + "\n"
	if got.exit != 0 || got.out != want {
		t.Errorf("exit %d\n got %s\nwant %s", got.exit, got.out, want)
	}
	if f.request.ApprovalWaitMS != 0 || string(f.request.Arguments) != `{"message":"bonjour"}` {
		t.Errorf("asked for %+v", f.request)
	}
	if got := run(t.Context(), p, "mcp", "call", "acme", "echo"); got.out != "bonjour\n" {
		t.Errorf("%+v", got)
	}
}

func TestArgumentsFromStandardInput(t *testing.T) {
	f := newFakeCall(t, api.CallView{})
	f.view = doneCall(`{}`, false)
	p := fakeProgram(t, f.handler())
	p.Stdin = strings.NewReader("{\"message\":\n\"a\"}\n")
	if got := run(t.Context(), p, "mcp", "call", "acme", "echo", "--args", "-"); got.exit != 0 {
		t.Fatalf("%+v", got)
	}
	if string(f.request.Arguments) != `{"message":"a"}` {
		t.Errorf("sent %s", f.request.Arguments)
	}
}

func TestToolThatFails(t *testing.T) {
	f := newFakeCall(t, api.CallView{})
	f.view = doneCall(`{"content":[{"type":"text","text":"no such file"}],"isError":true}`, true)
	got := run(t.Context(), fakeProgram(t, f.handler()), "mcp", "call", "acme", "echo", "--json")
	if got.exit != 1 || !strings.HasPrefix(got.out, `{"ok":false,`) || got.err != "" {
		t.Errorf("%+v", got)
	}
}

func TestCallThatMustBeApprovedElsewhere(t *testing.T) {
	f := newFakeCall(t, api.CallView{Status: api.CallDone, Error: &domain.Error{
		Code: domain.CodeApprovalNeeded, Message: "a person must approve this call", Hint: "See the inbox.",
		Args: map[string]string{"request_id": "7"},
	}})
	p := fakeProgram(t, f.handler())
	got := run(t.Context(), p, "mcp", "call", "acme", "echo")
	if got.exit != 4 || !strings.Contains(got.err, "request: 7") {
		t.Errorf("%+v", got)
	}
	got = run(t.Context(), p, "mcp", "call", "acme", "echo", "--json")
	if got.exit != 4 || !strings.Contains(got.out, `"request_id":"7"`) {
		t.Errorf("%+v", got)
	}
}

func TestPersonAtTheTerminalIsAsked(t *testing.T) {
	tests := map[string]struct {
		approve bool
		scope   domain.Scope
	}{
		"o\n":           {true, domain.ScopeOnce},
		"what?\n\nyes":  {true, domain.ScopeOnce},
		"session\n":     {true, domain.ScopeSession},
		"A\n":           {true, domain.ScopeAlways},
		"\n \nd\nnever": {false, ""},
	}
	for typed, want := range tests {
		t.Run(typed, func(t *testing.T) {
			f := newFakeCall(t, api.CallView{Status: api.CallWaiting, RequestID: "7"})
			f.afterAnswer = func(a api.AnswerRequest) api.CallView {
				if a.Approve {
					return doneCall(`{"content":[{"type":"text","text":"ran"}]}`, false)
				}
				return api.CallView{ID: "c1", Status: api.CallDone, Error: &domain.Error{Code: domain.CodeApprovalDenied, Message: "denied"}}
			}
			p := fakeProgram(t, f.handler())
			p.Terminal, p.Stdin = true, strings.NewReader(typed)
			got := run(t.Context(), p, "mcp", "call", "acme", "echo")
			wantExit := map[bool]int{true: 0, false: 4}[want.approve]
			if f.answer == nil || f.answer.Approve != want.approve || f.answer.Scope != want.scope || got.exit != wantExit {
				t.Fatalf("answered %+v, %+v", f.answer, got)
			}
			if f.request.ApprovalWaitMS != -1 {
				t.Errorf("the call stays for %d ms, want until it is answered", f.request.ApprovalWaitMS)
			}
			for _, word := range []string{"cli wants to call echo of Acme", "runs        npx", `"message": "hi`, "the default of the server"} {
				if !strings.Contains(got.err, word) {
					t.Errorf("the question does not say %q:\n%s", word, got.err)
				}
			}
			if strings.Contains(got.err, "\x1b") {
				t.Errorf("arguments can move the cursor: %q", got.err)
			}
		})
	}
}

func TestRefusedAnswerEndsTheCall(t *testing.T) {
	f := newFakeCall(t, api.CallView{Status: api.CallWaiting, RequestID: "7"})
	p := fakeProgram(t, f.handler())
	p.Terminal, p.Stdin = true, strings.NewReader("o\n")
	got := run(t.Context(), p, "mcp", "call", "acme", "echo", "--json")
	if got.exit != 4 || got.code(t) != domain.CodeSelfApproval || !f.canceled {
		t.Errorf("%+v, canceled %t", got, f.canceled)
	}
}

func TestLeavingTheQuestionLeavesTheRequest(t *testing.T) {
	f := newFakeCall(t, api.CallView{Status: api.CallWaiting, RequestID: "7"})
	p := fakeProgram(t, f.handler())
	p.Terminal = true
	got := run(t.Context(), p, "mcp", "call", "acme", "echo", "--json")
	if got.exit != 4 || got.code(t) != domain.CodeApprovalNeeded || f.answer != nil {
		t.Errorf("%+v, answered %v", got, f.answer)
	}
}

func TestSomebodyElseAnswersFirst(t *testing.T) {
	f := newFakeCall(t, api.CallView{Status: api.CallWaiting, RequestID: "7"})
	p := fakeProgram(t, f.handler())
	typed, _ := io.Pipe() // nobody ever types
	p.Terminal, p.Stdin = true, typed
	f.looked = func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.view.Status != api.CallDone {
			f.view = doneCall(`{"content":[{"type":"text","text":"ran"}]}`, false)
			f.changed <- struct{}{}
		}
	}
	if got := run(t.Context(), p, "mcp", "call", "acme", "echo"); got.exit != 0 || got.out != "ran\n" {
		t.Errorf("%+v", got)
	}
}

func TestInterruptCancelsTheCall(t *testing.T) {
	f := newFakeCall(t, api.CallView{Status: api.CallRunning})
	ctx, interrupt := context.WithCancel(t.Context())
	f.looked = interrupt
	got := run(ctx, fakeProgram(t, f.handler()), "mcp", "call", "acme", "echo", "--json")
	if got.exit != 1 || got.code(t) != domain.CodeCanceled || !f.canceled {
		t.Errorf("%+v, canceled %t", got, f.canceled)
	}
}

func TestInterruptCancelsATest(t *testing.T) {
	canceled := false
	ctx, interrupt := context.WithCancel(t.Context())
	running := domain.TestReport{ID: "t1", Running: true, Steps: []domain.TestStep{{Name: domain.StepResolve, Running: true}}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/tests", func(w http.ResponseWriter, _ *http.Request) { writeDocument(t, w, running) })
	mux.HandleFunc("GET /api/tests/t1", func(_ http.ResponseWriter, r *http.Request) {
		interrupt()
		<-r.Context().Done()
	})
	mux.HandleFunc("DELETE /api/tests/t1", func(http.ResponseWriter, *http.Request) { canceled = true })
	got := run(ctx, fakeProgram(t, mux), "mcp", "test", "acme", "--json")
	if got.exit != 1 || got.code(t) != domain.CodeCanceled || !canceled {
		t.Errorf("%+v, canceled %t", got, canceled)
	}
}

func TestQuestionOfTheServerIsSaidOnce(t *testing.T) {
	f := newFakeCall(t, api.CallView{Status: api.CallRunning, Notices: []domain.Notice{{Kind: domain.NoticeRunning}, {Kind: domain.NoticeAsked}}})
	looks := 0
	f.looked = func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		looks++
		if looks > 2 {
			f.view = doneCall(`{"content":[{"type":"text","text":"bonjour"}]}`, false)
		}
		f.changed <- struct{}{}
	}
	p := fakeProgram(t, f.handler())
	p.Terminal = true
	got := run(t.Context(), p, "mcp", "call", "acme", "echo", "--json")
	if got.exit != 0 || strings.Count(got.err, "acme asks something and waits for the answer\n") != 1 || !strings.HasPrefix(got.out, `{"ok":true`) {
		t.Errorf("%+v", got)
	}
}
