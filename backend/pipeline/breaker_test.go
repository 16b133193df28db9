package pipeline

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestBreakerOpensHalfOpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes, calls := 0, 0
		b := NewBreakers(time.Now, func(string) { changes++ })
		want := wants(domain.Middleware{CircuitBreaker: &domain.CircuitBreaker{FailureThreshold: 2, RecoveryTime: time.Minute}})
		down := &domain.Error{Code: domain.CodeConnFailed}
		road := Build(failing(&calls, down, down, down), Foresee(b.Check(want)), b.Stage(want))
		state := func(want domain.BreakerState) {
			t.Helper()
			if list := b.List(); len(list) != 1 || list[0].Server != "demo" || list[0].State != want || (list[0].RetryAt != nil) != (want == domain.BreakerOpen) {
				t.Errorf("%+v, want %s", list, want)
			}
		}
		get := func(code domain.Code) {
			t.Helper()
			if _, err := road(t.Context(), resolved(domain.Reads)); domain.CodeOf(err) != code {
				t.Errorf("got %v, want %s", err, code)
			}
		}
		get(domain.CodeConnFailed)
		state(domain.BreakerClosed)
		get(domain.CodeConnFailed)
		state(domain.BreakerOpen)
		get(domain.CodeBreakerOpen)
		if calls != 2 {
			t.Errorf("%d calls got through", calls)
		}
		time.Sleep(time.Minute) //nolint:forbidigo // the clock is the bubble's
		state(domain.BreakerHalfOpen)
		get(domain.CodeConnFailed) // the one that tries
		state(domain.BreakerOpen)
		get(domain.CodeBreakerOpen)
		time.Sleep(time.Minute) //nolint:forbidigo // the clock is the bubble's
		get("")
		state(domain.BreakerClosed)
		if changes != 5 || calls != 4 {
			t.Errorf("%d changes were told, %d calls got through", changes, calls)
		}
	})
}

// A server that answers is not failing, whatever it says; nor is one whose call nobody waited for.
func TestOnlyAServerThatFailsOpensItsBreaker(t *testing.T) {
	for code, opens := range map[domain.Code]bool{
		domain.CodeCallTimeout: true, domain.CodeOutcomeUnknown: true, domain.CodeServerExited: true,
		domain.CodeDenied: false, domain.CodeInvalidArguments: false, domain.CodeSignInNeeded: false, domain.CodeServerOff: false,
	} {
		b := NewBreakers(time.Now, func(string) {})
		calls := 0
		road := Build(failing(&calls, &domain.Error{Code: code}, &domain.Error{Code: code}),
			b.Stage(wants(domain.Middleware{CircuitBreaker: &domain.CircuitBreaker{FailureThreshold: 1, RecoveryTime: time.Hour}})))
		_, _ = road(t.Context(), resolved(domain.Reads))
		_, err := road(t.Context(), resolved(domain.Reads))
		if got := domain.CodeOf(err) == domain.CodeBreakerOpen; got != opens {
			t.Errorf("%s: open is %v", code, got)
		}
		other := resolved(domain.Reads)
		other.Target.Server.ID = "other"
		if _, err := road(t.Context(), other); domain.CodeOf(err) == domain.CodeBreakerOpen {
			t.Errorf("%s opened the breaker of another server", code)
		}
	}
}

func TestAPanicDoesNotKeepTheBreakerHalfOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBreakers(time.Now, func(string) {})
		want := wants(domain.Middleware{CircuitBreaker: &domain.CircuitBreaker{FailureThreshold: 1, RecoveryTime: time.Minute}})
		road := Build(func(context.Context, domain.Call) (domain.Result, error) { panic("broken") }, Recover(quiet), b.Stage(want))
		for range 2 {
			if _, err := road(t.Context(), resolved(domain.Reads)); domain.CodeOf(err) != domain.CodeInternal {
				t.Fatal(err)
			}
			time.Sleep(time.Minute) //nolint:forbidigo // the clock is the bubble's
		}
	})
}
