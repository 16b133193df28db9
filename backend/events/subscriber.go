package events

import (
	"slices"
	"sync"

	"apollia.fr/connexions/backend/domain"
)

// maxPending bounds what is kept for one subscriber that does not read. Past it, the single items of a topic become
// one event for the whole collection, which says the same to a page that refetches.
const maxPending = 256

// subscriber holds the events that its channel has not delivered yet, oldest first.
type subscriber struct {
	out  chan domain.Event
	wake chan struct{} // holds one token: there may be something pending
	stop chan struct{}
	done chan struct{}
	once sync.Once

	mu      sync.Mutex
	pending []domain.Event
	known   map[domain.Event]struct{} // the same events, to find one quickly
}

func newSubscriber() *subscriber {
	return &subscriber{
		out:   make(chan domain.Event),
		wake:  make(chan struct{}, 1),
		stop:  make(chan struct{}),
		done:  make(chan struct{}),
		known: make(map[domain.Event]struct{}),
	}
}

func (s *subscriber) add(e domain.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.covers(e) {
		return
	}
	s.pending = append(s.pending, e)
	s.known[e] = struct{}{}
	if len(s.pending) > maxPending {
		s.widen()
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// covers reports whether what is pending already says e: the same event, or its whole collection.
func (s *subscriber) covers(e domain.Event) bool {
	if _, ok := s.known[e]; ok {
		return true
	}
	_, ok := s.known[domain.Event{Topic: e.Topic}]
	return ok
}

// widen replaces all pending events by one per topic.
func (s *subscriber) widen() {
	var topics []domain.Event
	for _, e := range s.pending {
		whole := domain.Event{Topic: e.Topic}
		if !slices.Contains(topics, whole) {
			topics = append(topics, whole)
		}
	}
	s.pending = topics
	clear(s.known)
	for _, e := range topics {
		s.known[e] = struct{}{}
	}
}

func (s *subscriber) next() (domain.Event, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) == 0 {
		return domain.Event{}, false
	}
	e := s.pending[0]
	s.pending = s.pending[1:]
	delete(s.known, e)
	return e, true
}

// deliver runs until end is called.
func (s *subscriber) deliver() {
	defer close(s.done)
	defer close(s.out)
	for {
		e, ok := s.next()
		if !ok {
			select {
			case <-s.wake:
				continue
			case <-s.stop:
				return
			}
		}
		select {
		case s.out <- e:
		case <-s.stop:
			return
		}
	}
}

func (s *subscriber) end() {
	s.once.Do(func() { close(s.stop) })
	<-s.done
}
