package inbox

import (
	"context"
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
	over := func(r domain.Request) bool { return past(i.deadline(r), now) }
	return i.end(id, domain.RequestExpired, over, i.options.Ending)
}

// Lapse ends a request whose question is over. One that was answered first stays as it is.
func (i *Inbox) Lapse(id string) error {
	return i.end(id, domain.RequestLapsed, waits, i.options.Ending)
}

func waits(r domain.Request) bool { return r.Status == domain.RequestWaiting }

// end ends a request, if it still is one to end, once somebody has heard of it.
func (i *Inbox) end(id string, as domain.RequestStatus, is func(domain.Request) bool, heard func(domain.Request)) error {
	return i.changeIf(id, func(r *domain.Request) bool {
		over := is(*r)
		if over {
			r.Status = as
			heard(*r)
		}
		return over
	})
}
