package transport

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

func TestCallOverEachTransport(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		initialize(t, l)
		if got := callText(t, l, `{"name":"echo","arguments":{"message":"bonjour"}}`); got != "bonjour" {
			t.Errorf("echo = %q", got)
		}
		if err := l.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

func TestServerErrorKeepsItsCode(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		initialize(t, l)
		_, err := l.Request(mcptest.Within(t), "resources/read", json.RawMessage(`{"uri":"test://none"}`))
		rpc, ok := errors.AsType[*jsonrpc.Error](err)
		if !ok || rpc.Code != -32002 || rpc.Message != "Resource not found" {
			t.Errorf("got %#v", err)
		}
	})
}

func TestNotificationsComeBeforeTheAnswer(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		var heard []string
		l.OnNotification(func(method string, params json.RawMessage) {
			heard = append(heard, method+" "+string(params))
		})
		initialize(t, l)
		callText(t, l, `{"name":"slow","arguments":{"ms":4},"_meta":{"progressToken":"p1"}}`)
		if len(heard) != 4 || !strings.Contains(heard[3], `"progress":4`) {
			t.Errorf("heard %q", heard)
		}
	})
}

func TestServerRequestsAreAnswered(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		l.OnRequest(func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
			if method == "elicitation/create" && strings.Contains(string(params), "Who are you?") {
				return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
			}
			return nil, MethodNotFound(method)
		})
		initialize(t, l)
		if got := callText(t, l, `{"name":"elicit"}`); !strings.Contains(got, `"Ada"`) {
			t.Errorf("elicit = %s", got)
		}
		if got := callText(t, l, `{"name":"sample"}`); !strings.Contains(got, "-32601") {
			t.Errorf("sample = %s", got)
		}
	})
}

func TestCancelledRequestIsToldToTheServer(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		initialize(t, l)
		ctx, cancel := context.WithCancel(mcptest.Within(t))
		failed := make(chan error, 1)
		go func() {
			_, err := l.Request(ctx, "tools/call", json.RawMessage(`{"name":"wait"}`))
			failed <- err
		}()
		cancel()
		wantCode(t, <-failed, domain.CodeCanceled)
		ctx = mcptest.Within(t)
		for callText(t, l, `{"name":"cancelled"}`) != "2" { // initialize was 1
			if ctx.Err() != nil {
				t.Fatal("the server never heard of it")
			}
		}
	})
}

func TestStepsAreToldInOrder(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		var steps []domain.StepName
		l, err := Dial(mcptest.Within(t), "fake", d, testOptions(), func(step domain.StepName, detail string) {
			if detail == "" {
				t.Errorf("step %s says nothing", step)
			}
			steps = append(steps, step)
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		want := domain.Steps(d.Transport)[:2]
		if len(steps) != 2 || steps[0] != want[0] || steps[1] != want[1] {
			t.Errorf("steps %v, want %v", steps, want)
		}
	})
}
