package core_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
)

// elicit calls a tool whose server asks a question, and stays until it waits or the call has ended.
func elicit(t *testing.T, c *core.Core) api.CallView {
	t.Helper()
	return decode[api.CallView](t, ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: domain.ToolCall, Name: "elicit", Arguments: json.RawMessage(`{}`), ApprovalWaitMS: -1, WaitMS: 60_000,
	}))
}

// The limit of an hour is no new one after a new start.
func TestANewStartGivesNoServerMore(t *testing.T) {
	o := options(t, core.Serve)
	during(t, o, func(c *core.Core) {
		one := "1"
		ask(t, window(c), http.MethodPatch, "/api/settings", api.SettingChange{Key: "elicitation.per_hour", Value: &one})
		ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: free("fake", ""), SkipTest: true})
		call := elicit(t, c)
		ask(t, window(c), http.MethodPost, "/api/inbox/"+call.RequestID+"/answer", api.AnswerRequest{})
		if call = end(t, c, call); call.Error != nil || !strings.Contains(string(call.Result.Raw), "decline") {
			t.Fatalf("the first question comes to %+v", call)
		}
	})
	c := open(t, o)
	if call := end(t, c, elicit(t, c)); call.Error != nil || !strings.Contains(string(call.Result.Raw), "elicitation_limit") {
		t.Errorf("after a new start the next question comes to %+v", call)
	}
}
