package core_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/toolbox"
)

// agentOf makes an agent of the app local run tools, and reads its results.
func agentOf(t *testing.T, c *core.Core) func(name, arguments string) toolbox.ActionResult {
	t.Helper()
	use := toolbox.Use{Caller: domain.Caller{Kind: domain.CallerApp, Name: "local", User: domain.LocalUser, Session: "1"}}
	return func(name, arguments string) toolbox.ActionResult {
		t.Helper()
		return c.Toolbox().Run(mcptest.Within(t), use, name, json.RawMessage(arguments))
	}
}

func names(t *testing.T, result toolbox.ActionResult) []string {
	t.Helper()
	tools, ok := result.Data.([]toolbox.Named)
	if !ok {
		t.Fatalf("got %+v", result)
	}
	var all []string
	for _, tool := range tools {
		all = append(all, tool.Name)
	}
	return all
}

// An agent finds a tool of a real server by what it does, runs it, and sees at once what a server offers anew.
func TestAnAgentFindsAndRunsATool(t *testing.T) {
	c := listen(t, options(t, core.Serve))
	h := c.Handler(api.WindowPrincipal())
	d := mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{}))
	d.Name, d.DefaultVerdict = "fake", domain.Allow
	run := agentOf(t, c)
	if got := run("search_tools", `{"query":"wait for a while"}`); len(names(t, got)) != 0 {
		t.Errorf("before there is a server: %+v", got)
	}
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "fake", domain.StateReady)
	if got := names(t, run("search_tools", `{"query":"patienter un moment"}`)); len(got) == 0 || got[0] != "mcp_fake.wait" {
		t.Errorf("found %v", got)
	}
	result := run("execute_tool", `{"name":"mcp_fake.echo","params":{"message":"bonjour"}}`)
	if data, ok := result.Data.(toolbox.Data); !ok || !result.Success || data.Status != toolbox.StatusOK || result.Metadata.Source != "mcp_server:fake" {
		t.Errorf("got %+v", result)
	}
	if result := run("mcp_fake__echo", `{"message":"bonjour"}`); !result.Success {
		t.Errorf("as in direct mode: %+v", result)
	}
	ask(t, h, http.MethodPost, "/api/policy/rules", api.NewRule{Verdict: domain.Deny, Server: "fake", Actions: []string{"echo"}})
	if got := names(t, run("browse_category", `{"category":"mcp_fake","limit":200}`)); slices.Contains(got, "mcp_fake.echo") || !slices.Contains(got, "mcp_fake.wait") {
		t.Errorf("what is denied is seen: %v", got)
	}
	if result := run("execute_tool", `{"name":"mcp_fake.echo","params":{}}`); result.Success || result.Metadata.Code != domain.CodeUnknownTool {
		t.Errorf("what is denied is run: %+v", result)
	}
}

// An agent whose call lacks a token gets the address where a person signs in, though nobody knows the tools yet.
func TestAnAgentIsToldWhereToSignIn(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true})
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
	d.Name, d.DefaultVerdict = "vault", domain.Allow
	c := listen(t, options(t, core.Serve))
	h := c.Handler(api.WindowPrincipal())
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "vault", domain.StateNeedsSignIn)
	run := agentOf(t, c)
	result := run("execute_tool", `{"name":"mcp_vault.echo","params":{"message":"bonjour"}}`)
	needed := result.Metadata.RequiresOAuthMetadata
	if result.Success || needed == nil || needed.ServerID != "vault" || result.Error != needed.Sentence() {
		t.Fatalf("got %+v", result)
	}
	if page, err := oauthtest.Visit(mcptest.Within(t), nil, needed.AuthURL); err != nil || page.Status != http.StatusOK {
		t.Fatalf("the last page: %v, %d", err, page.Status)
	}
	becomes(t, h, "vault", domain.StateReady)
	if result := run("execute_tool", `{"name":"mcp_vault.echo","params":{"message":"bonjour"}}`); !result.Success {
		t.Errorf("after the sign-in: %+v", result)
	}
}

// notebook is a native module with a tool that reads and one that writes.
type notebook struct{ calls []string }

func (n *notebook) ID() string { return "notebook" }

func (n *notebook) Tools() []domain.Tool {
	tool := func(name, description string, effect domain.Effect) domain.Tool {
		schema := json.RawMessage(`{"type":"object","properties":{"page":{"type":"string"}},"required":["page"]}`)
		return domain.Tool{Name: name, Description: description, InputSchema: schema, Effect: effect}
	}
	return []domain.Tool{tool("read", "Read a page of the notebook", domain.Reads), tool("tear_out", "Tear out a page of the notebook", domain.Destroys)}
}

func (n *notebook) Call(_ context.Context, tool string, arguments json.RawMessage) (domain.Result, error) {
	n.calls = append(n.calls, tool+string(arguments))
	return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`)}, nil
}

// A native module is found, decided, asked about, written down and called as a server is: an agent sees no difference.
func TestANativeModuleIsAsAServer(t *testing.T) {
	module := &notebook{}
	o := options(t, core.Serve)
	o.Modules = []toolbox.Module{module}
	c := listen(t, o)
	h := c.Handler(api.WindowPrincipal())
	d := mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{}))
	d.Name, d.DefaultVerdict = "notebook", domain.Allow // a server of the same name is another one
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "notebook", domain.StateReady)
	run := agentOf(t, c)
	if got := run("list_categories", `{}`).Data; !slices.Equal(got.([]string), []string{"notebook", "mcp_notebook"}) { //nolint:forcetypeassert // a panic tells as much
		t.Errorf("categories %v", got)
	}
	if got := names(t, run("search_tools", `{"query":"lire une page du carnet"}`)); len(got) == 0 || got[0] != "notebook.read" {
		t.Errorf("found %v", got)
	}
	result := run("execute_tool", `{"name":"notebook.read","params":{"page":"1"}}`)
	if !result.Success || result.Metadata.Source != "notebook" {
		t.Errorf("read: %+v", result)
	}
	if result := run("notebook__read", `{}`); result.Success || result.Metadata.Code != domain.CodeInvalidArguments {
		t.Errorf("without its page: %+v", result)
	}
	if result := run("execute_tool", `{"name":"notebook.tear_out","params":{"page":"1"}}`); result.Success || result.Metadata.Code != domain.CodeApprovalNeeded {
		t.Errorf("what destroys is not asked: %+v", result)
	}
	if result := run("execute_tool", `{"name":"notebook.burn","params":{}}`); result.Metadata.Code != domain.CodeUnknownTool {
		t.Errorf("a tool that is not there: %+v", result)
	}
	ask(t, h, http.MethodPost, "/api/policy/rules", api.NewRule{Verdict: domain.Deny, Server: "native:notebook", Actions: []string{"read"}})
	if result := run("execute_tool", `{"name":"notebook.read","params":{"page":"2"}}`); result.Metadata.Code != domain.CodeUnknownTool {
		t.Errorf("what is denied is run: %+v", result)
	}
	if want := []string{`read{"page":"1"}`}; !slices.Equal(module.calls, want) {
		t.Errorf("calls %v, want %v", module.calls, want)
	}
}
