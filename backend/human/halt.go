package human

import (
	"context"
	"sync"

	"apollia.fr/connexions/backend/domain"
)

// halt ends all texts that are on their way.
type halt struct {
	mu    sync.Mutex
	next  int
	going map[int]context.CancelCauseFunc
}

// enter gives a text a context that Stop ends, and what to call after it.
func (h *Human) enter(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	h.halt.mu.Lock()
	defer h.halt.mu.Unlock()
	if h.halt.going == nil {
		h.halt.going = make(map[int]context.CancelCauseFunc)
	}
	id := h.halt.next
	h.halt.next++
	h.halt.going[id] = cancel
	return ctx, func() {
		h.halt.mu.Lock()
		defer h.halt.mu.Unlock()
		delete(h.halt.going, id)
		cancel(nil)
	}
}

// Stop ends every text that is asked for, waits for a person or is being made, in a call or in none. Options.Stopped must
// report true before, so that none begins meanwhile.
func (h *Human) Stop() {
	h.halt.mu.Lock()
	defer h.halt.mu.Unlock()
	for _, cancel := range h.halt.going {
		cancel(errStopped())
	}
}

func errStopped() error {
	return &domain.Error{
		Code: domain.CodeCallsStopped, Message: "a person stopped all calls", Hint: "Resume with: apollia resume-calls",
	}
}
