package inbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Seat is the place of a caller that waits for the answer to a request. Whoever takes one with Park must Wait.
type Seat struct {
	// Request is the request as it was parked, with its ID.
	Request domain.Request

	inbox    *Inbox
	asked    domain.Request // as the caller gave it
	answered chan struct{}  // closed when result is set
	result   domain.Request
	// again says that the approval was for one call and went to one who came earlier.
	again bool
}

// Ask parks r and waits for the answer: Park and Seat.Wait in one.
func (i *Inbox) Ask(ctx context.Context, r domain.Request, wait time.Duration) (domain.Request, error) {
	seat, err := i.Park(r)
	if err != nil {
		return r, err
	}
	return seat.Wait(ctx, wait)
}

// Park keeps r as waiting and takes a seat for its answer. When the same caller waits for the identical call already,
// that request is joined instead of asking the person twice.
func (i *Inbox) Park(r domain.Request) (*Seat, error) {
	seat, err := i.sit(r)
	if err != nil {
		return nil, err
	}
	i.tell(seat.Request)
	return seat, nil
}

func (i *Inbox) sit(r domain.Request) (*Seat, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	parked, err := i.join(r)
	if err != nil {
		return nil, err
	}
	seat := &Seat{Request: parked, inbox: i, asked: r, answered: make(chan struct{})}
	i.seats[parked.ID] = append(i.seats[parked.ID], seat)
	return seat, nil
}

// join finds the waiting request that r is the same as, or makes it one. The caller holds mu.
func (i *Inbox) join(r domain.Request) (domain.Request, error) {
	r.ID = ""
	if id, known := i.waiting[identify(r)]; known {
		return i.rejoin(id, r.Caller)
	}
	now := i.options.Now()
	r.Status, r.CreatedAt, r.Answer, r.UsedAt = domain.RequestWaiting, now, nil, nil
	if r.ExpiresAt == nil && i.options.Expiry != nil && r.Kind != domain.DefinitionRequest {
		if after := i.options.Expiry(); after > 0 {
			until := now.Add(after)
			r.ExpiresAt = &until
		}
	}
	created, err := i.records.CreateRequest(r)
	if err != nil {
		return created, err
	}
	i.remember(created)
	return created, nil
}

// rejoin moves a request that nobody waits for any more to the caller's present session, so that an answer "for this
// session" means this one.
func (i *Inbox) rejoin(id string, caller domain.Caller) (domain.Request, error) {
	r, err := i.records.Request(id)
	if err != nil || r.Caller.Session == caller.Session || len(i.seats[id]) > 0 {
		return r, err
	}
	return i.records.UpdateRequest(id, func(r *domain.Request) error {
		r.Caller = caller
		return nil
	})
}

// Wait stays until a person answers and returns the approved request, which is spent on this caller: whoever does not
// send the call after all gives it back with ReturnPass.
//
// A wait of 0 does not stay, a negative one stays until ctx ends. Errors carry CodeApprovalDenied,
// CodeApprovalExpired, CodeApprovalNeeded when the wait is over, or CodeCanceled when ctx is. In the last two cases the
// request goes on waiting, named by the argument request_id; only what a session asked for lapses.
func (s *Seat) Wait(ctx context.Context, wait time.Duration) (domain.Request, error) {
	var over <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	for {
		select {
		case <-s.answered:
		case <-over:
			return s.leave(needed(s.Request))
		case <-ctx.Done():
			return s.leave(canceled(s.Request, context.Cause(ctx)))
		}
		if !s.again {
			return s.result, refusal(s.result)
		}
		next, err := s.inbox.Park(s.asked)
		if err != nil {
			return s.result, err
		}
		s = next
	}
}

// leave gives up the seat for a reason. An answer that came at the last moment is taken, or, when the caller is gone,
// left behind as a pass.
func (s *Seat) leave(reason *domain.Error) (domain.Request, error) {
	gone := reason.Code == domain.CodeCanceled
	switch {
	case s.inbox.stand(s):
		if outlivesSession(s.Request.Kind) {
			return s.Request, reason
		}
		return s.Request, errors.Join(reason, s.inbox.Lapse(s.Request.ID))
	case s.again:
		return s.Request, reason
	case gone && s.result.Status == domain.RequestApproved:
		return s.result, errors.Join(reason, s.inbox.ReturnPass(s.result.ID))
	default:
		return s.result, refusal(s.result)
	}
}

// stand removes a seat and reports whether it was still without an answer.
func (i *Inbox) stand(s *Seat) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	left := slices.DeleteFunc(i.seats[s.Request.ID], func(other *Seat) bool { return other == s })
	if len(left) > 0 {
		i.seats[s.Request.ID] = left
	} else {
		delete(i.seats, s.Request.ID)
	}
	select {
	case <-s.answered:
		return false
	default:
		return true
	}
}

// deliver hands an ended request to its seats. An approval for one call goes to whoever came first. The caller holds mu.
func (i *Inbox) deliver(r domain.Request) {
	for n, seat := range i.seats[r.ID] {
		seat.result = r
		seat.again = n > 0 && r.Status == domain.RequestApproved && r.Answer.Scope == domain.ScopeOnce
		close(seat.answered)
	}
	delete(i.seats, r.ID)
}
