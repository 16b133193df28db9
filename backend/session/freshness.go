package session

import (
	"encoding/json"
	"time"
)

// Bounds of the time after which a list is asked for again because its server said for how long it is fresh.
const (
	shortestFresh = time.Minute
	longestFresh  = 24 * time.Hour
)

// freshness is for how long a server says that a result is fresh; 0 when it does not say, or says something else than a
// number of milliseconds.
func freshness(members map[string]json.RawMessage) time.Duration {
	var ms float64
	if json.Unmarshal(members["ttlMs"], &ms) != nil || ms <= 0 {
		return 0
	}
	return min(max(time.Duration(min(ms, float64(longestFresh.Milliseconds())))*time.Millisecond, shortestFresh), longestFresh)
}

// keepFresh counts a list as changed once the time is over for which the server said that it is fresh (MCP 2026-07-28,
// server/utilities/caching). A server that tells of changes need not be asked again, and one that gives no time is not.
func (s *Session) keepFresh(section Section, fresh time.Duration) {
	if fresh == 0 || !s.greeting.IsStateless() || s.greeting.can(section.Capability, "listChanged") {
		return
	}
	s.mu.Lock()
	waits := s.aging[section.method]
	s.aging[section.method] = true
	s.mu.Unlock()
	if waits {
		return
	}
	s.waiting.Go(func() {
		select {
		case <-s.options.after(fresh):
			s.mu.Lock()
			delete(s.aging, section.method)
			s.mu.Unlock()
			s.markDirty(section.Capability)
		case <-s.link.Done():
		}
	})
}
