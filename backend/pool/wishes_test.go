package pool

import (
	"slices"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
)

// What a person asked of a server holds for its next session too.
func TestWishesOutliveTheSession(t *testing.T) {
	for _, revision := range []string{"2025-11-25", session.Stateless} {
		var mu sync.Mutex
		told := 0
		p := newPool(t, func(o *Options) {
			o.Publish = func(e domain.Event) {
				mu.Lock()
				defer mu.Unlock()
				if e == (domain.Event{Topic: domain.TopicResources, ID: "one"}) {
					told++
				}
			}
		})
		start(t, p, server("one", mcptest.Command(mcptest.Options{Revision: revision})))
		const uri = "test://text"
		if err := p.Subscribe(mcptest.Within(t), "one", uri); err != nil {
			t.Fatal(err)
		}
		if err := p.SetLogLevel(mcptest.Within(t), "one", "error"); err != nil {
			t.Fatal(err)
		}
		if got := p.Subscriptions("one"); len(got) != 1 || got[0].URI != uri || got[0].ChangedAt != nil {
			t.Errorf("%s: subscriptions %+v", revision, got)
		}
		changed := func() bool {
			got := p.Subscriptions("one")
			return len(got) == 1 && got[0].ChangedAt != nil
		}
		// A stateless server may have begun to tell already, which counts as a change.
		callText(t, p, toolCall("one", "change", `{"name":"change","arguments":{"message":"`+uri+`"}}`))
		mcptest.Eventually(t, "that the resource changed", changed)

		if err := p.Reconnect(mcptest.Within(t), "one"); err != nil {
			t.Fatal(err)
		}
		mcptest.Eventually(t, "that the next session has the level", func() bool {
			return callText(t, p, toolCall("one", "level", "")) == "error"
		})
		before := *p.Subscriptions("one")[0].ChangedAt
		mcptest.Eventually(t, "that the next session follows the resource", func() bool {
			callText(t, p, toolCall("one", "change", `{"name":"change","arguments":{"message":"`+uri+`"}}`))
			return p.Subscriptions("one")[0].ChangedAt.After(before)
		})
		if err := p.Unsubscribe(mcptest.Within(t), "one", uri); err != nil {
			t.Fatal(err)
		}
		if got := p.Subscriptions("one"); len(got) != 0 {
			t.Errorf("%s: still %+v", revision, got)
		}
		mcptest.Eventually(t, "an event", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return told > 0
		})
	}
}

func TestCompletionGoesThroughThePool(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Command(mcptest.Options{})))
	got, err := p.Complete(mcptest.Within(t), "one", domain.Completion{Prompt: "greet", Argument: "who", Value: "g"})
	if err != nil || !slices.Equal(got.Values, []string{"green"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := p.Complete(mcptest.Within(t), "two", domain.Completion{}); domain.CodeOf(err) != domain.CodeServerOff {
		t.Errorf("an unknown server: %v", err)
	}
}
