package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"apollia.fr/connexions/backend/domain"
)

// Pauses between attempts: each is twice the one before, give or take a quarter, so that many callers do not come back at once.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 10 * time.Second
	jitter       = 0.25
)

// Middleware says which stages act on a call.
type Middleware func(domain.Call) domain.Middleware

// Retry makes a call again that failed on its way, where that is safe: it provably did not run, or its tool only reads or may
// run twice with the same effect. It never makes one again that was refused, or that is refused by still meanwhile. A loss is what
// it comes to, where later attempts did not reach the server: the call may have run. It belongs right around what reaches it.
func Retry(wanted Middleware, still ...func(domain.Call) error) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			retry := wanted(call).Retry
			if retry == nil || retry.MaxAttempts < 2 {
				return next(ctx, call)
			}
			a := attempts{call: call, next: next, still: still}
			policy := retrypolicy.NewBuilder[domain.Result]().
				HandleIf(func(_ domain.Result, err error) bool { return mayTryAgain(call, err) }).
				WithMaxAttempts(retry.MaxAttempts).WithBackoff(firstPause, longestPause).WithJitterFactor(jitter).
				ReturnLastFailure().Build()
			result, err := failsafe.With(policy).WithContext(ctx).Get(func() (domain.Result, error) { return a.make(ctx) })
			switch {
			case err == nil:
				result.Meta.Attempts += a.made - 1
			case a.loss != nil && domain.Unsent(err):
				return refused(a.loss)
			}
			return result, canceled(ctx, err)
		}
	}
}

// attempts are those at one call.
type attempts struct {
	call  domain.Call
	next  domain.CallFunc
	still []func(domain.Call) error
	made  int
	loss  error // of one that may have run
}

func (a *attempts) make(ctx context.Context) (domain.Result, error) {
	if a.made > 0 {
		if err := a.forbidden(); err != nil {
			return refused(err)
		}
	}
	a.made++
	result, err := a.next(ctx, a.call)
	if err != nil && !domain.Unsent(err) {
		a.loss = err
	}
	return result, err
}

// forbidden says why the next attempt is not made, which was not sent.
func (a *attempts) forbidden() error {
	for _, check := range a.still {
		if err := check(a.call); err != nil {
			why := *domain.AsError(err)
			why.Cause = errors.Join(domain.ErrUnsent, err)
			return &why
		}
	}
	return nil
}

// mayTryAgain reports whether a call that came to err may be made again, and whether that may help.
func mayTryAgain(call domain.Call, err error) bool {
	switch {
	case err == nil:
		return false
	case domain.Unsent(err):
		code := domain.CodeOf(err)
		return code.Class() == domain.Unreachable && code != domain.CodeServerOff && code != domain.CodeProgramNotFound && code != domain.CodeBreakerOpen
	default:
		return isLost(err) && mayRunTwice(call)
	}
}
