package pool

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// A tool that goes on as a task is not run again when its server has forgotten the session.
func TestATaskThatIsLostIsNotRunAgain(t *testing.T) {
	remote := mcptest.NewHTTP(mcptest.Options{Revision: "2025-11-25"})
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, remote)))
	ctx, leave := context.WithCancel(mcptest.Within(t))
	defer leave()
	var mu sync.Mutex
	twice := false
	tool := domain.Tool{Name: "task", Raw: json.RawMessage(`{"name":"task","execution":{"taskSupport":"required"}}`)}
	call := toolCall("one", "task", `{"name":"task","arguments":{"message":"never"}}`)
	call.Target = &domain.Target{Tool: &tool}
	call.Sink = func(n domain.Notice) {
		remote.Forget()
		if strings.Contains(string(n.Params), `"task-2"`) {
			mu.Lock()
			defer mu.Unlock()
			twice = true
			leave()
		}
	}
	_, err := p.Call(ctx, call)
	mu.Lock()
	defer mu.Unlock()
	if err == nil || twice || domain.Unsent(err) {
		t.Errorf("got %v, run twice %v, unsent %v", err, twice, domain.Unsent(err))
	}
}
