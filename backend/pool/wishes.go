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
	// followed has each resource that is followed, and when it was last heard to have changed; zero for never.
	followed map[string]time.Time
	level    string
}

// ready finds the session of a server for a question of a person's.
func (p *Pool) ready(ctx context.Context, id string) (*slot, *live, error) {
	s, err := p.mustFind(id)
	if err != nil {
		return nil, nil, err
	}
	live, err := s.acquire(ctx)
	return s, live, err
}

// Complete asks a server for the values that an argument may have.
func (p *Pool) Complete(ctx context.Context, id string, asked domain.Completion) (domain.Completions, error) {
	_, live, err := p.ready(ctx, id)
	if err != nil {
		return domain.Completions{}, err
	}
	return live.Complete(ctx, asked)
}

// SetLogLevel says from which level on a server is to send log messages, in this session and the next ones.
func (p *Pool) SetLogLevel(ctx context.Context, id, level string) error {
	s, live, err := p.ready(ctx, id)
	if err != nil {
		return err
	}
	if err := live.SetLogLevel(ctx, level); err != nil {
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
	_, live, err := p.ready(ctx, id)
	if err != nil {
		return err
	}
	return live.CancelTask(ctx, task)
}

// Subscribe follows a resource of a server, in this session and the next ones.
func (p *Pool) Subscribe(ctx context.Context, id, uri string) error {
	s, live, err := p.ready(ctx, id)
	if err != nil {
		return err
	}
	if err := live.Subscribe(ctx, uri); err != nil {
		return err
	}
	s.mu.Lock()
	if _, known := s.wishes.followed[uri]; !known {
		s.wishes.followed[uri] = time.Time{}
	}
	s.mu.Unlock()
	p.announce(domain.Event{Topic: domain.TopicResources, ID: id})
	return nil
}

// Unsubscribe follows a resource no longer.
func (p *Pool) Unsubscribe(ctx context.Context, id, uri string) error {
	s, live, err := p.ready(ctx, id)
	if err != nil {
		return err
	}
	if err := live.Unsubscribe(ctx, uri); err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.wishes.followed, uri)
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
	for uri, changed := range s.wishes.followed {
		one := domain.Subscription{URI: uri}
		if !changed.IsZero() {
			one.ChangedAt = &changed
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b domain.Subscription) int { return strings.Compare(a.URI, b.URI) })
	return list
}

// updated notes that a followed resource changed. It runs on the goroutine that reads from the server.
func (s *slot) updated(uri string) {
	s.mu.Lock()
	_, known := s.wishes.followed[uri]
	if known {
		s.wishes.followed[uri] = time.Now()
	}
	s.mu.Unlock()
	if known {
		s.pool.announce(domain.Event{Topic: domain.TopicResources, ID: s.id})
	}
}

// renew tells a new session what was asked of the one before. What followed resources became meanwhile is not known, so
// they count as changed.
func (s *slot) renew(ctx context.Context, live *session.Session) {
	s.mu.Lock()
	level, followed := s.wishes.level, maps.Clone(s.wishes.followed)
	s.mu.Unlock()
	for uri := range followed {
		if err := live.Subscribe(ctx, uri); err != nil {
			s.log.Add(transport.StreamLifecycle, "not followed any more: "+uri+": "+err.Error())
			continue
		}
		s.updated(uri)
	}
	if level == "" {
		return
	}
	if err := live.SetLogLevel(ctx, level); err != nil {
		s.log.Add(transport.StreamLifecycle, "log level not set: "+err.Error())
	}
}
