package pool

import (
	"context"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// announceEvery bounds how often the same event is published: a server that writes a thousand lines a second causes
// ten events.
const announceEvery = 100 * time.Millisecond

// announcer gathers events and publishes each kind at most every announceEvery.
type announcer struct {
	publish func(domain.Event)
	some    chan struct{}

	mu      sync.Mutex
	waiting map[domain.Event]bool
}

func newAnnouncer(publish func(domain.Event)) *announcer {
	return &announcer{publish: publish, some: make(chan struct{}, 1), waiting: make(map[domain.Event]bool)}
}

func (a *announcer) add(e domain.Event) {
	a.mu.Lock()
	a.waiting[e] = true
	a.mu.Unlock()
	select {
	case a.some <- struct{}{}:
	default:
	}
}

func (a *announcer) run(ctx context.Context) {
	for {
		select {
		case <-a.some:
			a.flush()
		case <-ctx.Done():
			a.flush()
			return
		}
		pause := time.NewTimer(announceEvery)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
}

func (a *announcer) flush() {
	a.mu.Lock()
	events := a.waiting
	a.waiting = make(map[domain.Event]bool)
	a.mu.Unlock()
	for e := range events {
		a.publish(e)
	}
}
