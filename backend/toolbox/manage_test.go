package toolbox

import (
	"context"
	"errors"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// house is what a test says of its servers.
type house struct{ pinged chan string }

func (h house) Seen(caller domain.Caller) ([]ServerState, error) {
	if caller != agent {
		return []ServerState{}, nil
	}
	return []ServerState{
		{"filesystem", "Files", domain.StateReady, domain.Stdio, 2, ""},
		{"my_server", "Mine", domain.StateReady, domain.StreamableHTTP, 0, ""},
		{"slack", "Slack", domain.StateOff, domain.Stdio, 2, "it is switched off"},
	}, nil
}

func (h house) Ping(_ context.Context, server string) error {
	h.pinged <- server
	if server == "my_server" {
		return errors.New("no answer")
	}
	return nil
}

func (h house) Resources(_ context.Context, _ domain.Caller, _ string) ([]domain.Resource, error) {
	return []domain.Resource{{Server: "filesystem", URI: "file:///tmp/readme.md", Name: "readme.md", MIMEType: "text/markdown"}}, nil
}

func (h house) Prompts(_ context.Context, _ domain.Caller, _ string) ([]domain.Prompt, error) {
	code := []domain.PromptArgument{{Name: "code", Required: true}}
	return []domain.Prompt{{Server: "my_server", Name: "code_review", Description: "Review code", Arguments: code}}, nil
}

// managing is the bench of team with servers to manage, which answer as the specification's examples do.
func managing(t *testing.T) *bench {
	t.Helper()
	b := team(t)
	h := house{pinged: make(chan string, 10)}
	b.Servers, b.Readings = h, h
	b.answer = func(call domain.Call) (domain.Result, error) {
		switch call.Kind {
		case domain.ResourceRead:
			return resultOf(`{"contents":[{"uri":"file:///tmp/readme.md","mimeType":"text/markdown","text":"# Mon fichier..."}]}`), nil
		case domain.PromptGet:
			return resultOf(`{"messages":[{"role":"user","content":{"type":"text","text":"Please review this code: def foo(): ..."}}]}`), nil
		default:
			return resultOf(`{"content":[{"type":"text","text":"Message posted"}]}`), nil
		}
	}
	return b
}

func TestManagementActionsHaveTheSpecifiedShapes(t *testing.T) {
	b := managing(t)
	for _, c := range []struct{ name, arguments, want string }{
		{
			"list_servers", ``, `[{"server_id":"filesystem","name":"Files","status":"ready","transport":"stdio","tools":2},` +
				`{"server_id":"my_server","name":"Mine","status":"ready","transport":"streamable_http","tools":0},` +
				`{"server_id":"slack","name":"Slack","status":"off","transport":"stdio","tools":2,"error":"it is switched off"}]`,
		},
		{
			"health_check", ``, `[{"server_id":"filesystem","healthy":true,"status":"ready"},` +
				`{"server_id":"my_server","healthy":false,"status":"ready","error":"no answer"},` +
				`{"server_id":"slack","healthy":false,"status":"off","error":"it is switched off"}]`,
		},
		{"health_check", `{"server_id":"filesystem"}`, `[{"server_id":"filesystem","healthy":true,"status":"ready"}]`},
		{
			"list_tools", `{"server_id":"slack","limit":1}`,
			`[{"name":"post_message","description":"Post a message to Slack","parameters":"channel*, text*, thread"}]`,
		},
		{
			"call_tool", `{"server_id":"slack","tool_name":"post_message","arguments":{"channel":"#general","text":"Hello"}}`,
			`{"content":[{"type":"text","text":"Message posted"}],"text":"Message posted","status":"ok","output":"Message posted","images":[],"resources":[]}`,
		},
		{"list_resources", `{"server_id":"filesystem"}`, `[{"uri":"file:///tmp/readme.md","name":"readme.md","mime_type":"text/markdown"}]`},
		{"read_resource", `{"server_id":"filesystem","uri":"file:///tmp/readme.md"}`, `{"content":"# Mon fichier..."}`},
		{
			"list_prompts", `{"server_id":"my_server"}`,
			`[{"name":"code_review","description":"Review code","arguments":[{"name":"code","required":true}]}]`,
		},
		{
			"get_prompt", `{"server_id":"my_server","prompt_name":"code_review","arguments":{"code":"def foo(): ..."}}`,
			`{"messages":[{"role":"user","content":"Please review this code: def foo(): ..."}]}`,
		},
	} {
		want := `{"success":true,"data":` + c.want + `,"metadata":`
		if got := b.run("mcp."+c.name, c.arguments); !strings.HasPrefix(got, want) {
			t.Errorf("%s %s\ngot  %s\nwant %s", c.name, c.arguments, got, want)
		}
		if got := b.run("execute_tool", `{"name":"mcp__`+c.name+`","params":`+firstOf(c.arguments, "null")+`}`); !strings.HasPrefix(got, want) {
			t.Errorf("by execute_tool, %s: %s", c.name, got)
		}
	}
	if got := b.run("mcp.list_tools", `{"server_id":"slack","limit":1}`); !strings.Contains(got, `"hint":"1 of 2; go on with offset 1."`) {
		t.Errorf("a long list: %s", got)
	}
}

// What an action goes to is called as itself: the one road decides, asks and writes down.
func TestAManagementActionIsACallOfItsTarget(t *testing.T) {
	b := managing(t)
	b.run("mcp.call_tool", `{"server_id":"slack","tool_name":"post_message","arguments":{"n":1.50}}`)
	b.run("mcp.read_resource", `{"server_id":"filesystem","uri":"file:///tmp/readme.md"}`)
	b.run("mcp.get_prompt", `{"server_id":"my_server","prompt_name":"code_review","arguments":{"code":"x"}}`)
	want := []struct {
		kind                 domain.CallKind
		server, name, params string
	}{
		{domain.ToolCall, "slack", "post_message", `{"arguments":{"n":1.50},"name":"post_message"}`},
		{domain.ResourceRead, "filesystem", "file:///tmp/readme.md", `{"uri":"file:///tmp/readme.md"}`},
		{domain.PromptGet, "my_server", "code_review", `{"arguments":{"code":"x"},"name":"code_review"}`},
	}
	if len(b.calls) != len(want) {
		t.Fatalf("calls: %+v", b.calls)
	}
	for i, w := range want {
		call := b.calls[i]
		if call.Kind != w.kind || call.Server != w.server || call.Name != w.name || string(call.Params) != w.params || call.Caller != agent || call.Turn != "7" {
			t.Errorf("got %+v %s, want %+v", call, call.Params, w)
		}
	}
	b.answer = func(domain.Call) (domain.Result, error) {
		return domain.Result{}, &domain.Error{Code: domain.CodeDenied, Message: "the policy forbids it"}
	}
	for _, c := range [][2]string{
		{"mcp.call_tool", `{"server_id":"slack","tool_name":"post_message"}`},
		{"mcp.read_resource", `{"server_id":"filesystem","uri":"file:///etc/passwd"}`},
		{"mcp.get_prompt", `{"server_id":"my_server","prompt_name":"code_review"}`},
	} {
		if got := b.run(c[0], c[1]); !strings.HasPrefix(got, `{"success":false,"error":"the policy forbids it"`) {
			t.Errorf("%s, denied: %s", c[0], got)
		}
	}
}

func TestManagementActionsSayWhatDoesNotFit(t *testing.T) {
	b := managing(t)
	for _, c := range [][3]string{
		{"mcp.list_tools", `{"server_id":"hidden"}`, `"code":"unknown_server"`},
		{"mcp.list_resources", `{}`, `"code":"unknown_server"`},
		{"mcp.read_resource", `{"server_id":"hidden","uri":"x"}`, `"code":"unknown_server"`},
		{"mcp.get_prompt", `{"server_id":"../slack","prompt_name":"x"}`, `"code":"unknown_server"`},
		{"mcp.list_prompts", `{"server_id":"Slack"}`, `"code":"unknown_server"`},
		{"mcp.health_check", `{"server_id":"hidden"}`, `"code":"unknown_server"`},
		{"mcp.call_tool", `{"server_id":"github","tool_name":"create_issue"}`, `"code":"unknown_server"`}, // its tools are offered, it is not seen
		{"mcp.call_tool", `{"server_id":"slack","tool_name":"delete_all"}`, `"code":"unknown_tool"`},
		{"mcp.call_tool", `{"server_id":["slack"]}`, `"code":"invalid_arguments"`},
		{"mcp.call_tool", `{"server_id":"slack","tool_name":"post_message","params":{}}`, `"code":"invalid_arguments"`},
		{"mcp.nothing", `{}`, `"code":"unknown_tool"`},
	} {
		if got := b.run(c[0], c[1]); !strings.Contains(got, c[2]) {
			t.Errorf("%s %s: %s", c[0], c[1], got)
		}
	}
	if len(b.calls) != 0 {
		t.Errorf("calls were made: %+v", b.calls)
	}
}

func TestManagementActionsAreThereToChoose(t *testing.T) {
	b := managing(t)
	if got := b.run("browse_category", `{"category":"mcp"}`); strings.Count(got, `"name":"mcp.`) != len(actions()) {
		t.Errorf("browse: %s", got)
	}
	if got := b.run("get_tool", `{"name":"mcp.read_resource"}`); !strings.Contains(got, `"required":["server_id","uri"]`) {
		t.Errorf("describe: %s", got)
	}
	definitions, _, err := b.Definitions(t.Context(), agent, Direct)
	if err != nil || len(definitions) != 1+len(b.offered)+len(actions()) {
		t.Errorf("in direct mode: %v, %+v", err, definitions)
	}
}

func TestWhatIsReadIsKeptWhereItIsLong(t *testing.T) {
	b := managing(t)
	b.Longest = 1000
	long := strings.Repeat("x", 5000)
	b.answer = func(call domain.Call) (domain.Result, error) {
		if call.Kind == domain.PromptGet {
			return resultOf(`{"messages":[{"role":"user","content":{"type":"text","text":"` + long + `"}}]}`), nil
		}
		return resultOf(`{"contents":[{"uri":"a","text":"` + long + `"},{"uri":"b","mimeType":"image/png","blob":"AAAA"}]}`), nil
	}
	got := b.run("mcp.read_resource", `{"server_id":"filesystem","uri":"a"}`)
	if len(got) > 2000 || !strings.Contains(got, `"truncated":true`) || !strings.Contains(got, `"resources":[{"uri":"b","mime_type":"image/png","blob":"AAAA"}]`) {
		t.Errorf("a resource: %s", got)
	}
	got = b.run("mcp.get_prompt", `{"server_id":"my_server","prompt_name":"code_review"}`)
	if len(got) > 2000 || !strings.Contains(got, `"truncated":true,"json":true`) || !strings.Contains(got, `"messages":[]`) {
		t.Errorf("a prompt: %s", got)
	}
}
