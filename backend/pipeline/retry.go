package pipeline

import (
	"context"
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
// run twice with the same effect. It never makes one again that was refused. A loss is what it comes to, where later attempts
// did not reach the server: the call may have run. It belongs right around what reaches the server.
func Retry(wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			retry := wanted(call).Retry
			if retry == nil || retry.MaxAttempts < 2 {
				return next(ctx, call)
			}
			earlier := 0   // attempts that failed
			var loss error // of one that may have run
			policy := retrypolicy.NewBuilder[domain.Result]().
				HandleIf(func(_ domain.Result, err error) bool { return mayTryAgain(call, err) }).
				WithMaxAttempts(retry.MaxAttempts).WithBackoff(firstPause, longestPause).WithJitterFactor(jitter).
				ReturnLastFailure().OnRetry(func(failsafe.ExecutionEvent[domain.Result]) { earlier++ }).Build()
			result, err := failsafe.With(policy).WithContext(ctx).Get(func() (domain.Result, error) {
				result, err := next(ctx, call)
				if err != nil && !domain.Unsent(err) {
					loss = err
				}
				return result, err
			})
			switch {
			case err == nil:
				result.Meta.Attempts += earlier
			case loss != nil && domain.Unsent(err):
				return refused(loss)
			}
			return result, canceled(ctx, err)
		}
	}
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
