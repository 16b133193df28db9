package session

import (
	"encoding/json"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// slowClock is a clock that notes for how long it is to wait, and ends the wait when it is told to.
type slowClock struct {
	waits chan time.Duration
	over  chan time.Time
}

func newSlowClock() slowClock {
	return slowClock{waits: make(chan time.Duration, 10), over: make(chan time.Time)}
}

// after notes the waits for a list; those for an answer are another matter.
func (c slowClock) after(d time.Duration) <-chan time.Time {
	if d < shortestFresh {
		return time.After(d)
	}
	c.waits <- d
	return c.over
}

func list(t *testing.T, s *Session, capability string) {
	t.Helper()
	for _, section := range Sections() {
		if section.Capability != capability {
			continue
		}
		if _, err := s.List(mcptest.Within(t), section, &Offer{}); err != nil {
			t.Fatal(err)
		}
	}
}

// A server that does not tell of changes says for how long its lists are fresh: after that they are asked for again.
func TestListsAreAskedForAgainWhenTheyAreNoLongerFresh(t *testing.T) {
	clock := newSlowClock()
	s := open(t, mcptest.Command(mcptest.Options{Revision: Stateless, Fresh: 5 * time.Minute}), Options{After: clock.after})
	list(t, s, "tools") // it tells of these
	list(t, s, "prompts")
	list(t, s, "prompts") // one wait is enough
	if got := <-clock.waits; got != 5*time.Minute {
		t.Errorf("waits %s", got)
	}
	clock.over <- time.Now()
	awaitChange(t, s, "prompts")
	if len(clock.waits) != 0 || s.Changes()["tools"] {
		t.Errorf("%d more waits", len(clock.waits))
	}
	list(t, s, "prompts")
	if got := <-clock.waits; got != 5*time.Minute {
		t.Errorf("the next time it waits %s", got)
	}
}

// Whoever ends a session waits for what goes on beside it: here until a list is no longer fresh.
func TestNothingGoesOnAfterASessionHasEnded(t *testing.T) {
	clock := newSlowClock()
	s := open(t, mcptest.Command(mcptest.Options{Revision: Stateless, Fresh: 5 * time.Minute}), Options{After: clock.after})
	list(t, s, "prompts")
	<-clock.waits
	ended := make(chan struct{})
	go func() {
		s.Wait()
		if s.link.Err() == nil {
			t.Error("waited for nothing")
		}
		close(ended)
	}()
	if err := s.link.Close(); err != nil {
		t.Error(err)
	}
	<-ended
}

func TestListsWithoutAHintAreKept(t *testing.T) {
	for name, o := range map[string]mcptest.Options{
		"no time": {Revision: Stateless}, "a revision without hints": {Revision: "2025-11-25", Fresh: time.Hour},
	} {
		clock := newSlowClock()
		s := open(t, mcptest.Command(o), Options{After: clock.after})
		list(t, s, "prompts")
		list(t, s, "resources")
		if len(clock.waits) != 0 {
			t.Errorf("%s: waits %s", name, <-clock.waits)
		}
	}
}

func TestFreshnessIsBounded(t *testing.T) {
	for said, want := range map[string]time.Duration{
		`0`: 0, `-5`: 0, `"60000"`: 0, `null`: 0, `{}`: 0, `1`: time.Minute, `90000`: 90 * time.Second, `90000.7`: 90 * time.Second,
		`1e300`: 24 * time.Hour, `86400001`: 24 * time.Hour,
	} {
		if got := freshness(map[string]json.RawMessage{"ttlMs": json.RawMessage(said)}); got != want {
			t.Errorf("ttlMs %s: %s, want %s", said, got, want)
		}
	}
	if got := freshness(nil); got != 0 {
		t.Errorf("nothing said: %s", got)
	}
}

// What a server was asked for before it tells of changes may have changed by the time it does.
func TestAChangeBeforeTheStreamBeginsIsNotMissed(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{Revision: Stateless})
	s := open(t, mcptest.Serve(t, domain.StreamableHTTP, fake), Options{})
	list(t, s, "tools")
	tell(t, s, "grow", "") // nobody is told
	go s.Follow(t.Context())
	awaitChange(t, s, "tools")
}

// What is asked for only after that needs no second look.
func TestListsAfterTheStreamBeganAreTrue(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{Revision: Stateless})
	s := open(t, mcptest.Serve(t, domain.StreamableHTTP, fake), Options{})
	go s.Follow(t.Context())
	mcptest.Eventually(t, "the stream of changes", func() bool { return s.acknowledged.Load() > 0 })
	list(t, s, "tools")
	if dirty := s.Changes(); len(dirty) != 0 {
		t.Errorf("changed: %v", dirty)
	}
}
