package toolbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/search"
)

// bench is a toolbox over tools that a test lists.
type bench struct {
	*Toolbox
	t       *testing.T
	offered []Offered
	// unlisted is a server whose tools nobody knows.
	unlisted string
	calls    []domain.Call
	answer   func(domain.Call) (domain.Result, error)
}

func (b *bench) Offered(_ context.Context, caller domain.Caller) ([]Offered, error) {
	if caller != agent {
		return nil, nil
	}
	return b.offered, nil
}

func (b *bench) Unlisted(server string) bool { return server == b.unlisted }

func offer(server, name, description, schema string) Offered {
	return Offered{
		Tool: domain.Tool{Server: server, Name: name, Description: description, InputSchema: json.RawMessage(schema)},
		FQN:  "mcp_" + server + "." + name, Wire: "mcp_" + server + "__" + name, Module: "mcp_" + server, Source: "mcp_server:" + server,
	}
}

func native(module, name string) Offered {
	return Offered{
		Tool: domain.Tool{Server: module, Name: name, Description: "Read a file"},
		FQN:  module + "." + name, Wire: module + "__" + name, Module: module, Source: module,
	}
}

const postSchema = `{"type":"object","properties":{"channel":{"type":"string"},"text":{"type":"string"},"thread":{}},"required":["channel","text"]}`

func newBench(t *testing.T, offered ...Offered) *bench {
	t.Helper()
	b := &bench{t: t, offered: offered}
	b.answer = func(domain.Call) (domain.Result, error) {
		return resultOf(`{"content":[{"type":"text","text":"Message posted"}]}`), nil
	}
	index := search.New()
	by := make(map[string][]search.Document)
	for _, tool := range offered {
		by[tool.Server] = append(by[tool.Server], search.Document{FQN: tool.FQN, Server: tool.Server, Name: tool.Name, Description: tool.Description})
	}
	for server, documents := range by {
		if err := index.Set(server, documents); err != nil {
			t.Fatal(err)
		}
	}
	b.Toolbox = New(Options{Offers: b, Finder: index, Call: func(_ context.Context, call domain.Call) (domain.Result, error) {
		b.calls = append(b.calls, call)
		return b.answer(call)
	}})
	return b
}

// team are the tools of the specification's example.
func team(t *testing.T) *bench {
	t.Helper()
	return newBench(t,
		offer("slack", "post_message", "Post a message to Slack", postSchema),
		offer("slack", "list_channels", "List channels", `{}`),
		offer("github", "create_issue", "Create an issue", `{}`), offer("brave", "search", "Search the web", `{}`),
		native("filesystem", "read"), native("database", "fetch_results"),
	)
}

// run is what an agent gets, as it reads it.
func (b *bench) run(name, arguments string) string {
	b.t.Helper()
	written, err := json.Marshal(b.Run(b.t.Context(), Use{Caller: agent, Turn: "7"}, name, json.RawMessage(arguments)))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(written)
}

