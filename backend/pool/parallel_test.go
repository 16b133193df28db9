package pool

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

// Each of a hundred servers comes up only once all of them are being started: one that waited for another would wait
// for ever.
func TestServersStartAllAtOnce(t *testing.T) {
	const count = 100
	var arrived atomic.Int32
	all := make(chan struct{})
	together := func(ctx context.Context, id string, d domain.Definition, o transport.Options, step transport.StepFunc) (*transport.Link, error) {
		if arrived.Add(1) == count {
			close(all)
		}
		select {
		case <-all:
			return transport.Dial(ctx, id, d, o, step)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	p := newPool(t, func(o *Options) { o.Dial = together })
	d := mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{}))
	var servers []domain.Server
	for i := range count {
		servers = append(servers, server("s"+strconv.Itoa(i), d))
	}
	p.Sync(servers)
	for _, s := range servers {
		if err := p.Await(mcptest.Within(t), s.ID); err != nil {
			t.Errorf("%s: %v", s.ID, err)
		}
	}
}

// A call that takes long is in nobody's way: not in that of the other calls of its server, nor of other servers.
func TestARunningCallHoldsNoOtherUp(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		p := newPool(t, nil)
		start(t, p, server("one", d))
		start(t, p, server("two", mcptest.Command(mcptest.Options{})))
		ctx, cancel := context.WithCancel(mcptest.Within(t))
		ended := make(chan error, 2)
		for _, id := range []string{"one", "two"} {
			go func() {
				_, err := p.Call(ctx, toolCall(id, "wait", ""))
				ended <- err
			}()
			mcptest.Eventually(t, "the call of "+id, func() bool { return p.Status(id).References == 2 })
		}
		for range 20 {
			if got := callText(t, p, toolCall("one", "echo", `{"name":"echo","arguments":{"message":"bonjour"}}`)); got != "bonjour" {
				t.Errorf("echo = %q", got)
			}
		}
		select {
		case err := <-ended:
			t.Errorf("a call that waits has ended: %v", err)
		default:
		}
		cancel()
		for range 2 {
			wantCode(t, <-ended, domain.CodeCanceled)
		}
	})
}
