package transport

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

func TestCancellationIsSentWhileManyQuestionsWait(t *testing.T) {
	var questions []string
	for i := range maxServing + 1 {
		questions = append(questions, `{"jsonrpc":"2.0","id":"q`+strconv.Itoa(i)+`","method":"elicitation/create"}`)
	}
	eachSaying(t, questions, func(t *testing.T, d domain.Definition) {
		o := testOptions()
		l := dial(t, d, o)
		asked := make(chan struct{}, len(questions))
		l.OnRequest(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
			asked <- struct{}{}
			<-ctx.Done()
			return nil, nil
		})
		initialize(t, l)
		ctx, cancel := context.WithCancel(mcptest.Within(t))
		failed := make(chan error, 1)
		go func() {
			_, err := l.Request(ctx, "tools/call", json.RawMessage(`{}`))
			failed <- err
		}()
		for range maxServing {
			<-asked
		}
		wasSent(t, o.Traffic, `"id":"q`, "too many requests")
		cancel()
		wantCode(t, <-failed, domain.CodeCanceled)
		wasSent(t, o.Traffic, "notifications/cancelled", `"requestId":2`)
	})
}
