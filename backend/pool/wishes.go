package pool

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// wishes are what a person asked of the sessions of one server. They hold for the next session too, as long as the
// server is in the pool.
type wishes struct {
	followed map[string]bool
	// changed is when a resource was last heard to have changed that is followed, or is about to be.
	changed map[string]time.Time
	level   string
}

// ask puts a question of a person's to the session of a server, which has as long to answer as for a page of a list.
func (p *Pool) ask(ctx context.Context, id string, question func(context.Context, *live) error) (*slot, error) {
	s, err := p.slotOf(id)
	if err != nil {
		return nil, err
	}
	live, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	err = s.bounded(ctx, func(ctx context.Context) error { return question(ctx, live) })
	return s, err
}

// bounded gives a server time to answer one question.
func (s *slot) bounded(ctx context.Context, question func(context.Context) error) error {
	s.mu.Lock()
	timeout := s.want.server.Timeout()
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return question(ctx)
}

// Complete asks a server for the values that an argument may have.
func (p *Pool) Complete(ctx context.Context, id string, asked domain.Completion) (found domain.Completions, err error) {
	_, err = p.ask(ctx, id, func(ctx context.Context, live *live) error {
		found, err = live.Complete(ctx, asked)
		return err
	})
	return found, err
}

// SetLogLevel says from which level on a server is to send log messages, in this session and the next ones.
func (p *Pool) SetLogLevel(ctx context.Context, id, level string) error {
	s, err := p.ask(ctx, id, func(ctx context.Context, live *live) error { return live.SetLogLevel(ctx, level) })
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wishes.level = level
	return nil
}

// Tasks lists the calls that go on as tasks at a server; of all of them when id is empty.
func (p *Pool) Tasks(id string) []domain.Task {
	p.mu.Lock()
	found := slices.Collect(maps.Values(p.slots))
	p.mu.Unlock()
	tasks := []domain.Task{}
	for _, s := range found {
		s.mu.Lock()
		live := s.session
		s.mu.Unlock()
		if live != nil && (id == "" || id == s.id) {
			tasks = append(tasks, live.Tasks()...)
		}
	}
	slices.SortStableFunc(tasks, func(a, b domain.Task) int { return a.StartedAt.Compare(b.StartedAt) })
	return tasks
}

// CancelTask asks a server to end a task; the call that waits for it hears so.
func (p *Pool) CancelTask(ctx context.Context, id, task string) error {
	_, err := p.ask(ctx, id, func(ctx context.Context, live *live) error { return live.CancelTask(ctx, task) })
	return err
}

// Subscribe follows a resource of a server, in this session and the next ones.
func (p *Pool) Subscribe(ctx context.Context, id, uri string) error {
	s, err := p.ask(ctx, id, func(ctx context.Context, live *live) error { return live.Subscribe(ctx, uri) })
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.wishes.followed[uri] = true
	s.mu.Unlock()
	p.announce(domain.Event{Topic: domain.TopicResources, ID: id})
	return nil
}

// Unsubscribe follows a resource no longer.
func (p *Pool) Unsubscribe(ctx context.Context, id, uri string) error {
	s, err := p.ask(ctx, id, func(ctx context.Context, live *live) error { return live.Unsubscribe(ctx, uri) })
	if err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.wishes.followed, uri)
	delete(s.wishes.changed, uri)
	s.mu.Unlock()
	p.announce(domain.Event{Topic: domain.TopicResources, ID: id})
	return nil
}

// Subscriptions lists the resources of a server that are followed, by URI.
func (p *Pool) Subscriptions(id string) []domain.Subscription {
	s := p.find(id)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]domain.Subscription, 0, len(s.wishes.followed))
	for uri := range s.wishes.followed {
		one := domain.Subscription{URI: uri}
		if changed, ever := s.wishes.changed[uri]; ever {
			one.ChangedAt = &changed
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b domain.Subscription) int { return strings.Compare(a.URI, b.URI) })
	return list
}

// updated notes that a resource changed. The session tells of those only that are followed, and of those that it has just
// asked for. It runs on the goroutine that reads from the server.
func (s *slot) updated(uri string) {
	s.mu.Lock()
	s.wishes.changed[uri] = time.Now()
	s.mu.Unlock()
	s.pool.announce(domain.Event{Topic: domain.TopicResources, ID: s.id})
}

// renew tells a new session what was asked of the one before. What followed resources became meanwhile is not known, so
// they count as changed.
func (s *slot) renew(ctx context.Context, live *session.Session) {
	s.mu.Lock()
	level, followed := s.wishes.level, maps.Clone(s.wishes.followed)
	s.mu.Unlock()
	if level != "" {
		if err := s.bounded(ctx, func(ctx context.Context) error { return live.SetLogLevel(ctx, level) }); err != nil {
			s.log.Add(transport.StreamLifecycle, "log level not set: "+err.Error())
		}
	}
	for uri := range followed {
		if err := s.bounded(ctx, func(ctx context.Context) error { return live.Subscribe(ctx, uri) }); err != nil {
			s.log.Add(transport.StreamLifecycle, "not followed any more: "+uri+": "+err.Error())
			continue
		}
		s.updated(uri)
	}
}
