package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

// value reads JSON, so that two texts compare as what they mean.
func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// The params of a request, and what the endpoint is asked besides the model and the length.
func TestRequestsAsChatCompletions(t *testing.T) {
	const weather = `{"name":"get_weather","title":"Weather","description":"Weather of a city",` +
		`"inputSchema":{"type":"object","properties":{"city":{"type":"string","maxLength":9007199254740993}},"required":["city"]},"outputSchema":{"type":"object"}}`
	const uses = `{"role":"assistant","content":[{"type":"text","text":"I look."},` +
		`{"type":"tool_use","id":"c1","name":"get_weather","input":{"city": "Paris"},"_meta":{"a":1}},{"type":"tool_use","id":"c2","name":"now","input":{}}]}`
	const usesPut = `{"role":"assistant","content":"I look.","tool_calls":[` +
		`{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Paris\"}"}},` +
		`{"id":"c2","type":"function","function":{"name":"now","arguments":"{}"}}]}`
	for _, tt := range []struct{ name, params, want string }{
		{"one text", `"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]`, `"messages":[{"role":"user","content":"Hi"}]`},
		{
			"a conversation with a system prompt", `"systemPrompt":"Be short.","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]},` +
				`{"role":"assistant","content":{"type":"text","text":"Hello"}},{"role":"user","content":{"type":"text","text":""}}]`,
			`"messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"},{"role":"user","content":""}]`,
		},
		{
			"an image and a text", `"messages":[{"role":"user","content":[{"type":"image","data":"aGk=","mimeType":"image/PNG"},{"type":"text","text":"What is it?","annotations":{"priority":1}}]}]`,
			`"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}},{"type":"text","text":"What is it?"}]}]`,
		},
		{
			"audio", `"messages":[{"role":"user","content":[{"type":"audio","data":"aGk=","mimeType":"audio/mpeg"},{"type":"audio","data":"aG8=","mimeType":"audio/x-wav; a=b"}]}]`,
			`"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"aGk=","format":"mp3"}},{"type":"input_audio","input_audio":{"data":"aG8=","format":"wav"}}]}]`,
		},
		{
			"several texts of the assistant", `"messages":[{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`,
			`"messages":[{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`,
		},
		{
			"how to write", `"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"temperature":0,"stopSequences":["END","\n"],"metadata":{"user":"lea","n":12345678901234567890}`,
			`"messages":[{"role":"user","content":"Hi"}],"temperature":0,"stop":["END","\n"],"metadata":{"user":"lea","n":12345678901234567890}`,
		},
		{
			"tools", `"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"tools":[` + weather + `],"toolChoice":{"mode":"required"}`,
			`"messages":[{"role":"user","content":"Hi"}],"tool_choice":"required","tools":[{"type":"function","function":{"name":"get_weather","description":"Weather of a city",` +
				`"parameters":{"type":"object","properties":{"city":{"type":"string","maxLength":9007199254740993}},"required":["city"]}}}]`,
		},
		{
			"a choice among no tools", `"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"tools":[],"toolChoice":{"mode":"none"}`,
			`"messages":[{"role":"user","content":"Hi"}]`,
		},
		{
			"uses and results of tools", `"messages":[` + uses + `,{"role":"user","content":[` +
				`{"type":"tool_result","toolUseId":"c1","content":[{"type":"text","text":"18°C"},{"type":"resource_link","name":"map","uri":"https://e.test/map"},` +
				`{"type":"resource","resource":{"uri":"file:///a","text":"dry"}}]},` +
				`{"type":"tool_result","toolUseId":"c2","isError":true,"content":[{"type":"text","text":"no clock"}]}]}]`,
			`"messages":[` + usesPut + `,{"role":"tool","tool_call_id":"c1","content":"18°C\nmap https://e.test/map\nfile:///a\ndry"},` +
				`{"role":"tool","tool_call_id":"c2","content":"The tool failed.\nno clock"}]`,
		},
		{
			"structured results, once", `"messages":[` + uses + `,{"role":"user","content":[` +
				`{"type":"tool_result","toolUseId":"c1","content":[{"type":"text","text":"{ \"t\": 18 }"}],"structuredContent":{"t":18}},` +
				`{"type":"tool_result","toolUseId":"c2","content":[{"type":"text","text":"noon"}],"structuredContent":{"h":12}}]}]`,
			`"messages":[` + usesPut + `,{"role":"tool","tool_call_id":"c1","content":"{ \"t\": 18 }"},{"role":"tool","tool_call_id":"c2","content":"noon\n{\"h\":12}"}]`,
		},
		{
			"names that functions cannot have", `"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"tools":[{"name":"a.b","inputSchema":{}},{"name":"a_b","inputSchema":{}},` +
				`{"name":"a/b","inputSchema":{}},{"name":"` + strings.Repeat("é", 40) + `","inputSchema":{}}]`,
			`"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"a_b_2","parameters":{}}},{"type":"function","function":{"name":"a_b","parameters":{}}},` +
				`{"type":"function","function":{"name":"a_b_3","parameters":{}}},{"type":"function","function":{"name":"` + strings.Repeat("_", 40) + `","parameters":{}}}]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wanted, err := readRequest(json.RawMessage(`{"maxTokens":50,` + tt.params + `}`))
			if err != nil {
				t.Fatal(err)
			}
			asked, err := wanted.chat(newToolNames(wanted))
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(asked)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(value(t, `{"max_tokens":50,`+tt.want+`}`), value(t, string(text))); diff != "" {
				t.Errorf("it asks %s\n%s", text, diff)
			}
			if strings.Contains(tt.params, "9007199254740993") && !strings.Contains(string(text), "9007199254740993") {
				t.Error("a large number of a schema was rounded")
			}
		})
	}
}

func TestRequestsThatFitNoModel(t *testing.T) {
	user := func(content string) string { return `{"role":"user","content":` + content + `}` }
	const use = `{"role":"assistant","content":{"type":"tool_use","id":"c1","name":"now","input":{}}}`
	for _, tt := range []struct{ name, params, where string }{
		{"no object", `[1]`, "params"},
		{"a text that is a number", `{"messages":[` + user(`{"type":"text","text":1}`) + `],"maxTokens":5}`, "params"},
		{"no message", `{"messages":[],"maxTokens":5}`, "messages"},
		{"no length", `{"messages":[` + user(`{"type":"text","text":"Hi"}`) + `]}`, "maxTokens"},
		{"half a token", `{"messages":[` + user(`{"type":"text","text":"Hi"}`) + `],"maxTokens":0.5}`, "maxTokens"},
		{"no content", of(user(`[]`)), "messages[0]"},
		{"no role", of(`{"role":"system","content":{"type":"text","text":"Hi"}}`), "messages[0]"},
		{"no text", of(user(`{"type":"text"}`)), "messages[0].content[0]"},
		{"an unknown type", of(user(`{"type":"video","data":"aGk="}`)), "messages[0].content[0]"},
		{"an image that is none", of(user(`{"type":"image","data":"aGk=","mimeType":"text/html"}`)), "messages[0].content[0]"},
		{"audio that models do not hear", of(user(`[{"type":"text","text":"Hi"},{"type":"audio","data":"aGk=","mimeType":"audio/ogg"}]`)), "messages[0].content[1]"},
		{"an image of the assistant", of(`{"role":"assistant","content":{"type":"image","data":"aGk=","mimeType":"image/png"}}`), "messages[0].content[0]"},
		{"a use without an id", of(`{"role":"assistant","content":{"type":"tool_use","name":"now","input":{}}}`, user(`{"type":"tool_result","toolUseId":"","content":[]}`)), "messages[0].content[0]"},
		{"a use whose input is no object", of(`{"role":"assistant","content":{"type":"tool_use","id":"c1","name":"now","input":[]}}`, user(`{"type":"tool_result","toolUseId":"c1","content":[]}`)), "messages[0].content[0]"},
		{"a use without a result", of(use, user(`{"type":"text","text":"Hi"}`)), "messages[1]"},
		{"a use at the end", of(use), "messages[0]"},
		{"a result without a use", of(user(`{"type":"tool_result","toolUseId":"c1","content":[]}`)), "messages[0]"},
		{"a result twice", of(use, user(`[{"type":"tool_result","toolUseId":"c1","content":[]},{"type":"tool_result","toolUseId":"c1","content":[]}]`)), "messages[1]"},
		{"a text after a result", of(use, user(`[{"type":"tool_result","toolUseId":"c1","content":[]},{"type":"text","text":"Hi"}]`)), "messages[1].content[1]"},
		{"a result after a text", of(use, user(`[{"type":"text","text":"Hi"},{"type":"tool_result","toolUseId":"c1","content":[]}]`)), "messages[1].content[1]"},
		{"an image in a result", of(use, user(`{"type":"tool_result","toolUseId":"c1","content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`)), "messages[1].content[0].content[0]"},
		{"bytes in a result", of(use, user(`{"type":"tool_result","toolUseId":"c1","content":[{"type":"resource","resource":{"uri":"a:b","blob":"aGk="}}]}`)), "messages[1].content[0].content[0]"},
		{"a tool without a schema", `{"messages":[` + user(`{"type":"text","text":"Hi"}`) + `],"maxTokens":5,"tools":[{"name":"now"}]}`, "tools[0]"},
		{"no such choice", `{"messages":[` + user(`{"type":"text","text":"Hi"}`) + `],"maxTokens":5,"toolChoice":{"mode":"any"}}`, "toolChoice.mode"},
		{"a tool is required, and none is there", `{"messages":[` + user(`{"type":"text","text":"Hi"}`) + `],"maxTokens":5,"toolChoice":{"mode":"required"}}`, "toolChoice.mode"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEndpoint(t)
			_, _, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(tt.params))
			if domain.CodeOf(err) != domain.CodeSamplingUnfit || domain.AsError(err).Args["where"] != tt.where {
				t.Errorf("it gives %v, %v", err, domain.AsError(err))
			}
			if e.count() > 0 {
				t.Error("the endpoint was asked")
			}
		})
	}
}

// of is a request with these messages.
func of(messages ...string) string {
	return fmt.Sprintf(`{"messages":[%s],"maxTokens":5}`, strings.Join(messages, ","))
}

// What MCP lets a client ignore is said, so that a person knows.
func TestWhatIsNotToldIsNamed(t *testing.T) {
	e := newEndpoint(t)
	_, used, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":5,`+
		`"includeContext":"thisServer","_meta":{"progressToken":1},"task":{"ttl":1},"brandNew":true,"modelPreferences":{"costPriority":0.3,"speedPriority":0,"hints":[]}}`))
	want := []string{"brandNew", "includeContext", "modelPreferences.costPriority", "modelPreferences.speedPriority", "task"}
	if diff := cmp.Diff(want, used.Ignored); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
