package session

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// Pauses before the stream of changes is opened again.
const (
	firstReopen   = time.Second
	longestReopen = time.Minute
)

// maxSubscriptions bounds how many resources of one server are followed.
const maxSubscriptions = 1000

// Follow keeps the session told of what changes at the server until ctx or the link ends. Servers with a handshake tell
// by themselves; a stateless one has to be asked, with a request that stays open (MCP 2026-07-28, subscriptions/listen).
// Whenever the stream was away, everything that may have changed meanwhile counts as changed.
func (s *Session) Follow(ctx context.Context) {
	defer s.tellNow()
	if !s.greeting.IsStateless() {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.link.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	for pause := firstReopen; ctx.Err() == nil; pause = min(2*pause, longestReopen) {
		filter, changed := s.filter()
		if filter == nil {
			s.tellNow()
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		opened, err := s.listen(ctx, filter, changed)
		s.tellNow()
		if refused, ok := errors.AsType[*jsonrpc.Error](err); ok && refused.Code == jsonrpc.CodeMethodNotFound {
			return // it has nothing to tell
		}
		if errors.Is(err, errOtherFilter) || ctx.Err() != nil {
			pause = firstReopen / 2
			continue
		}
		if opened {
			pause = firstReopen
		}
		select {
		case <-s.options.after(pause):
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// Told is closed once the server tells of changes, or is known not to yet: what is listed from then on is true until
// it is said to have changed. Only Follow closes it.
func (s *Session) Told() <-chan struct{} { return s.told }

// errOtherFilter ends a stream because something else is wanted now.
var errOtherFilter = errors.New("other changes are wanted")

// filter is what is to be listened for, nil for nothing, and a channel that is closed when that changes.
func (s *Session) filter() (map[string]any, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[string]any{}
	for _, list := range []string{"tools", "resources", "prompts"} {
		if s.greeting.can(list, "listChanged") {
			wanted[list+"ListChanged"] = true
		}
	}
	if len(s.subscribed) > 0 {
		wanted["resourceSubscriptions"] = slices.Sorted(maps.Keys(s.subscribed))
	}
	if len(wanted) == 0 {
		return nil, s.refilter
	}
	return wanted, s.refilter
}

// can reports whether a capability of the server has a member that is true.
func (g Greeting) can(capability, what string) bool {
	m, _ := members(g.Capabilities)
	c, _ := members(m[capability])
	return isTrue(c, what)
}

// listen opens the stream once and returns when it is over. opened says that the server acknowledged it.
func (s *Session) listen(ctx context.Context, filter map[string]any, changed <-chan struct{}) (opened bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-changed:
			cancel(errOtherFilter)
		case <-ctx.Done():
		}
	}()
	before := s.acknowledged.Load()
	s.mu.Lock()
	s.listening = filter
	s.mu.Unlock()
	_, err = s.request(ctx, "subscriptions/listen", encoded(map[string]any{"notifications": filter}))
	if cause := context.Cause(ctx); errors.Is(cause, errOtherFilter) {
		err = cause
	}
	return s.acknowledged.Load() > before, err
}

// begun notes that the server tells of changes from now on. What was asked for while it did not may have changed since.
func (s *Session) begun() {
	s.acknowledged.Add(1)
	s.mu.Lock()
	filter, listed := s.listening, maps.Clone(s.listed)
	s.mu.Unlock()
	for _, list := range []string{"tools", "resources", "prompts"} {
		if filter[list+"ListChanged"] != nil && listed[list] {
			s.markDirty(list)
		}
	}
	s.tellNow()
	uris, _ := filter["resourceSubscriptions"].([]string)
	for _, uri := range uris {
		s.options.Updated(uri)
	}
}

// Subscribe follows one resource: Options.Updated hears of its changes. It fails with CodeNotAnnounced when the server
// cannot tell of them, and with what the server says.
func (s *Session) Subscribe(ctx context.Context, uri string) error {
	if !s.greeting.can("resources", "subscribe") {
		return &domain.Error{
			Code: domain.CodeNotAnnounced, Message: "The server does not tell when a resource changes.",
			Hint: "Read the resource again when you want to know.", Args: map[string]string{"section": "resources"},
		}
	}
	s.mu.Lock()
	full := !s.subscribed[uri] && s.awaited[uri] == 0 && len(s.subscribed)+len(s.awaited) >= maxSubscriptions
	if !full {
		s.awaited[uri]++ // a change may be told of before the answer is read
	}
	s.mu.Unlock()
	if full {
		return &domain.Error{
			Code: domain.CodeInvalidInput, Message: "At most " + strconv.Itoa(maxSubscriptions) + " resources of one server can be followed.",
			Hint: "Stop following others first.", Args: map[string]string{"reason": "too_many_subscriptions"},
		}
	}
	err := s.askToFollow(ctx, "resources/subscribe", uri)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaited[uri]--
	if s.awaited[uri] == 0 {
		delete(s.awaited, uri)
	}
	if err == nil {
		s.setSubscribed(uri, true)
	}
	return err
}

// Unsubscribe follows a resource no longer.
func (s *Session) Unsubscribe(ctx context.Context, uri string) error {
	err := s.askToFollow(ctx, "resources/unsubscribe", uri)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.setSubscribed(uri, false)
	}
	return err
}

// askToFollow tells a server with a handshake what is followed; a stateless one hears it with the stream of changes.
func (s *Session) askToFollow(ctx context.Context, method, uri string) error {
	if s.greeting.IsStateless() {
		return nil
	}
	_, err := s.request(ctx, method, encoded(map[string]string{"uri": uri}))
	return callFailed(domain.Call{Kind: domain.ResourceRead, Name: uri}, err)
}

// setSubscribed notes what is followed. The caller holds the lock.
func (s *Session) setSubscribed(uri string, wanted bool) {
	if s.subscribed[uri] == wanted {
		return
	}
	if wanted {
		s.subscribed[uri] = true
	} else {
		delete(s.subscribed, uri)
	}
	close(s.refilter)
	s.refilter = make(chan struct{})
}

// updated passes on that a resource changed, as a change of those that are followed and that it is or is a part of.
func (s *Session) updated(params json.RawMessage) {
	m, _ := members(params)
	changed := text(m, "uri")
	s.mu.Lock()
	var hit []string
	for _, followed := range slices.Concat(slices.Collect(maps.Keys(s.subscribed)), slices.Collect(maps.Keys(s.awaited))) {
		if isWithin(changed, followed) && !slices.Contains(hit, followed) {
			hit = append(hit, followed)
		}
	}
	s.mu.Unlock()
	for _, followed := range hit {
		s.options.Updated(followed)
	}
}

// isWithin reports whether a resource is the one that is followed or a sub-resource of it, which a server may name instead
// (MCP 2025-11-25, ResourceUpdatedNotification).
func isWithin(uri, followed string) bool {
	rest, begins := strings.CutPrefix(uri, followed)
	return begins && (rest == "" || strings.HasSuffix(followed, "/") || strings.HasPrefix(rest, "/"))
}
