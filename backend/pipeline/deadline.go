package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Limits of a call's time on the server when the settings say nothing.
const (
	DefaultIdle = 60 * time.Second
	DefaultMax  = 600 * time.Second
)

// What ended a call, as the cause of its context.
var (
	errIdle = errors.New("no progress for too long")
	errMax  = errors.New("took too long in all")
)

// Limits give how long a call may show no progress, and how long it may take in all; zero or less means the default.
type Limits func() (idle, most time.Duration)

// Deadline ends a call with CodeCallTimeout when its server shows no progress for too long, or takes too long in all. It
// asks for the limits at each call, so that a changed setting counts at once. It belongs after Authorize, so that waiting
// for a person does not count.
func Deadline(limits Limits) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			idle, most := limits.orDefault()
			whole, release := context.WithTimeoutCause(ctx, most, errMax)
			defer release()
			limited, cancel := context.WithCancelCause(whole)
			defer cancel(nil)
			silence := time.AfterFunc(idle, func() { cancel(errIdle) })
			defer silence.Stop()

			result, err := next(limited, hear(call, func(n domain.Notice) {
				if n.Kind == domain.NoticeProgress && limited.Err() == nil {
					silence.Reset(idle)
				}
			}))
			if err == nil {
				return result, nil
			}
			if cause := context.Cause(limited); errors.Is(cause, errIdle) || errors.Is(cause, errMax) {
				return refused(timeout(cause, idle, most, err))
			}
			return result, canceled(ctx, err)
		}
	}
}

func (l Limits) orDefault() (idle, most time.Duration) {
	idle, most = l()
	if idle <= 0 {
		idle = DefaultIdle
	}
	if most <= 0 {
		most = DefaultMax
	}
	return idle, most
}

func timeout(cause error, idle, most time.Duration, err error) error {
	limit, what := "idle", fmt.Sprintf("%s without progress", idle)
	if errors.Is(cause, errMax) {
		limit, what = "max", fmt.Sprintf("%s in all", most)
	}
	return &domain.Error{
		Code:    domain.CodeCallTimeout,
		Message: fmt.Sprintf("the call was stopped after %s (the limits are %s without progress and %s in all)", what, idle, most),
		Hint:    "Look into the server's log, or raise call_idle_timeout or call_max_time in the settings.",
		Args:    map[string]string{"limit": limit, "idle_seconds": seconds(idle), "max_seconds": seconds(most)},
		Cause:   err,
	}
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
