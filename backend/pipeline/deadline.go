package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
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
type Limits func(domain.Call) (idle, most time.Duration)

// Deadline ends a call with CodeCallTimeout when its server shows no progress for too long, or takes too long in all. It
// asks for the limits at each call, so that a changed setting counts at once. It belongs after Authorize, so that waiting
// for a person does not count; nor does the time in which the server waits for an answer of ours.
func Deadline(limits Limits) Stage { return deadline(limits, systemTime()) }

func deadline(limits Limits, by timekeeper) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			limited, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			idle, most := limits.orDefault(call)
			clock := startClock(by, idle, most, cancel)
			defer clock.stop()

			result, err := next(limited, hear(call, clock.hear))
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

// timekeeper is the part of package time that a deadline goes by; tests have their own.
type timekeeper struct {
	now   func() time.Time
	after func(time.Duration, func()) timer
}

type timer interface {
	Stop() bool
	Reset(time.Duration) bool
}

func systemTime() timekeeper {
	return timekeeper{now: time.Now, after: func(d time.Duration, f func()) timer { return time.AfterFunc(d, f) }}
}

// clock measures one call.
type clock struct {
	now  func() time.Time
	idle time.Duration

	mu      sync.Mutex
	silence timer
	whole   timer
	left    time.Duration // of the time in all, when it was last set going
	since   time.Time
	asked   int // questions of the server that wait for an answer
	over    bool
}

func startClock(by timekeeper, idle, most time.Duration, end func(error)) *clock {
	return &clock{
		now: by.now, idle: idle, left: most, since: by.now(),
		silence: by.after(idle, func() { end(errIdle) }),
		whole:   by.after(most, func() { end(errMax) }),
	}
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.silence.Stop()
	c.whole.Stop()
}

func (c *clock) hear(n domain.Notice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch n.Kind { //nolint:exhaustive // nothing else is about time
	case domain.NoticeProgress, domain.NoticeTask:
		if c.asked == 0 && !c.over && c.silence.Stop() {
			c.silence.Reset(c.idle)
		}
	case domain.NoticeAsked:
		c.asked++
		if c.asked == 1 {
			c.silence.Stop()
			c.whole.Stop()
			c.left -= c.now().Sub(c.since)
		}
	case domain.NoticeAnswered:
		c.asked--
		if c.asked == 0 && !c.over {
			c.since = c.now()
			c.silence.Reset(c.idle)
			c.whole.Reset(c.left)
		}
	}
}

func (l Limits) orDefault(call domain.Call) (idle, most time.Duration) {
	idle, most = l(call)
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
		Hint:    "Look into the server's log, or raise call_idle_timeout or call_max_time in the settings, or the timeout of the middleware.",
		Args:    map[string]string{"limit": limit, "idle_seconds": seconds(idle), "max_seconds": seconds(most)},
		Cause:   err,
	}
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
