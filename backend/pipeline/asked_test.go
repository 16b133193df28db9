package pipeline

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

// handClock is a time that passes when a test says so.
type handClock struct {
	mu     sync.Mutex
	at     time.Time
	timers []*handTimer
}

type handTimer struct {
	clock *handClock
	due   time.Time // zero for one that does not run
	fire  func()
}

func (c *handClock) keeper() timekeeper {
	now := func() time.Time {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.at
	}
	return timekeeper{now: now, after: func(d time.Duration, f func()) timer {
		t := &handTimer{clock: c, fire: f}
		c.mu.Lock()
		c.timers = append(c.timers, t)
		c.mu.Unlock()
		t.Reset(d)
		return t
	}}
}

func (c *handClock) pass(d time.Duration) {
	c.mu.Lock()
	c.at = c.at.Add(d)
	var due []*handTimer
	for _, t := range c.timers {
		if !t.due.IsZero() && !t.due.After(c.at) {
			t.due = time.Time{}
			due = append(due, t)
		}
	}
	c.mu.Unlock()
	for _, t := range due {
		t.fire()
	}
}

func (t *handTimer) Stop() bool { return t.set(time.Time{}) }

func (t *handTimer) Reset(d time.Duration) bool {
	t.clock.mu.Lock()
	due := t.clock.at.Add(d)
	t.clock.mu.Unlock()
	return t.set(due)
}

func (t *handTimer) set(due time.Time) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	ran := !t.due.IsZero()
	t.due = due
	return ran
}

// slowPerson answers a form once another one was asked for as well, and after a long time.
type slowPerson struct {
	asked  chan struct{} // receives each question
	answer chan struct{} // closed when it is time to answer
}

func (slowPerson) Capabilities() map[string]json.RawMessage {
	return map[string]json.RawMessage{"elicitation": json.RawMessage(`{}`)}
}

func (slowPerson) Completed(string, string) {}

func (p slowPerson) Answer(ctx context.Context, _ session.Question) (json.RawMessage, *jsonrpc.Error) {
	p.asked <- struct{}{}
	select {
	case <-p.answer:
	case <-ctx.Done():
	}
	return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
}

// A server with a handshake asks without saying for which call. While a person answers, no call that may be meant runs out
// of time.
func TestAQuestionThatNamesNoCallStopsTheClocksOfAll(t *testing.T) {
	link, err := transport.Dial(mcptest.Within(t), "one", mcptest.Command(mcptest.Options{Revision: "2025-11-25"}), transport.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = link.Close() })
	person := slowPerson{asked: make(chan struct{}), answer: make(chan struct{})}
	s := session.New(link, session.Options{Answerer: person, Handshake: true})
	if err := s.Greet(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}
	if err := s.Agree(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}

	clock := &handClock{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	road := Build(s.Call, deadline(within(time.Minute, time.Hour), clock.keeper()))
	var calls sync.WaitGroup
	var mu sync.Mutex
	waits := map[string]int{}
	for _, name := range []string{"first", "second"} {
		calls.Go(func() {
			result, err := road(mcptest.Within(t), domain.Call{Kind: domain.ToolCall, Name: "elicit", Sink: func(n domain.Notice) {
				mu.Lock()
				defer mu.Unlock()
				switch n.Kind { //nolint:exhaustive // nothing else is about waiting
				case domain.NoticeAsked:
					waits[name]++
				case domain.NoticeAnswered:
					waits[name]--
				}
			}})
			if err != nil || !strings.Contains(string(result.Raw), "Ada") {
				t.Errorf("the %s call: %s, %v", name, result.Raw, err)
			}
		})
		<-person.asked
	}
	clock.pass(2 * time.Hour)
	close(person.answer)
	calls.Wait()
	if waits["first"] != 0 || waits["second"] != 0 {
		t.Errorf("questions that were never answered: %v", waits)
	}
}
