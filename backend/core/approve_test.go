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

// asking opens a core with one server, "fake", whose calls ask.
func asking(t *testing.T) *core.Core {
	t.Helper()
	c := open(t, options(t, core.Serve))
	request := api.NewServer{Definition: mcptest.Command(mcptest.Options{Name: "fake"}), SkipTest: true}
	if a := ask(t, window(c), http.MethodPost, "/api/servers", request); a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	return c
}

// echo starts a call that stays until a person has answered, and gives it as soon as it waits or is done.
func echo(t *testing.T, c *core.Core, message string) api.CallView {
	t.Helper()
	return decode[api.CallView](t, ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: domain.ToolCall, Name: "echo", Arguments: json.RawMessage(`{"message":"` + message + `"}`),
		ApprovalWaitMS: -1, WaitMS: 60_000,
	}))
}

// end is the call once it is done.
func end(t *testing.T, c *core.Core, call api.CallView) api.CallView {
	t.Helper()
	for call.Status != api.CallDone {
		call = decode[api.CallView](t, ask(t, window(c), http.MethodGet, "/api/calls/"+call.ID+"?wait_ms=60000", nil))
	}
	return call
}

func approve(t *testing.T, c *core.Core, call api.CallView, params string) answer {
	t.Helper()
	if call.Status != api.CallWaiting || call.RequestID == "" {
		t.Fatalf("%+v, want it waiting", call)
	}
	return ask(t, window(c), http.MethodPost, "/api/inbox/"+call.RequestID+"/answer", api.AnswerRequest{Approve: true, Params: json.RawMessage(params)})
}

func TestEditedParamsThatCannotBeSentAreRefusedToThePerson(t *testing.T) {
	c := asking(t)
	call := echo(t, c, "as asked")
	for _, params := range []string{
		`{"name":"crash","arguments":{}}`, `{"name":"echo","arguments":{"message":7}}`, `{"arguments":{}}`, `"echo"`,
	} {
		if a := approve(t, c, call, params); a.status < http.StatusBadRequest || a.code(t) != domain.CodeInvalidArguments {
			t.Errorf("%s: %d %s, want %s", params, a.status, a.body, domain.CodeInvalidArguments)
		}
	}
	if a := approve(t, c, call, `{"name":"echo","arguments":{"message":"edited"}}`); a.status != http.StatusOK {
		t.Fatalf("%s: the request does not wait any more", a.body)
	}
	call = end(t, c, call)
	if call.Error != nil || !strings.Contains(string(call.Result.Raw), "edited") || call.Result.Meta.EditedParams == nil {
		t.Fatalf("%+v, want the edited message and that it was edited", call)
	}
}

func TestApprovalOfWhatAnotherProgramAnsweredIsAskedForAgain(t *testing.T) {
	c := asking(t)
	call := echo(t, c, "hello")
	changed := mcptest.Command(mcptest.Options{Name: "fake"})
	changed.Args = []string{"another"}
	if a := ask(t, window(c), http.MethodPut, "/api/servers/fake", api.ServerChange{Definition: changed, SkipTest: true}); a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	approve(t, c, call, "")
	if call = end(t, c, call); call.Error == nil || call.Error.Code != domain.CodeApprovalExpired {
		t.Fatalf("%+v, want %s", call, domain.CodeApprovalExpired)
	}
	call = echo(t, c, "hello")
	approve(t, c, call, "")
	if call = end(t, c, call); call.Error != nil {
		t.Fatalf("%+v: it is refused although it was asked for again", call.Error)
	}
}

func TestServerThatIsNeededAtOnceIsNotTakenForALeftover(t *testing.T) {
	for range 10 {
		c := asking(t)
		if call := echo(t, c, "hello"); call.Status != api.CallWaiting {
			t.Fatalf("%+v, want it waiting", call)
		}
	}
}
