package core_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/servers"
)

// restless opens a core whose server "fake" has said something else of its tool echo, after that was approved for good.
func restless(t *testing.T) (*core.Core, servers.ToolView) {
	t.Helper()
	c := open(t, options(t, core.Serve))
	definition := mcptest.Command(mcptest.Options{Name: "fake", Behave: []mcptest.Behaviour{mcptest.Restless}})
	definition.Name = "fake"
	if a := ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: definition, SkipTest: true}); a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	answerCall(t, c, "echo", domain.ScopeAlways)
	events, stop := c.Subscribe()
	defer stop()
	answerCall(t, c, "retell", domain.ScopeOnce)
	for {
		list := decode[api.ToolList](t, ask(t, window(c), http.MethodGet, "/api/servers/fake/tools", nil))
		for _, tool := range list.Tools {
			if tool.Name == "echo" && tool.HeldBy != "" {
				return c, tool
			}
		}
		select {
		case <-events:
		case <-t.Context().Done():
			t.Fatal("the change was never noticed")
		}
	}
}

// answerCall makes a call with "new words" and has a person approve it.
func answerCall(t *testing.T, c *core.Core, tool string, scope domain.Scope) {
	t.Helper()
	call := decode[api.CallView](t, ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: domain.ToolCall, Name: tool, Arguments: json.RawMessage(`{"message":"new words"}`),
		ApprovalWaitMS: -1, WaitMS: 60_000,
	}))
	if call.RequestID == "" {
		t.Fatalf("%+v does not wait", call)
	}
	answer := api.AnswerRequest{Approve: true, Scope: scope}
	if a := ask(t, window(c), http.MethodPost, "/api/inbox/"+call.RequestID+"/answer", answer); a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	if call = end(t, c, call); call.Error != nil {
		t.Fatalf("%+v", call.Error)
	}
}

func TestAChangedToolEndsItsApprovals(t *testing.T) {
	c, tool := restless(t)
	approvals := decode[api.ApprovalList](t, ask(t, window(c), http.MethodGet, "/api/approvals", nil))
	if len(approvals.Approvals) != 0 {
		t.Errorf("%+v are left", approvals.Approvals)
	}
	change := decode[servers.DefinitionChange](t, ask(t, window(c), http.MethodGet, "/api/inbox/"+tool.HeldBy+"/definition", nil))
	if len(change.Ended) != 1 || change.Ended[0].Kind != domain.CallerWindow || change.After != "1.2.3" {
		t.Errorf("the change is %+v", change)
	}
	call := end(t, c, echo(t, c, "hello"))
	if call.Error == nil || call.Error.Code != domain.CodeDefinitionHeld || call.Error.Args["request_id"] != tool.HeldBy {
		t.Errorf("the call ended with %+v", call.Error)
	}
	// What would not fit the new definition is refused for the definition too.
	call = end(t, c, decode[api.CallView](t, ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: domain.ToolCall, Name: "echo", Arguments: json.RawMessage(`{"message":7}`), WaitMS: 60_000,
	})))
	if call.Error == nil || call.Error.Code != domain.CodeDefinitionHeld {
		t.Errorf("the call ended with %+v", call.Error)
	}
	if a := ask(t, window(c), http.MethodPost, "/api/inbox/"+tool.HeldBy+"/answer", api.AnswerRequest{Approve: true}); a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	if waits := echo(t, c, "hello"); waits.RequestID == "" || waits.Status != api.CallWaiting {
		t.Errorf("the call is %+v, want it asked again", waits)
	}
	if a := ask(t, window(c), http.MethodPost, "/api/inbox/"+tool.HeldBy+"/answer", api.AnswerRequest{}); a.code(t) != domain.CodeAlreadyAnswered {
		t.Errorf("answered twice: %s", a.body)
	}
}
