package core_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// tableOf is a server of config.toml, as a person would write it.
func tableOf(t *testing.T, d domain.Definition, more ...string) string {
	t.Helper()
	args, err := json.Marshal(append([]string{}, more...))
	if err != nil {
		t.Fatal(err)
	}
	text := "[[mcp_servers]]\nname = \"one\"\ntransport = \"stdio\"\ncommand = \"" + d.Command + "\"\nargs = " + string(args) + "\n"
	for i, v := range d.Env {
		if i == 0 {
			text += "[mcp_servers.env]\n"
		}
		text += v.Name + " = " + strconv.Quote(v.Value) + "\n"
	}
	return text
}

// A changed start command stops what runs, waits for a person over restarts, and runs once it is approved.
func TestAChangedEntryOfTheFileStopsAndWaits(t *testing.T) {
	o := options(t, core.Serve)
	path := filepath.Join(o.Home, "config.toml")
	d := mcptest.Command(mcptest.Options{})
	write(t, path, tableOf(t, d))
	during(t, o, func(c *core.Core) {
		if view := becomes(t, window(c), "one", domain.StateReady); view.PID == 0 {
			t.Fatalf("%+v", view)
		}
		write(t, path, tableOf(t, d, "changed"))
		becomes(t, window(c), "one", domain.StateNeedsApproval)
		mcptest.Eventually(t, "the old process is gone, and a person is asked", func() bool {
			view := stateOf(t, window(c), "one")
			return view.PID == 0 && view.Reason.Code == domain.CodeApprovalNeeded && view.Reason.Args["request_id"] != ""
		})
		call := domain.Call{Kind: domain.ToolCall, Server: "one", Name: "echo"}
		a := ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{Server: call.Server, Kind: call.Kind, Name: call.Name, WaitMS: 60_000})
		if got := decode[api.CallView](t, a); got.Error == nil || got.Error.Code != domain.CodeApprovalNeeded || got.Error.Args["reason"] != "config_file" {
			t.Errorf("a call: %s", a.body)
		}
	})
	c := open(t, o)
	view := becomes(t, window(c), "one", domain.StateNeedsApproval)
	request := "/api/inbox/" + view.Reason.Args["request_id"]
	if got := ask(t, script(c), http.MethodPost, request+"/answer", api.AnswerRequest{Approve: true}); got.code(t) != domain.CodeSelfApproval {
		t.Errorf("a script approves it: %s", got.body)
	}
	if got := decode[domain.Request](t, ask(t, window(c), http.MethodPost, request+"/answer", api.AnswerRequest{Approve: true})); got.Status != domain.RequestApproved {
		t.Fatalf("%+v", got)
	}
	becomes(t, window(c), "one", domain.StateReady)
	if r := decode[domain.Request](t, ask(t, window(c), http.MethodGet, request, nil)); r.UsedAt == nil {
		t.Errorf("what was approved can be approved again: %+v", r)
	}
	verified(t, c)
}
