package core_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/toolbox"
)

// A server with more than 10,000 tools, a tool called like one of ours, a description of 5 MB, schemas that refer to themselves,
// and a person who lists a cacheable tool that is not there: each is handled, and said.
func TestAMonstrousServerIsHandledAndSaid(t *testing.T) {
	c := open(t, options(t, core.Serve))
	h := window(c)
	d := mcptest.Command(mcptest.Options{Name: "fake", Tools: 10_000, Behave: []mcptest.Behaviour{mcptest.Monstrous}})
	d.Name, d.DefaultVerdict, d.CacheableTools = "fake", domain.Allow, []string{"nothing"}
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	view := becomes(t, h, "fake", domain.StateReady)
	said := func(code domain.Code, key, value string) bool {
		return slices.ContainsFunc(view.Warnings, func(e *domain.Error) bool { return e.Code == code && e.Args[key] == value && e.Message != "" })
	}
	if !said(domain.CodeProtocol, "reason", "too_many") || !said(domain.CodeUnknownTool, "tool", "nothing") ||
		!said(domain.CodeProtocol, "name", "snake") || said(domain.CodeProtocol, "name", "tree") {
		t.Errorf("the warnings are %+v", view.Warnings)
	}

	run := agentOf(t, c)
	found := names(t, run("search_tools", `{"query":"mcp_fake.tool_4711"}`))
	if len(found) == 0 || found[0] != "mcp_fake.tool_4711" {
		t.Errorf("found %v", found)
	}
	for _, name := range []string{"search_tools", "endless", "tree", "snake"} {
		result := run("execute_tool", `{"name":"mcp_fake.`+name+`","params":{"branches":[{"branches":[]}],"head":1}}`)
		if data, ok := result.Data.(toolbox.Data); !ok || data.Text != name {
			t.Errorf("%s: %+v", name, result)
		}
	}
	if result := run("execute_tool", `{"name":"mcp_fake.tree","params":{"branches":[{"branches":7}]}}`); result.Metadata.Code != domain.CodeInvalidArguments {
		t.Errorf("what does not fit a schema that refers to itself: %+v", result)
	}
	result := run("get_tool", `{"name":"mcp_fake.endless"}`)
	if tool, ok := result.Data.(toolbox.Described); !ok || len(tool.Description) > 2*toolbox.DefaultLongest || result.Metadata.Cut == nil || result.Metadata.Total < 5<<20 {
		t.Errorf("%d bytes of description", len(tool.Description))
	}
	for _, path := range []string{"/api/toolbox/search?query=goes+on&limit=50", "/api/servers"} {
		if a := ask(t, h, http.MethodGet, path, nil); a.status != http.StatusOK || len(a.body) > 200_000 || !json.Valid(a.body) {
			t.Errorf("%s gives %d, %d bytes", path, a.status, len(a.body))
		}
	}
}
