package events

import (
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// receive takes n events, and fails when they do not come.
func receive(t *testing.T, events <-chan domain.Event, n int) []domain.Event {
	t.Helper()
	var got []domain.Event
	limit := time.After(time.Minute)
	for range n {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("channel closed after %d events, want %d", len(got), n)
			}
			got = append(got, e)
		case <-limit:
			t.Fatalf("got %d events, want %d", len(got), n)
		}
	}
	return got
}

func TestEverySubscriberHearsAnEvent(t *testing.T) {
	hub := New()
	defer hub.Close()
	first, stopFirst := hub.Subscribe()
	defer stopFirst()
	second, stopSecond := hub.Subscribe()
	defer stopSecond()

	want := domain.Event{Topic: domain.TopicServers, ID: "files"}
	hub.Publish(want)
	for name, events := range map[string]<-chan domain.Event{"first": first, "second": second} {
		if got := receive(t, events, 1)[0]; got != want {
			t.Errorf("%s subscriber got %v, want %v", name, got, want)
		}
	}
}

func TestSlowSubscriberGetsEachEventOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := New()
		defer hub.Close()
		events, stop := hub.Subscribe()
		defer stop()

		taken := domain.Event{Topic: domain.TopicStatus}
		hub.Publish(taken)
		synctest.Wait() // the goroutine now holds the first event
		a := domain.Event{Topic: domain.TopicServers, ID: "a"}
		b := domain.Event{Topic: domain.TopicServers, ID: "b"}
		for range 1000 {
			hub.Publish(a)
			hub.Publish(b)
			hub.Publish(taken)
		}
		// The one already taken comes again: it changed after it was taken.
		if diff := cmp.Diff([]domain.Event{taken, a, b, taken}, receive(t, events, 4)); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		synctest.Wait()
		select {
		case e := <-events:
			t.Errorf("one event too many: %v", e)
		default:
		}
	})
}

func TestManyItemsBecomeOneCollection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := New()
		defer hub.Close()
		events, stop := hub.Subscribe()
		defer stop()

		hub.Publish(domain.Event{Topic: domain.TopicStatus})
		synctest.Wait()
		hub.Publish(domain.Event{Topic: domain.TopicInbox, ID: "1"})
		for i := range 100_000 {
			hub.Publish(domain.Event{Topic: domain.TopicCalls, ID: strconv.Itoa(i)})
		}
		want := []domain.Event{{Topic: domain.TopicStatus}, {Topic: domain.TopicInbox}, {Topic: domain.TopicCalls}}
		if diff := cmp.Diff(want, receive(t, events, 3)); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	})
}

func TestNothingIsLostUnderLoad(t *testing.T) {
	hub := New()
	defer hub.Close()
	events, stop := hub.Subscribe()
	defer stop()

	const items = 200 // below maxPending, so that each comes under its own name
	var publishers sync.WaitGroup
	for range 8 {
		publishers.Go(func() {
			for i := range items {
				hub.Publish(domain.Event{Topic: domain.TopicCalls, ID: strconv.Itoa(i)})
			}
		})
	}
	heard := make(map[domain.Event]bool)
	for len(heard) < items {
		heard[receive(t, events, 1)[0]] = true
	}
	publishers.Wait()
}

func TestEndOfSubscription(t *testing.T) {
	hub := New()
	events, stop := hub.Subscribe()
	hub.Publish(domain.Event{Topic: domain.TopicLogs})
	stop()
	stop()
	if _, ok := <-events; ok {
		t.Error("an event came after the subscription ended")
	}

	other, stopOther := hub.Subscribe()
	hub.Close()
	hub.Close()
	stopOther()
	if _, ok := <-other; ok {
		t.Error("an event came after the hub was closed")
	}
	hub.Publish(domain.Event{Topic: domain.TopicLogs})
	late, stopLate := hub.Subscribe()
	stopLate()
	if _, ok := <-late; ok {
		t.Error("an event came from a closed hub")
	}
}
