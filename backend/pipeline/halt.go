package pipeline

import (
	"context"
	"errors"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Brake ends all calls at once, and holds new ones until they may go on. It is safe for concurrent use.
type Brake struct {
	mu      sync.Mutex
	halt    *domain.Halt  // nil while calls go on
	resumed chan struct{} // closed when the halt ends
	running map[*runningCall]struct{}
	held    int
}

// runningCall is a call on its way. The Brake's lock guards it.
type runningCall struct {
	id     string
	cancel context.CancelFunc
	// reason is why it was ended from here; empty while it was not.
	reason string
}

// NewBrake makes a brake that is pulled already when there is a halt.
func NewBrake(halt *domain.Halt) *Brake {
	return &Brake{halt: halt, resumed: make(chan struct{}), running: make(map[*runningCall]struct{})}
}

// Stop ends the calls that run and holds those that come, and says how many it ended. A second one counts on top of the
// first, whose time and author stay.
func (b *Brake) Stop(by domain.Caller, at time.Time) domain.Halt {
	b.mu.Lock()
	defer b.mu.Unlock()
	halt := domain.Halt{By: by, At: at}
	if b.halt != nil {
		halt = *b.halt
	}
	halt.Canceled += len(b.running)
	for call := range b.running {
		call.end(reasonStopped)
	}
	clear(b.running)
	b.halt = &halt
	return halt
}

// Cancel ends one call, because a person said so; one that has ended stays as it is.
func (b *Brake) Cancel(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for call := range b.running {
		if call.id == id {
			call.end(reasonClosed)
		}
	}
}

// Why a call was ended from here.
const (
	reasonStopped = "calls_stopped"
	reasonClosed  = "question_closed"
)

func (c *runningCall) end(reason string) {
	c.reason = reason
	c.cancel()
}

// Resume lets calls go on, those that are held first.
func (b *Brake) Resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.halt != nil {
		b.halt = nil
		close(b.resumed)
		b.resumed = make(chan struct{})
	}
}

// Halt is the halt that holds, nil when there is none, and how many calls are held by it.
func (b *Brake) Halt() (halt *domain.Halt, held int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.halt, b.held
}

// Hold is the stage of the brake. It belongs after Record, so that what was stopped is recorded, and before all that
// answers, asks a person or touches the world.
//
// A call that comes during a halt stays as long as it would for a person (Call.Wait), and is refused with
// CodeCallsStopped after that. One that ran gets CodeCanceled.
func (b *Brake) Hold(next domain.CallFunc) domain.CallFunc {
	return func(ctx context.Context, call domain.Call) (domain.Result, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		going := &runningCall{id: call.ID, cancel: cancel}
		if err := b.enter(ctx, call.Wait, going); err != nil {
			return refused(canceled(ctx, err))
		}
		defer b.leave(going)
		result, err := next(ctx, call)
		if reason := b.reasonOf(going); reason != "" && (errors.Is(err, context.Canceled) || domain.CodeOf(err) == domain.CodeCanceled) {
			err = endedError(reason, err)
		}
		return result, err
	}
}

// enter waits until calls may go on, then counts this one among them.
func (b *Brake) enter(ctx context.Context, wait time.Duration, going *runningCall) error {
	halt, resumed := b.pass(going)
	if halt == nil {
		return nil // as ever: nothing to wait for, and no timer
	}
	var over <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	for halt != nil {
		if err := b.stay(ctx, *halt, resumed, over); err != nil {
			return err
		}
		halt, resumed = b.pass(going)
	}
	return nil
}

// stay keeps a call that is held until calls may go on, its time is over, or its caller leaves.
func (b *Brake) stay(ctx context.Context, halt domain.Halt, resumed <-chan struct{}, over <-chan time.Time) error {
	defer b.unhold()
	select {
	case <-resumed:
		return nil
	case <-over:
		return heldError(halt)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pass lets a call through, or counts it as held and gives what it is held by.
func (b *Brake) pass(going *runningCall) (halt *domain.Halt, resumed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.halt == nil {
		b.running[going] = struct{}{}
		return nil, nil
	}
	b.held++
	return b.halt, b.resumed
}

func (b *Brake) unhold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held--
}

func (b *Brake) leave(going *runningCall) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.running, going)
}

func (b *Brake) reasonOf(going *runningCall) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return going.reason
}

const resumeHint = "See why in the window, then resume with: apollia resume-calls"

func endedError(reason string, cause error) error {
	e := &domain.Error{
		Code: domain.CodeCanceled, Message: "a person stopped all calls, this one among them", Hint: resumeHint,
		Args: map[string]string{"reason": reason}, Cause: cause,
	}
	if reason == reasonClosed {
		e.Message, e.Hint = "a person closed the question of the server, and cancelled the call with it", "Make the call again to be asked again."
	}
	return e
}

func heldError(halt domain.Halt) error {
	return &domain.Error{
		Code: domain.CodeCallsStopped, Message: "all calls are stopped since " + halt.At.Format(time.RFC3339), Hint: resumeHint,
		Args: map[string]string{"since": halt.At.Format(time.RFC3339), "by": halt.By.Name}, Cause: domain.ErrUnsent,
	}
}
