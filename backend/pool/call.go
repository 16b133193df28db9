package pool

import (
	"context"
	"errors"

	"apollia.fr/connexions/backend/domain"
)

// Call sends a call to its server and returns the server's result, byte for byte. It is the end of the pipeline. A
// call that provably did not reach the server is sent once more over the next session; any other failure is
// reported, with domain.ErrUnsent in its chain only when nothing was sent.
func (p *Pool) Call(ctx context.Context, call domain.Call) (domain.Result, error) {
	s, err := p.slotOf(call.Server)
	if err != nil {
		return domain.Result{}, err
	}
	s.hold(1)
	defer s.hold(-1)
	const attempts = 2
	for attempt := 1; ; attempt++ {
		result, err := s.callOnce(ctx, call)
		if err == nil {
			result.Meta.Attempts = attempt
			return result, nil
		}
		if attempt == attempts || ctx.Err() != nil || !isLost(err) {
			return domain.Result{}, err
		}
	}
}

// lostError marks a call whose session ended before anything was sent.
type lostError struct{ error }

func (e lostError) Unwrap() error { return e.error }

func isLost(err error) bool {
	var lost lostError
	return errors.As(err, &lost)
}

func (s *slot) callOnce(ctx context.Context, call domain.Call) (domain.Result, error) {
	live, err := s.acquire(ctx)
	if err != nil {
		return domain.Result{}, err
	}
	result, err := live.Call(ctx, call)
	switch {
	case err == nil:
	case errors.Is(err, domain.ErrUnsent) && live.link.Err() != nil:
		s.forgetSession(live)
		err = lostError{err}
	case domain.CodeOf(err) == domain.CodeMoreRights:
		live.lacks(err)
	case domain.CodeOf(err).Class() == domain.SignIn:
		live.spoil(err)
	}
	return result, err
}

// forgetSession takes a session whose link has ended away, in case its slot has not noticed yet, so that nobody is
// given it again.
func (s *slot) forgetSession(live *live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == live {
		s.session, s.trying = nil, true
	}
}

func (s *slot) hold(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls += n
}
