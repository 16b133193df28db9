package inbox

import (
	"context"
	"errors"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// sweepAgain is how long the worker waits after the records failed.
const sweepAgain = time.Minute

// run ends requests and passes when their time is over, until ctx ends.
func (i *Inbox) run(ctx context.Context) {
	for {
		next, err := i.sweep()
		if err != nil {
			i.options.Logger.Error("inbox: end expired requests", "error", err)
			next = i.options.Now().Add(sweepAgain)
		}
		var timer *time.Timer
		var due <-chan time.Time
		if !next.IsZero() {
			timer = time.NewTimer(next.Sub(i.options.Now()))
			due = timer.C
		}
		select {
		case <-due:
		case <-i.nudge:
		case <-ctx.Done():
			return
		}
		if timer != nil {
			timer.Stop()
		}
	}
}

// sweep ends what is over and returns the next deadline, zero when there is none.
func (i *Inbox) sweep() (time.Time, error) {
	open, err := i.records.Requests(domain.RequestFilter{Open: true})
	if err != nil {
		return time.Time{}, err
	}
	var next time.Time
	now := i.options.Now()
	for _, r := range open {
		end := i.deadline(r)
		if past(end, now) {
			if err := i.expire(r.ID, now); err != nil {
				return time.Time{}, err
			}
			continue
		}
		if end != nil && (next.IsZero() || end.Before(next)) {
			next = *end
		}
	}
	return next, nil
}

// deadline is when an open request ends by itself: a waiting one at its ExpiresAt, a pass at the end of its life. It is
// nil for a request that has ended or waits without limit.
func (i *Inbox) deadline(r domain.Request) *time.Time {
	switch {
	case r.Status == domain.RequestWaiting:
		return r.ExpiresAt
	case isPass(r):
		end := r.Answer.At.Add(i.options.PassLife)
		return &end
	default:
		return nil
	}
}

func past(end *time.Time, now time.Time) bool { return end != nil && !now.Before(*end) }

func (i *Inbox) expire(id string, now time.Time) error {
	return i.changeIf(id, func(r *domain.Request) bool {
		over := past(i.deadline(*r), now)
		if over {
			r.Status = domain.RequestExpired
		}
		return over
	})
}

// Lapse ends a request whose question is over. One that was answered first stays as it is.
func (i *Inbox) Lapse(id string) error {
	return i.changeIf(id, func(r *domain.Request) bool {
		waits := r.Status == domain.RequestWaiting
		if waits {
			r.Status = domain.RequestLapsed
		}
		return waits
	})
}

// errUnchanged ends a transaction that has nothing to write.
var errUnchanged = errors.New("nothing changed")

// changeIf writes a record when fn reports that it changed it.
func (i *Inbox) changeIf(id string, fn func(*domain.Request) bool) error {
	_, err := i.change(id, func(r *domain.Request) error {
		if !fn(r) {
			return errUnchanged
		}
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}
