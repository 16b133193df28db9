package human

import (
	"slices"
	"sync"
	"time"
)

// hour counts what each server asked for in the last hour, at whatever moment one looks. It is safe for concurrent use.
type hour struct {
	now func() time.Time

	mu   sync.Mutex
	seen map[string][]time.Time // by server, oldest first
}

func newHour(now func() time.Time) *hour { return &hour{now: now, seen: make(map[string][]time.Time)} }

// take counts one more for a server, unless there were most already.
func (h *hour) take(server string, most int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last(server) >= most {
		return false
	}
	h.seen[server] = append(h.seen[server], h.now())
	return true
}

// note counts one of an earlier time, no earlier than those that were counted.
func (h *hour) note(server string, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[server] = append(h.seen[server], at)
}

// count is how many there were.
func (h *hour) count(server string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last(server)
}

// last forgets what is older and counts the rest. The caller holds mu.
func (h *hour) last(server string) int {
	since := h.now().Add(-time.Hour)
	left := slices.DeleteFunc(h.seen[server], func(at time.Time) bool { return !at.After(since) })
	if len(left) == 0 {
		delete(h.seen, server)
		return 0
	}
	h.seen[server] = left
	return len(left)
}
