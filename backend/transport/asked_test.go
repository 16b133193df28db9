package transport

import (
	"context"
	"encoding/json"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

func TestQuestionsTellTheirCall(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		type asked struct {
			call string
			ok   bool
		}
		heard, goOn := make(chan asked, 2), make(chan struct{})
		l.OnRequest(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
			call, ok := AskedDuring(ctx)
			heard <- asked{call, ok}
			<-goOn
			return json.RawMessage(`{"action":"decline"}`), nil
		})
		initialize(t, l)
		ended := make(chan error, 2)
		for _, call := range []string{"first", "second"} {
			go func() {
				_, err := l.Request(InCall(mcptest.Within(t), call), "tools/call", json.RawMessage(`{"name":"elicit"}`))
				ended <- err
			}()
			want := asked{}
			if d.Transport == domain.StreamableHTTP {
				want = asked{call, true}
			}
			if got := <-heard; got != want {
				t.Errorf("asked during %+v, want %+v", got, want)
			}
		}
		close(goOn)
		for range 2 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
}
