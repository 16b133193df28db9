// Package events tells subscribers what changed.
package events

import (
	"sync"

	"apollia.fr/connexions/backend/domain"
)

// Hub passes events to every subscriber. A publisher never waits for one: what a subscriber has not taken yet is
// kept for it once, however often it is published again.
type Hub struct {
	mu          sync.Mutex
	subscribers map[*subscriber]struct{}
	closed      bool
}

// New returns a hub without subscribers. Close it to end their channels.
func New() *Hub {
	return &Hub{subscribers: make(map[*subscriber]struct{})}
}

// Publish hands e to every subscriber without blocking. After Close it does nothing.
func (h *Hub) Publish(e domain.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subscribers {
		s.add(e)
	}
}

// Subscribe returns a channel of the events published from now on, and the function that ends it. The channel is
// closed when that function or Close has returned; both may be called more than once. On a closed hub the channel is
// closed from the start.
func (h *Hub) Subscribe() (<-chan domain.Event, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := newSubscriber()
	if h.closed {
		close(s.out)
		return s.out, func() {}
	}
	h.subscribers[s] = struct{}{}
	go s.deliver()
	return s.out, func() { h.remove(s) }
}

// Close ends all subscriptions and waits until their goroutines are gone.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	left := h.subscribers
	h.subscribers = nil
	h.mu.Unlock()
	for s := range left {
		s.end()
	}
}

func (h *Hub) remove(s *subscriber) {
	h.mu.Lock()
	delete(h.subscribers, s)
	h.mu.Unlock()
	s.end()
}
