package pool

import (
	"context"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// locked is a pool whose secrets are out of reach until open is set.
func locked(t *testing.T) (p *Pool, open *atomic.Bool) {
	t.Helper()
	open = new(atomic.Bool)
	p = newPool(t, func(o *Options) {
		o.Expand = func(_ context.Context, s domain.Server) (domain.Definition, error) {
			if !open.Load() {
				return domain.Definition{}, &domain.Error{Code: domain.CodeKeyringDown, Message: "the keyring is locked"}
			}
			return s.Definition, nil
		}
	})
	wantCode(t, ensure(t, p, server("one", mcptest.Command(mcptest.Options{}))), domain.CodeKeyringDown)
	// A sign-in does not unlock anything.
	mcptest.Eventually(t, "stopped", stateIs(p, "one", domain.StateStopped))
	return p, open
}

func TestServerGoesOnOnceTheKeyringIsUnlocked(t *testing.T) {
	p, open := locked(t)
	open.Store(true)
	p.TryAgain()
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
}

func TestCallTriesAServerAgainThatStoodStillForTheKeyring(t *testing.T) {
	p, open := locked(t)
	_, err := p.Call(mcptest.Within(t), toolCall("one", "echo", `{"message":"x"}`))
	wantCode(t, err, domain.CodeKeyringDown)
	open.Store(true)
	mcptest.Eventually(t, "a call gets through", func() bool {
		_, err := p.Call(mcptest.Within(t), toolCall("one", "echo", `{"message":"x"}`))
		return err == nil
	})
}