func TestMetaToolsHaveTheSpecifiedShapes(t *testing.T) {
	b := team(t)
	for _, c := range []struct{ name, arguments, want string }{
		{"list_categories", ``, `{"success":true,"data":["database","filesystem","mcp_brave","mcp_github","mcp_slack"],"metadata":{"cache_hit":false}}`},
		{
			"browse_category", `{"category":"mcp_slack","limit":1}`,
			`{"success":true,"data":[{"name":"mcp_slack.post_message","description":"Post a message to Slack","parameters":"channel*, text*, thread"}],` +
				`"metadata":{"cache_hit":false,"hint":"1 of 2 tools; go on with offset 1, or use search_tools."}}`,
		},
		{
			"browse_category", `{"category":"mcp_slack","offset":1}`,
			`{"success":true,"data":[{"name":"mcp_slack.list_channels","description":"List channels"}],"metadata":{"cache_hit":false}}`,
		},
		{
			"execute_tool", `{"name":"mcp_slack.post_message","params":{"channel":"#general","text":"Hello"}}`,
			`{"success":true,"data":{"content":[{"type":"text","text":"Message posted"}],"text":"Message posted","status":"ok","output":"Message posted",` +
				`"images":[],"resources":[]},"metadata":{"cache_hit":false,"_source":"mcp_server:slack"}}`,
		},
		{
			"get_tool", `{"name":"mcp_slack.post_message"}`,
			`{"success":true,"data":{"name":"mcp_slack.post_message","description":"Post a message to Slack","input_schema":` + postSchema +
				`,"effect":"","asks_a_person":false},"metadata":{"cache_hit":false}}`,
		},
	} {
		if got := b.run(c.name, c.arguments); got != c.want {
			t.Errorf("%s %s\ngot  %s\nwant %s", c.name, c.arguments, got, c.want)
		}
	}
	if got := b.run("search_tools", `{"query":"post message"}`); !strings.HasPrefix(got, `{"success":true,"data":[{"name":"mcp_slack.post_message",`) {
		t.Errorf("search_tools: %s", got)
	}
}

func TestACallIsMadeAsTheAgentMeantIt(t *testing.T) {
	b := team(t)
	for _, name := range []string{"mcp_slack.post_message", "mcp_slack__post_message"} {
		b.calls = nil
		b.run("execute_tool", `{"name":"`+name+`","params":{"channel":"#general","n":1.50}}`)
		b.run(name, `{"channel":"#general","n":1.50}`) // as in direct mode
		for _, call := range b.calls {
			const want = `{"arguments":{"channel":"#general","n":1.50},"name":"post_message"}`
			if call.Server != "slack" || call.Name != "post_message" || string(call.Params) != want || call.Caller != agent || call.Turn != "7" {
				t.Errorf("%s: %+v %s", name, call, call.Params)
			}
		}
		if len(b.calls) != 2 {
			t.Errorf("%s: %d calls", name, len(b.calls))
		}
	}
	b.run("execute_tool", `{"name":"mcp_slack.list_channels"}`)
	if last := b.calls[len(b.calls)-1]; string(last.Params) != `{"arguments":{},"name":"list_channels"}` {
		t.Errorf("without params: %s", last.Params)
	}
}

func TestWhatDoesNotFitIsSaid(t *testing.T) {
	b := team(t)
	for _, c := range []struct{ name, arguments, want string }{
		{"execute_tool", `{"name":"mcp_slack.post_mesage"}`, "Did you mean mcp_slack.post_message"},
		{"execute_tool", `{"name":"search_tools","params":{}}`, "called by its own name"},
		{"execute_tool", `{"name":3}`, "invalid_arguments"},
		{"execute_tool", `{"name":"mcp_hidden.tool"}`, "unknown_tool"},
		{"browse_category", `{"category":"slack"}`, "There are: database, filesystem, mcp_brave, mcp_github, mcp_slack."},
		{"search_tools", `{"query":"  "}`, "the query is empty"},
		{"search_tools", `[]`, "invalid_arguments"},
		{"search_tools", `{"query":"zzzz"}`, "Nothing fits"},
		{"get_tool", `{"name":"nobody.none"}`, "unknown_tool"},
		{"read_more", `{"handle":"none"}`, "unknown_item"},
		{"no_such_tool", `{}`, "unknown_tool"},
	} {
		if got := b.run(c.name, c.arguments); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.name, c.arguments, got)
		}
	}
	if len(b.calls) != 0 {
		t.Errorf("calls were made: %v", b.calls)
	}
}

func TestAFailureSaysWhatToDo(t *testing.T) {
	b := team(t)
	b.answer = func(domain.Call) (domain.Result, error) {
		return domain.Result{}, &domain.Error{Code: domain.CodeApprovalNeeded, Message: "a person is asked", Hint: "Try again later.", Args: map[string]string{"request_id": "12"}}
	}
	const want = `{"success":false,"error":"a person is asked","metadata":{"cache_hit":false,"_source":"mcp_server:brave",` +
		`"code":"approval_needed","hint":"Try again later.","request":"12"}}`
	if got := b.run("mcp_brave.search", `{}`); got != want {
		t.Errorf("got %s", got)
	}
}

