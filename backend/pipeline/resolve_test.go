package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestResolveRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*world, *domain.Call)
		want   domain.Code
		path   string
	}{
		{"an unknown server", func(w *world, _ *domain.Call) { w.findErr = &domain.Error{Code: domain.CodeUnknownServer} }, domain.CodeUnknownServer, ""},
		{"a server that is off", func(w *world, _ *domain.Call) { w.target.Server.Enabled, w.target.Tool = false, nil }, domain.CodeServerOff, ""},
		{"an unknown tool", func(w *world, _ *domain.Call) { w.target.Tool = nil }, domain.CodeUnknownTool, ""},
		{"an unknown kind", func(_ *world, c *domain.Call) { c.Kind = "" }, domain.CodeInvalidInput, ""},
		{"arguments that do not fit", with(`{"name":"echo","arguments":{}}`), domain.CodeInvalidArguments, ""},
		{"no arguments where some are needed", with(`{"name":"echo"}`), domain.CodeInvalidArguments, ""},
		{"arguments that are no object", with(`{"name":"echo","arguments":null}`), domain.CodeInvalidArguments, "arguments"},
		{"no params", with(``), domain.CodeInvalidArguments, "params"},
		{"params of another tool", with(`{"name":"drop","arguments":{"message":""}}`), domain.CodeInvalidArguments, "name"},
		{"a null name", with(`{"name":null,"arguments":{"message":""}}`), domain.CodeInvalidArguments, "name"},
		{"a second name in another case", with(`{"name":"echo","Name":"drop","arguments":{"message":""}}`), domain.CodeInvalidArguments, "params"},
		{"a second name", with(`{"name":"echo","name":"drop","arguments":{"message":""}}`), domain.CodeInvalidArguments, "params"},
		{"hidden arguments", with(`{"name":"echo","arguments":{"message":""},"Arguments":{}}`), domain.CodeInvalidArguments, "params"},
		{"another resource", func(_ *world, c *domain.Call) {
			c.Kind, c.Name, c.Params = domain.ResourceRead, "file:///a", json.RawMessage(`{"uri":"file:///b"}`)
		}, domain.CodeInvalidArguments, "uri"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, call, end := newWorld(), echo(), &server{}
			test.change(w, &call)
			_, err := Build(end.call, Resolve(w))(t.Context(), call)
			if e := wantCode(t, err, test.want); e.Args["path"] != test.path {
				t.Errorf("got path %q, want %q", e.Args["path"], test.path)
			}
			if len(end.calls) != 0 {
				t.Error("the call went on")
			}
		})
	}
}

func with(params string) func(*world, *domain.Call) {
	return func(_ *world, c *domain.Call) { c.Params = json.RawMessage(params) }
}

func TestResolveLetsThroughWhatFits(t *testing.T) {
	tests := []struct {
		name   string
		change func(*world, *domain.Call)
	}{
		{"a tool call", func(*world, *domain.Call) {}},
		{"a tool without a schema", func(w *world, c *domain.Call) {
			w.target.Tool.InputSchema = nil
			c.Params = json.RawMessage(`{"name":"echo"}`)
		}},
		{"a tool with a broken schema", func(w *world, _ *domain.Call) { w.target.Tool.InputSchema = json.RawMessage(`{"type":"wrong"}`) }},
		{"a resource", func(w *world, c *domain.Call) {
			w.target.Tool = nil
			c.Kind, c.Name, c.Params = domain.ResourceRead, "file:///a", json.RawMessage(`{"uri":"file:///a","_meta":{}}`)
		}},
		{"a prompt", func(w *world, c *domain.Call) {
			w.target.Tool = nil
			c.Kind, c.Params = domain.PromptGet, json.RawMessage(`{"name":"echo","arguments":{"a":"b"}}`)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, call, end := newWorld(), echo(), &server{}
			test.change(w, &call)
			if _, err := Build(end.call, Resolve(w))(t.Context(), call); err != nil {
				t.Fatal(err)
			}
			got := end.calls[0]
			if got.Server != "demo" || got.Target == nil || got.Target.DefinitionDigest != "d1" {
				t.Errorf("the server got server %q and target %+v", got.Server, got.Target)
			}
			if string(got.Params) != string(call.Params) {
				t.Errorf("the params became %s", got.Params)
			}
		})
	}
}

func TestResolveSaysThatTheCallerLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Build((&server{}).call, Resolve(newWorld()))(ctx, echo())
	wantCode(t, err, domain.CodeCanceled)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error in its chain", err)
	}
}

func TestPromptNeedsItsRequiredArguments(t *testing.T) {
	prompt := domain.Prompt{Name: "greet", Arguments: []domain.PromptArgument{{Name: "who", Required: true}, {Name: "how"}}}
	tests := []struct {
		params string
		prompt *domain.Prompt
		want   domain.Code
	}{
		{`{"name":"greet","arguments":{"who":"you"}}`, &prompt, ""},
		{`{"name":"greet","arguments":{"who":""}}`, &prompt, ""},
		{`{"name":"greet","arguments":{"how":"loud"}}`, &prompt, domain.CodeInvalidArguments},
		{`{"name":"greet","arguments":{"who":null}}`, &prompt, domain.CodeInvalidArguments},
		{`{"name":"greet"}`, &prompt, domain.CodeInvalidArguments},
		{`{"name":"greet"}`, nil, ""},
	}
	for _, test := range tests {
		err := Check(domain.Call{
			Kind: domain.PromptGet, Name: "greet", Params: json.RawMessage(test.params), Target: &domain.Target{Prompt: test.prompt},
		})
		if domain.CodeOf(err) != test.want || err != nil && domain.AsError(err).Args["path"] != "/who" {
			t.Errorf("%s: %v, want %q for who", test.params, err, test.want)
		}
	}
}
