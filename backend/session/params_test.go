package session

import (
	"bytes"
	"encoding/json"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// sent is what goes out for a call in a session with a handshake, whose progress token is T.
func sent(call domain.Call) (method string, params json.RawMessage, err error) {
	method, params, err = request(call)
	if err == nil {
		s := &Session{greeting: Greeting{Version: handshaken()[0]}, options: Options{Answerer: nobody{}}}
		params, err = s.dress(params, "T")
	}
	return method, params, err
}

func TestRequestParams(t *testing.T) {
	tests := []struct {
		name   string
		kind   domain.CallKind
		call   string
		params string
		method string
		want   string // empty: refused
	}{
		{"built from the name", domain.ToolCall, "echo", ``, "tools/call", `{"_meta":{"progressToken":"T"},"name":"echo"}`},
		{"kept as it was written", domain.ToolCall, "echo", `{ "name":"echo", "arguments":{"n":1.0e2} }`, "tools/call", `{"_meta":{"progressToken":"T"}, "name":"echo", "arguments":{"n":1.0e2} }`},
		{"put into _meta", domain.ToolCall, "echo", `{"name":"echo","_meta":{"k":{}},"arguments":{"k":{}}}`, "tools/call", `{"name":"echo","_meta":{"progressToken":"T","k":{}},"arguments":{"k":{}}}`},
		{"put into an empty _meta", domain.ToolCall, "echo", `{"arguments":{},"_meta":{},"name":"echo"}`, "tools/call", `{"arguments":{},"_meta":{"progressToken":"T"},"name":"echo"}`},
		{"in the place of another token", domain.ToolCall, "echo", `{"_meta":{"progressToken": 7,"x":7},"name":"echo"}`, "tools/call", `{"_meta":{"progressToken": "T","x":7},"name":"echo"}`},
		{"a resource", domain.ResourceRead, "a://b", `{"uri":"a://b"}`, "resources/read", `{"_meta":{"progressToken":"T"},"uri":"a://b"}`},
		{"a prompt", domain.PromptGet, "greet", `{"name":"greet"}`, "prompts/get", `{"_meta":{"progressToken":"T"},"name":"greet"}`},
		{"another tool than was allowed", domain.ToolCall, "echo", `{"name":"crash"}`, "", ""},
		{"no tool", domain.ToolCall, "echo", `{"arguments":{}}`, "", ""},
		{"two tools", domain.ToolCall, "echo", `{"name":"echo","name":"crash"}`, "", ""},
		{"a tool in another case", domain.ToolCall, "echo", `{"name":"echo","Name":"crash"}`, "", ""},
		{"arguments in another case", domain.ToolCall, "echo", `{"name":"echo","arguments":{},"ARGUMENTS":{"x":1}}`, "", ""},
		{"a tool by its address", domain.ToolCall, "echo", `{"uri":"echo"}`, "", ""},
		{"not an object", domain.ToolCall, "echo", `["echo"]`, "", ""},
		{"not JSON", domain.ToolCall, "echo", `{`, "", ""},
		{"_meta is no object", domain.ToolCall, "echo", `{"name":"echo","_meta":[]}`, "", ""},
		{"unknown kind", "delete", "echo", `{"name":"echo"}`, "", ""},
	}
	for _, test := range tests {
		call := domain.Call{Kind: test.kind, Name: test.call, Params: json.RawMessage(test.params)}
		method, params, err := sent(call)
		if test.want == "" {
			if domain.CodeOf(err) != domain.CodeInvalidArguments || !domain.Unsent(err) {
				t.Errorf("%s: %s (%v), want a refusal", test.name, params, err)
			}
			continue
		}
		if err != nil || method != test.method || string(params) != test.want {
			t.Errorf("%s:\n got %s %s (%v)\nwant %s %s", test.name, method, params, err, test.method, test.want)
		}
	}
}

// Whatever is sent names the tool that was allowed, carries the token, and keeps the arguments.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"name":"echo","arguments":{"a":[1,"x"]},"_meta":{"progressToken":"p"}}`))
	f.Add([]byte(`{"_meta":{"a":"_meta","progressToken":{}},"name":"echo"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		_, out, err := sent(domain.Call{Kind: domain.ToolCall, Name: "echo", Params: in})
		if err != nil {
			return
		}
		before, after := decodeParams(t, in), decodeParams(t, out)
		meta := decodeParams(t, after["_meta"])
		if string(after["name"]) != `"echo"` && len(in) > 0 || string(meta["progressToken"]) != `"T"` {
			t.Errorf("%q became %q", in, out)
		}
		if !bytes.Equal(before["arguments"], after["arguments"]) {
			t.Errorf("arguments %q became %q", before["arguments"], after["arguments"])
		}
	})
}

func decodeParams(t *testing.T, raw []byte) map[string]json.RawMessage {
	t.Helper()
	var m map[string]json.RawMessage
	if len(raw) > 0 && json.Unmarshal(raw, &m) != nil {
		t.Errorf("not an object: %q", raw)
	}
	return m
}
