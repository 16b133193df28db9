package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"

	"apollia.fr/connexions/backend/domain"
)

// Breakers are the circuit breakers of the servers. Their state belongs to the server: apps that want the same share one.
type Breakers struct {
	now     func() time.Time
	changed func(server string)

	mu   sync.Mutex
	byID map[string]breaker
}

type breaker struct {
	circuitbreaker.CircuitBreaker[any]
	made domain.CircuitBreaker
}

// NewBreakers has none yet. changed hears of a server whose breaker opened or closed; it must not block.
func NewBreakers(now func() time.Time, changed func(server string)) *Breakers {
	return &Breakers{now: now, changed: changed, byID: make(map[string]breaker)}
}

// Stage refuses calls to a server that failed several times in a row, until it is time to try again with one. It belongs
// inside Retry.
func (b *Breakers) Stage(wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			want := wanted(call).CircuitBreaker
			if want == nil {
				return next(ctx, call)
			}
			one := b.of(call.Target.Server.ID, *want)
			if !one.TryAcquirePermit() {
				return refused(b.open(call, one))
			}
			settled := false
			defer func() {
				if !settled { // a panic: the permit must not be lost
					one.RecordFailure()
				}
			}()
			result, err := next(ctx, call)
			settled = true
			switch {
			case isFailing(err):
				one.RecordFailure()
			case ctx.Err() == nil:
				one.RecordSuccess() // it answered, whatever it said
			case one.IsHalfOpen():
				one.RecordFailure() // nothing was learned
			}
			return result, err
		}
	}
}

// Check says why a call would not get through now; nil when it may.
func (b *Breakers) Check(wanted Middleware) func(domain.Call) error {
	return func(call domain.Call) error {
		want := wanted(call).CircuitBreaker
		if want == nil {
			return nil
		}
		if one := b.of(call.Target.Server.ID, *want); one.IsOpen() && one.RemainingDelay() > 0 {
			return b.open(call, one)
		}
		return nil
	}
}

// List are the breakers of all servers that were called with one.
func (b *Breakers) List() []domain.Breaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]domain.Breaker, 0, len(b.byID))
	for server, one := range b.byID {
		view := domain.Breaker{Server: server, State: domain.BreakerClosed}
		switch {
		case one.IsHalfOpen(), one.IsOpen() && one.RemainingDelay() <= 0:
			view.State = domain.BreakerHalfOpen
		case one.IsOpen():
			at := b.now().Add(one.RemainingDelay())
			view.State, view.RetryAt = domain.BreakerOpen, &at
		}
		list = append(list, view)
	}
	slices.SortFunc(list, func(x, y domain.Breaker) int { return strings.Compare(x.Server, y.Server) })
	return list
}

// of is the breaker of a server; one that is wanted otherwise than it was made begins anew.
func (b *Breakers) of(server string, want domain.CircuitBreaker) circuitbreaker.CircuitBreaker[any] {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one, ok := b.byID[server]; ok && one.made == want {
		return one.CircuitBreaker
	}
	one := circuitbreaker.NewBuilder[any]().WithFailureThreshold(uint(max(1, want.FailureThreshold))).WithSuccessThreshold(1).
		WithDelay(want.RecoveryTime).OnStateChanged(func(circuitbreaker.StateChangedEvent) { b.changed(server) }).Build()
	b.byID[server] = breaker{one, want}
	return one
}

// isFailing holds for errors that say that a server is in no state to be called.
func isFailing(err error) bool {
	code := domain.CodeOf(err)
	return code == domain.CodeCallTimeout || code.Class() == domain.Unreachable && code != domain.CodeServerOff
}

func (b *Breakers) open(call domain.Call, one circuitbreaker.CircuitBreaker[any]) error {
	at := b.now().Add(one.RemainingDelay()).UTC().Format(time.RFC3339)
	return &domain.Error{
		Code:    domain.CodeBreakerOpen,
		Message: fmt.Sprintf("%s failed several times in a row: calls to it are held back", call.Target.Server.Name),
		Hint:    "It is tried again at " + at + ". See what is wrong with: apollia mcp test " + call.Target.Server.ID,
		Args:    map[string]string{"server": call.Target.Server.ID, "retry_at": at},
		Cause:   domain.ErrUnsent,
	}
}
