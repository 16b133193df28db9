package pool

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

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
		// A stateless server may have begun to tell already, which counts as a change.
		early := revision == session.Stateless
		if got := p.Subscriptions("one"); len(got) != 1 || got[0].URI != uri || got[0].ChangedAt != nil && !early {
			t.Errorf("%s: subscriptions %+v", revision, got)
		}
		changed := func() bool {
			got := p.Subscriptions("one")
			return len(got) == 1 && got[0].ChangedAt != nil
		}
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

// A change that comes with the answer, or of a part of what is followed, is one.
func TestNoChangeOfAFollowedResourceIsLost(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Command(mcptest.Options{Revision: "2025-11-25", Behave: []mcptest.Behaviour{mcptest.EagerUpdates}})))
	const uri = "test://folder"
	if err := p.Subscribe(mcptest.Within(t), "one", uri); err != nil {
		t.Fatal(err)
	}
	got := p.Subscriptions("one")
	if len(got) != 1 || got[0].ChangedAt == nil {
		t.Fatalf("subscriptions %+v", got)
	}
	callText(t, p, toolCall("one", "change", `{"name":"change","arguments":{"message":"`+uri+`/a.txt"}}`))
	mcptest.Eventually(t, "that the folder changed", func() bool { return p.Subscriptions("one")[0].ChangedAt.After(*got[0].ChangedAt) })
	if err := p.Subscribe(mcptest.Within(t), "one", "test://none"); err == nil {
		t.Error("what is not there can be followed")
	}
	if got := p.Subscriptions("one"); len(got) != 1 || got[0].URI != uri {
		t.Errorf("subscriptions %+v", got)
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

// No question waits for ever for a server that does not answer it.
func TestQuestionsEndWithoutAnAnswer(t *testing.T) {
	fake := newTampered()
	d := mcptest.Serve(t, domain.StreamableHTTP, fake)
	d.TimeoutMS = 2000
	p := newPool(t, nil)
	start(t, p, server("one", d))
	task := make(chan error, 1)
	ctx, leave := context.WithCancel(mcptest.Within(t))
	defer leave()
	go func() {
		call := toolCall("one", "task", `{"name":"task","arguments":{"message":"never"}}`)
		call.Target = &domain.Target{Tool: &domain.Tool{Name: "task", Raw: json.RawMessage(`{"name":"task","execution":{"taskSupport":"required"}}`)}}
		_, err := p.Call(ctx, call)
		task <- err
	}()
	mcptest.Eventually(t, "a task", func() bool { return len(p.Tasks("one")) == 1 })
	methods := []string{"completion/complete", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/cancel"}
	fake.change(func() {
		for _, method := range methods {
			fake.hangs[method] = true
		}
	})
	asked := []func() error{
		func() error {
			_, err := p.Complete(t.Context(), "one", domain.Completion{Prompt: "greet", Argument: "who", Value: "g"})
			return err
		},
		func() error { return p.SetLogLevel(t.Context(), "one", "error") },
		func() error { return p.Subscribe(t.Context(), "one", "test://text") },
		func() error { return p.Unsubscribe(t.Context(), "one", "test://text") },
		func() error { return p.CancelTask(t.Context(), "one", p.Tasks("one")[0].ID) },
	}
	answers := make([]chan error, len(asked))
	for i, ask := range asked {
		answers[i] = make(chan error, 1)
		go func() { answers[i] <- ask() }()
	}
	for i, answered := range answers {
		select {
		case err := <-answered:
			wantCode(t, err, domain.CodeNoAnswer)
		case <-mcptest.Within(t).Done():
			t.Fatalf("%s still waits", methods[i])
		}
	}
	fake.change(func() { clear(fake.hangs) })
	leave()
	<-task
}

// A resource that cannot be followed any more keeps nothing else from being asked for again.
func TestALogLevelIsRenewedThoughAResourceIsNot(t *testing.T) {
	fake := newTampered()
	d := mcptest.Serve(t, domain.StreamableHTTP, fake)
	d.TimeoutMS = time.Hour.Milliseconds()
	p := newPool(t, nil)
	start(t, p, server("one", d))
	if err := p.Subscribe(mcptest.Within(t), "one", "test://text"); err != nil {
		t.Fatal(err)
	}
	if err := p.SetLogLevel(mcptest.Within(t), "one", "error"); err != nil {
		t.Fatal(err)
	}
	fake.change(func() { fake.hangs["resources/subscribe"] = true })
	if err := p.Reconnect(mcptest.Within(t), "one"); err != nil {
		t.Fatal(err)
	}
	mcptest.Eventually(t, "that the next session has the level", func() bool {
		return callText(t, p, toolCall("one", "level", "")) == "error"
	})
}
