package model

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The choice of an endpoint, and what the server gets besides the role and the model.
func TestChoicesAsResults(t *testing.T) {
	const call = `{"id":"call_9","type":"function","function":{"name":"a_b","arguments":"{\"city\": \"Paris\"}"}}`
	const use = `{"type":"tool_use","id":"call_9","name":"a.b","input":{"city":"Paris"}}`
	for _, tt := range []struct{ name, choice, want string }{
		{"a text", `{"finish_reason":"stop","message":{"content":"Paris."}}`, `"content":{"type":"text","text":"Paris."},"stopReason":"endTurn"`},
		{"cut short", `{"finish_reason":"length","message":{"content":"Par"}}`, `"content":{"type":"text","text":"Par"},"stopReason":"maxTokens"`},
		{
			"stopped at a sequence, as vLLM says", `{"finish_reason":"stop","stop_reason":"END","message":{"content":"Paris"}}`,
			`"content":{"type":"text","text":"Paris"},"stopReason":"stopSequence"`,
		},
		{
			"stopped at a token of its own", `{"finish_reason":"stop","stop_reason":128001,"message":{"content":"Paris"}}`,
			`"content":{"type":"text","text":"Paris"},"stopReason":"endTurn"`,
		},
		{"empty", `{"finish_reason":"stop","message":{"content":""}}`, `"content":{"type":"text","text":""},"stopReason":"endTurn"`},
		{"a call", `{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[` + call + `]}}`, `"content":` + use + `,"stopReason":"toolUse"`},
		{"a call that ends as a text does", `{"finish_reason":"stop","message":{"content":"","tool_calls":[` + call + `]}}`, `"content":` + use + `,"stopReason":"toolUse"`},
		{
			"a text and calls", `{"finish_reason":"tool_calls","message":{"content":"I look.","tool_calls":[` + call + `,{"type":"function","function":{"name":"now","arguments":""}}]}}`,
			`"content":[{"type":"text","text":"I look."},` + use + `,{"type":"tool_use","id":"call_2","name":"now","input":{}}],"stopReason":"toolUse"`,
		},
		{"refused", `{"finish_reason":"stop","message":{"content":null,"refusal":"I will not."}}`, `"content":{"type":"text","text":"I will not."},"stopReason":"refusal"`},
		{"filtered", `{"finish_reason":"content_filter","message":{"content":"Par"}}`, `"content":{"type":"text","text":"Par"},"stopReason":"content_filter"`},
		{
			"a list of parts, with thoughts", `{"finish_reason":"stop","message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"Par"},{"type":"text","text":"is."}]}}`,
			`"content":{"type":"text","text":"Paris."},"stopReason":"endTurn"`,
		},
		{"no reason", `{"message":{"content":"Paris."}}`, `"content":{"type":"text","text":"Paris."}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEndpoint(t)
			e.choice = tt.choice
			params := strings.Replace(simple, `"maxTokens"`, `"stopSequences":["END"],"tools":[{"name":"a.b","inputSchema":{"type":"object"}}],"maxTokens"`, 1)
			got, _, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(params))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(value(t, `{"role":"assistant","model":"mistral-small",`+tt.want+`}`), value(t, string(got))); diff != "" {
				t.Errorf("it gives %s\n%s", got, diff)
			}
		})
	}
}

func TestContentThatCannotBeRead(t *testing.T) {
	for name, content := range map[string]string{"a number": `5`, "an object": `{"text":"Paris"}`, "a picture": `[{"type":"image_url","image_url":{}}]`} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t)
			e.choice = `{"finish_reason":"stop","message":{"content":` + content + `}}`
			got, _, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple))
			if _, reason := reasonOf(err); reason != reasonBadAnswer {
				t.Errorf("it gives %s, %v", got, err)
			}
		})
	}
}

func TestCallsThatCannotBeRead(t *testing.T) {
	for name, function := range map[string]string{
		"no JSON": `{"name":"now","arguments":"{"}`, "a list": `{"name":"now","arguments":"[1]"}`, "no name": `{"arguments":"{}"}`,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t)
			e.choice = `{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"1","type":"function","function":` + function + `}]}}`
			_, _, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple))
			if _, reason := reasonOf(err); reason != reasonBadAnswer {
				t.Errorf("it gives %v", err)
			}
		})
	}
}

// A text is worth having even if the endpoint is wrong in what nobody asked for.
func TestWhatATextCostMayBeAnything(t *testing.T) {
	for usage, want := range map[string][2]int64{
		`{"prompt_tokens":12,"completion_tokens":3.0}`: {12, 3}, `{"prompt_tokens":"12","completion_tokens":3}`: {0, 3},
		`{"prompt_tokens":-1,"completion_tokens":1e300}`: {0, 0}, `null`: {0, 0}, `[]`: {0, 0}, `"none"`: {0, 0}, `{"prompt_tokens":{"all":1}}`: {0, 0},
	} {
		e := newEndpoint(t)
		e.chat = status(200, "", "", `{"choices":[`+e.choice+`],"usage":`+usage+`}`)
		_, used, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple))
		if err != nil || used.InputTokens != want[0] || used.OutputTokens != want[1] {
			t.Errorf("%s: %+v, %v", usage, used, err)
		}
	}
}

// What an endpoint calls its models and its reasons is shown to people.
func TestNamesOfModelsCanBeShown(t *testing.T) {
	e := newEndpoint(t)
	e.models = []string{"mistral-small", "x\u202eevil", "y\x1b[31m", strings.Repeat("z", 1<<20), "nul\x00"}
	listed, err := New(e.options()).Check(t.Context())
	if err != nil || !slices.Equal(listed.Models, e.models[:1]) {
		t.Errorf("%d models, %v", len(listed.Models), err)
	}
	long := strings.Repeat("z\u202e", 1<<18)
	e.chat = status(200, "", "", `{"model":"`+long+`","choices":[{"finish_reason":"`+long+`","message":{"content":"Paris."}}]}`)
	got, used, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple))
	if err != nil || len(got) > 2000 || len(used.Model) > 1000 || strings.Contains(used.Model, "\u202e") {
		t.Errorf("%d bytes, %.50q, %v", len(got), used.Model, err)
	}
}
