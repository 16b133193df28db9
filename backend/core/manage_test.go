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

// An agent manages a real server by the actions of the module mcp, as far as the rules let it and no further.
func TestManagementActionsOfARealServer(t *testing.T) {
	c := listen(t, options(t, core.Serve))
	h := c.Handler(api.WindowPrincipal())
	d := mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{}))
	d.Name, d.DefaultVerdict = "fake", domain.Allow
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "fake", domain.StateReady)
	agent := agentOf(t, c)
	run := func(name, arguments string) string {
		t.Helper()
		written, err := json.Marshal(agent("mcp."+name, arguments))
		if err != nil {
			t.Fatal(err)
		}
		return string(written)
	}
	deny := func(actions ...string) {
		t.Helper()
		ask(t, h, http.MethodPost, "/api/policy/rules", api.NewRule{Verdict: domain.Deny, Server: "fake", Actions: actions})
	}
	expect := func(name, arguments, want string) {
		t.Helper()
		if got := run(name, arguments); !strings.Contains(got, want) {
			t.Errorf("%s %s: %s", name, arguments, got)
		}
	}
	expect("list_servers", `{}`, `"server_id":"fake","name":"fake","status":"ready"`)
	expect("health_check", `{}`, `{"server_id":"fake","healthy":true,"status":"ready"}`)
	expect("list_tools", `{"server_id":"fake"}`, `"name":"echo"`)
	expect("call_tool", `{"server_id":"fake","tool_name":"echo","arguments":{"message":"bonjour"}}`, `"status":"ok"`)
	expect("list_resources", `{"server_id":"fake"}`, `{"uri":"test://text","name":"text","description":"A text","mime_type":"text/plain"}`)
	expect("read_resource", `{"server_id":"fake","uri":"test://text"}`, `"success":true,"data":{"content":"`)
	expect("list_prompts", `{"server_id":"fake"}`, `[{"name":"greet","description":"Greets","arguments":[{"name":"who","required":true}]}]`)
	expect("get_prompt", `{"server_id":"fake","prompt_name":"greet","arguments":{"who":"Ada"}}`, `{"messages":[{"role":"user","content":"Bonjour Ada"}]}`)

	ask(t, h, http.MethodPost, "/api/policy/rules", api.NewRule{Verdict: domain.Ask, Server: "fake"})
	expect("call_tool", `{"server_id":"fake","tool_name":"echo","arguments":{"message":"bonjour"}}`, `"code":"approval_needed"`)
	expect("read_resource", `{"server_id":"fake","uri":"test://text"}`, `"code":"approval_needed"`)

	deny("echo", "resource:test://text", "prompt:greet")
	expect("call_tool", `{"server_id":"fake","tool_name":"echo","arguments":{"message":"bonjour"}}`, `"code":"unknown_tool"`)
	expect("read_resource", `{"server_id":"fake","uri":"test://text"}`, `"code":"denied"`)
	expect("get_prompt", `{"server_id":"fake","prompt_name":"greet","arguments":{"who":"Ada"}}`, `"code":"denied"`)
	expect("list_prompts", `{"server_id":"fake"}`, `"data":[]`)
	for _, list := range [][2]string{{"list_tools", `"name":"echo"`}, {"list_resources", "test://text"}} {
		if got := run(list[0], `{"server_id":"fake"}`); strings.Contains(got, list[1]) || !strings.Contains(got, `"success":true`) {
			t.Errorf("%s shows what is denied: %s", list[0], got)
		}
	}

	deny() // the server as a whole
	expect("list_servers", `{}`, `"data":[]`)
	expect("read_resource", `{"server_id":"fake","uri":"test://binary"}`, `"code":"unknown_server"`)
}
