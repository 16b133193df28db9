package pool

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// attend watches a ready session and lists again what changes. It returns why the session is over.
func (s *slot) attend(ctx context.Context, server domain.Server, live *live) error {
	patience := s.pool.options.Patience
	settle := patience.Settle
	for {
		select {
		case <-live.link.Done():
			return live.link.Err()
		case <-live.spoilt:
			return live.why
		case <-ctx.Done():
			return nil
		case why := <-live.lacking:
			s.lacks(live, why)
		case <-s.rooted:
			s.tellFolders(ctx, live)
		case <-live.Changed():
			changed := s.relist(ctx, server, live, settle)
			settle = patience.settle(settle, changed)
		}
	}
}

// settle is how long the next burst of changes is gathered. A server may say that a list changed whenever it is listed.
func (p Patience) settle(last time.Duration, changed bool) time.Duration {
	if changed {
		return p.Settle
	}
	return max(p.Settle, min(2*last, p.Longest))
}

// relist waits for a burst of changes to settle, lists what is said to have changed and reports whether it did.
func (s *slot) relist(ctx context.Context, server domain.Server, live *live, settle time.Duration) (changed bool) {
	ctx, cancel := live.whileGood(ctx)
	defer cancel()
	settled := time.NewTimer(settle)
	defer settled.Stop()
	select {
	case <-settled.C:
	case <-live.link.Done():
		return false
	case <-ctx.Done():
		return false
	}
	dirty := live.Changes()
	maps.Copy(dirty, live.found.unasked)
	fresh := finding{offer: live.found.offer}
	for _, list := range session.Sections() {
		if !dirty[list.Capability] {
			continue
		}
		warnings, err := live.List(ctx, list, &fresh.offer)
		fresh.warnings = append(fresh.warnings, warnings...)
		if err != nil && domain.CodeOf(err).Class() == domain.SignIn {
			live.spoil(err)
			return false
		}
		fresh.breaks(list, err)
	}
	if ctx.Err() != nil || live.link.Err() != nil {
		return false
	}
	before := live.found
	live.found = before.again(dirty, fresh)
	return s.relisted(server, live, before)
}

// relisted shows what became of the lists, as far as it is another thing than before, and reports whether the offer is.
func (s *slot) relisted(server domain.Server, live *live, before finding) (changed bool) {
	found, g := live.found, live.Greeting()
	changed = !reflect.DeepEqual(before.offer.Raw(), found.offer.Raw())
	s.mu.Lock()
	status := s.status
	s.mu.Unlock()
	if !changed && slices.EqualFunc(before.all(), found.all(), sameError) {
		return false
	}
	for _, remark := range found.all() {
		if !slices.ContainsFunc(before.all(), func(e *domain.Error) bool { return sameError(e, remark) }) {
			s.log.Add(transport.StreamLifecycle, remark.Message)
		}
	}
	var kept record
	if changed {
		s.log.Add(transport.StreamLifecycle, "lists changed: "+found.offer.String())
		s.tellTools(found, g)
		kept = s.learn(recordOf(found.offer, g.Version, live.transport, server), found.offer)
	}
	s.show(found.shownIn(status, g), live, func() {})
	if changed {
		s.pool.save(s.id, kept)
	}
	return changed
}

// lacks shows what a session is not good for, until the next one.
func (s *slot) lacks(live *live, why *domain.Error) {
	before := live.found.lacks
	live.found.lacks = why
	if before != nil && sameError(before, why) {
		return
	}
	s.log.Add(transport.StreamLifecycle, why.Message)
	s.mu.Lock()
	status := s.status
	s.mu.Unlock()
	s.show(live.found.shownIn(status, live.Greeting()), live, func() {})
}

// sameError reports whether two errors say the same to a person.
func sameError(a, b *domain.Error) bool { return a.Code == b.Code && a.Message == b.Message }
