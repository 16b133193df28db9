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
	p.TryAgain(func(code domain.Code) bool { return code == domain.CodeConnRefused })
	if state := p.Status("one").State; state != domain.StateStopped {
		t.Errorf("it is %s for a reason that is not over", state)
	}
	p.TryAgain(func(code domain.Code) bool { return code == domain.CodeKeyringDown })
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
}