func TestACallWithoutASignInSaysWhereToSignIn(t *testing.T) {
	b := team(t)
	b.answer = func(domain.Call) (domain.Result, error) {
		return domain.Result{}, &domain.Error{Code: domain.CodeSignInNeeded, Message: "The server wants a sign-in.", Hint: "Sign in."}
	}
	const without = `{"success":false,"error":"The server wants a sign-in.",` +
		`"metadata":{"cache_hit":false,"_source":"mcp_server:github","code":"sign_in_needed","hint":"Sign in."}}`
	if got := b.run("mcp_github.create_issue", `{}`); got != without {
		t.Errorf("where nobody can say where: %s", got)
	}
	b.SignIn = func(_ context.Context, caller domain.Caller, server string) *RequiresOAuthMetadata {
		if caller != agent || server != "github" {
			t.Errorf("offered to %v for %s", caller, server)
		}
		return &RequiresOAuthMetadata{true, "github", "https://github.com/login/oauth/authorize?state=abc123", "abc123", server}
	}
	const want = `{"success":false,"error":"User needs to authorize github for server 'github'.","metadata":{"cache_hit":false,"_source":"mcp_server:github",` +
		`"code":"sign_in_needed","hint":"Sign in.","requires_oauth":true,"provider":"github",` +
		`"auth_url":"https://github.com/login/oauth/authorize?state=abc123","state":"abc123","server_id":"github"}}`
	if got := b.run("mcp_github.create_issue", `{}`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	b.answer = func(domain.Call) (domain.Result, error) {
		return domain.Result{}, &domain.Error{Code: domain.CodeDenied, Message: "no"}
	}
	if got := b.run("mcp_github.create_issue", `{}`); strings.Contains(got, "requires_oauth") {
		t.Errorf("a denied call: %s", got)
	}
}

func TestAToolOfAServerThatLacksSomethingSaysWhat(t *testing.T) {
	b := team(t)
	b.unlisted = "calendar"
	b.answer = func(domain.Call) (domain.Result, error) {
		return domain.Result{}, &domain.Error{Code: domain.CodeServerOff, Message: "it does not run"}
	}
	for _, name := range []string{"mcp_calendar.list_events", "mcp_calendar__list_events"} {
		if got := b.run("execute_tool", `{"name":"`+name+`"}`); !strings.Contains(got, `"error":"it does not run"`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := b.run("get_tool", `{"name":"mcp_calendar.list_events"}`); !strings.Contains(got, "are not known yet") {
		t.Errorf("get_tool: %s", got)
	}
	if got := b.run("execute_tool", `{"name":"mcp_nobody.list_events"}`); !strings.Contains(got, "unknown_tool") || len(b.calls) != 2 {
		t.Errorf("of no server: %s", got)
	}
}

func TestALongResultIsReadOn(t *testing.T) {
	b := team(t)
	b.Longest = 1000
	b.answer = func(domain.Call) (domain.Result, error) {
		text, _ := json.Marshal(strings.Repeat("0123456789\n", 500))
		return resultOf(`{"content":[{"type":"text","text":` + string(text) + `}]}`), nil
	}
	var first struct {
		Data     struct{ Output string }
		Metadata Cut
	}
	if err := json.Unmarshal([]byte(b.run("mcp_brave.search", `{}`)), &first); err != nil || !first.Metadata.Truncated || len(first.Data.Output) > 1200 {
		t.Fatalf("%v: %+v", err, first)
	}
	got := b.run("read_more", fmt.Sprintf(`{"handle":%q,"offset":%d}`, first.Metadata.Handle, first.Metadata.Next))
	if !strings.Contains(got, `"next_offset":`) || !strings.HasPrefix(got, `{"success":true,"data":{"text":"0123456789\n`) {
		t.Errorf("got %s", got)
	}
}

func TestAnAgentSeesOnlyWhatItMayUse(t *testing.T) {
	b := team(t)
	other := Use{Caller: domain.Caller{Kind: domain.CallerApp, Name: "stranger"}}
	for _, c := range [][2]string{
		{"search_tools", `{"query":"post message"}`},
		{"browse_category", `{"category":"mcp_slack"}`},
		{"get_tool", `{"name":"mcp_slack.post_message"}`},
		{"execute_tool", `{"name":"mcp_slack.post_message"}`},
		{"mcp_slack__post_message", `{}`},
	} {
		if written, _ := json.Marshal(b.Run(t.Context(), other, c[0], json.RawMessage(c[1]))); strings.Contains(string(written), "Post a message") {
			t.Errorf("%s: %s", c[0], written)
		}
	}
	if len(b.calls) != 0 {
		t.Errorf("calls were made: %v", b.calls)
	}
}

func TestModes(t *testing.T) {
	b := team(t)
	listed := func(mode Mode) ([]string, Mode) {
		t.Helper()
		definitions, meant, err := b.Definitions(t.Context(), agent, mode)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range definitions {
			names = append(names, d.Name)
			if !json.Valid(d.InputSchema) || d.Description == "" {
				t.Errorf("%+v", d)
			}
		}
		return names, meant
	}
	direct := []string{"database__fetch_results", "filesystem__read", "mcp_brave__search", "mcp_github__create_issue", "mcp_slack__list_channels", "mcp_slack__post_message", "read_more"}
	meta := []string{"browse_category", "execute_tool", "get_tool", "list_categories", "read_more", "search_tools"}
	for mode, want := range map[Mode][]string{Direct: direct, Discovery: meta, Auto: direct} {
		if got, _ := listed(mode); !slices.Equal(got, want) {
			t.Errorf("%s: %v", mode, got)
		}
	}
	b.offered = append(b.offered, offer("long", "tool", strings.Repeat("x", directBytes), `{}`))
	if got, meant := listed(Auto); !slices.Equal(got, meta) || meant != Discovery {
		t.Errorf("with a long one: %s %v", meant, got)
	}
	b.offered = nil
	for i := range directTools + 1 {
		b.offered = append(b.offered, offer("many", fmt.Sprint("tool", i), "a tool", `{}`))
	}
	if got, _ := listed(Auto); !slices.Equal(got, meta) {
		t.Errorf("with many: %v", got)
	}
}

// A tool of a server that is called like a meta-tool is another one.
func TestAToolNamedLikeAMetaTool(t *testing.T) {
	b := newBench(t, offer("slack", "search_tools", "Search for hammers", `{}`), offer("slack", "execute_tool", "Run a hammer", `{}`))
	if got := b.run("search_tools", `{"query":"hammers"}`); !strings.Contains(got, `"name":"mcp_slack.search_tools"`) || len(b.calls) != 0 {
		t.Errorf("the meta-tool: %s", got)
	}
	b.run("execute_tool", `{"name":"mcp_slack.execute_tool"}`)
	if len(b.calls) != 1 || b.calls[0].Name != "execute_tool" {
		t.Errorf("the server's tool: %+v", b.calls)
	}
}

func TestTenThousandTools(t *testing.T) {
	var many []Offered
	for i := range 10_000 {
		many = append(many, offer(fmt.Sprint("s", i/100), fmt.Sprint("tool_", i), fmt.Sprint("Does thing number ", i), `{}`))
	}
	b := newBench(t, many...)
	if got := b.run("search_tools", `{"query":"thing number 4711"}`); !strings.Contains(got, `"data":[{"name":"mcp_s47.tool_4711"`) {
		t.Errorf("got %.300s", got)
	}
	if got := b.run("browse_category", `{"category":"mcp_s47"}`); !strings.Contains(got, "50 of 100 tools") {
		t.Errorf("got %s", got[len(got)-200:])
	}
}
