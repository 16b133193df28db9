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
