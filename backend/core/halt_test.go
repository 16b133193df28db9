package core_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// begin makes a call of the fake server, which runs without asking, and gives it once it runs or is done.
func begin(t *testing.T, h http.Handler, tool, arguments string, wait int64) api.CallView {
	t.Helper()
	return decode[api.CallView](t, ask(t, h, http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: domain.ToolCall, Name: tool, Arguments: json.RawMessage(arguments), ApprovalWaitMS: wait, WaitMS: 0,
	}))
}

// A person stops everything: what runs ends at the server too, what comes waits or is refused, over a restart too, and no
// script lets it go on.
func TestEmergencyStop(t *testing.T) {
	o := options(t, core.Serve)
	first, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	d := mcptest.Command(mcptest.Options{Name: "fake"})
	d.DefaultVerdict = domain.Allow
	ask(t, window(first), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, window(first), "fake", domain.StateReady)
	running := begin(t, window(first), "wait", `{}`, 0)
	mcptest.Eventually(t, "the call runs", func() bool {
		running = decode[api.CallView](t, ask(t, window(first), http.MethodGet, "/api/calls/"+running.ID, nil))
		return running.Sent
	})

	halted := decode[api.Halted](t, ask(t, script(first), http.MethodPost, "/api/stop-calls", nil))
	if halted.Canceled != 1 || halted.By.Name != "cli" {
		t.Errorf("%+v, want the one call ended", halted)
	}
	running = end(t, first, running)
	if running.Error == nil || running.Error.Args["reason"] != "calls_stopped" {
		t.Errorf("the call ended with %+v", running.Error)
	}
	if a := ask(t, script(first), http.MethodPost, "/api/resume-calls", nil); a.code(t) != domain.CodeSelfApproval {
		t.Errorf("a script resumes: %d %s", a.status, a.body)
	}
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	c := open(t, o)
	refused := end(t, c, begin(t, window(c), "echo", `{"message":"x"}`, 0))
	if refused.Error == nil || refused.Error.Code != domain.CodeCallsStopped {
		t.Errorf("after a restart a call comes to %+v", refused.Error)
	}
	held := begin(t, window(c), "echo", `{"message":"at last"}`, -1)
	mcptest.Eventually(t, "the call is held", func() bool {
		status := decode[api.Status](t, ask(t, window(c), http.MethodGet, "/api/status", nil))
		return status.CallsStopped != nil && status.CallsStopped.Held == 1
	})
	if a := ask(t, window(c), http.MethodPost, "/api/resume-calls", nil); a.status >= http.StatusBadRequest {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if held = end(t, c, held); held.Error != nil || held.Result == nil || !strings.Contains(string(held.Result.Raw), "at last") {
		t.Errorf("the call that was held comes to %+v", held)
	}
	if status := decode[api.Status](t, ask(t, window(c), http.MethodGet, "/api/status", nil)); status.CallsStopped != nil {
		t.Errorf("still %+v", status.CallsStopped)
	}
}
