package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// nudgeInterval is how soon after a failed start a call may cause another.
const nudgeInterval = time.Second

// await waits until the server has a session, or until it is known why not.
func (s *slot) await(ctx context.Context) (*live, error) {
	for {
		s.mu.Lock()
		changed := s.changed
		live, known, err := s.outcome()
		s.mu.Unlock()
		if known {
			return live, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, gaveUp(ctx)
		}
	}
}

// outcome tells what has come of what is wanted, if it is known. The caller holds the lock.
func (s *slot) outcome() (live *live, known bool, err error) {
	switch {
	case s.finished || !s.want.up:
		return nil, true, domain.ServerOff(s.id, s.want.server.Name)
	case s.turn != s.want.turn || s.trying:
		return nil, false, nil
	case s.session != nil:
		return s.session, true, nil
	case s.status.Reason != nil:
		return nil, true, notStarted(s.status.Reason)
	default:
		return nil, false, nil
	}
}

// acquire finds the session for a call. Where the last one was lost, or a start failed that is tried again anyway, it is
// tried now.
func (s *slot) acquire(ctx context.Context) (*live, error) {
	s.mu.Lock()
	if s.isLostNow() || s.paused() && s.mendsItselfNow() && time.Since(s.lastTry) >= nudgeInterval {
		s.tryNow()
	}
	s.waiting++
	s.mu.Unlock()
	defer s.waitNoMore()
	return s.await(ctx)
}

func (s *slot) waitNoMore() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting--
}

// isLostNow reports whether a session was lost and the next start is still to come. The caller holds the lock.
func (s *slot) isLostNow() bool { return s.want.up && s.turn == s.want.turn && s.trying && s.resting }

// isAwaited begins a rest, unless a session was lost that a call waits for: that one is started at once.
func (s *slot) isAwaited() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resting = !s.trying || s.waiting == 0
	return !s.resting
}

func (s *slot) setResting(resting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resting = resting
}

// mendsItselfNow reports whether the last start failed in a way that may be over by now. The caller holds the lock.
func (s *slot) mendsItselfNow() bool {
	reason := s.status.Reason
	if s.status.State != domain.StateStopped || reason == nil {
		return false
	}
	d := s.want.server.Definition
	return mendsItself(reason, domain.StreamableHTTP) || isInBetween(reason, d.Transport) && s.wasReady(d)
}

// paused reports whether a wanted session is down and not being started right now. The caller holds the lock.
func (s *slot) paused() bool {
	return s.want.up && s.turn == s.want.turn && !s.trying && s.session == nil
}

// tryNow cuts a pause short. The caller holds the lock.
func (s *slot) tryNow() {
	s.trying = true
	select {
	case s.nudge <- struct{}{}:
	default:
	}
}

// awaitOff waits until the session is gone that was wanted down.
func (s *slot) awaitOff(ctx context.Context) error {
	for {
		s.mu.Lock()
		changed := s.changed
		done := s.finished || s.turn == s.want.turn && s.idle
		overtaken := s.want.up
		s.mu.Unlock()
		if done || overtaken {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return gaveUp(ctx)
		}
	}
}

func gaveUp(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) {
		return &domain.Error{
			Code: domain.CodeNoAnswer, Message: "The server did not become ready in time.",
			Hint: "Look at its log, or wait longer.", Cause: fmt.Errorf("%w (%w)", cause, domain.ErrUnsent),
		}
	}
	return &domain.Error{
		Code: domain.CodeCanceled, Message: "The request was cancelled.", Cause: fmt.Errorf("%w (%w)", cause, domain.ErrUnsent),
	}
}

// notStarted adds the proof that a call which waited for a start that failed was not sent.
func notStarted(reason *domain.Error) error {
	e := *reason
	e.Cause = fmt.Errorf("start: %w (%w)", errors.Join(reason.Cause, errNotStarted), domain.ErrUnsent)
	return &e
}

var errNotStarted = errors.New("not started")
