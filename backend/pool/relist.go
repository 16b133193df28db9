package pool

import (
	"context"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// attend watches a ready session and lists again what changes. It returns why the session is over.
func (s *slot) attend(ctx context.Context, server domain.Server, live *live) error {
	for {
		select {
		case <-live.link.Done():
			return live.link.Err()
		case err := <-live.spoilt:
			return err
		case <-ctx.Done():
			return nil
		case <-live.Changed():
			s.relist(ctx, server, live)
		}
	}
}

// relist waits for a burst of changes to settle and lists what changed.
func (s *slot) relist(ctx context.Context, server domain.Server, live *live) {
	settle := time.NewTimer(s.pool.options.Patience.Settle)
	defer settle.Stop()
	select {
	case <-settle.C:
	case <-live.link.Done():
		return
	case <-ctx.Done():
		return
	}
	dirty := live.Changes()
	fresh := finding{offer: live.found.offer}
	for _, list := range session.Sections() {
		if !dirty[list.Capability] {
			continue
		}
		warnings, err := live.List(ctx, list, &fresh.offer)
		fresh.warnings = append(fresh.warnings, warnings...)
		if err != nil && domain.CodeOf(err).Class() == domain.SignIn {
			live.spoil(err)
			return
		}
		fresh.breaks(list, err)
	}
	if ctx.Err() != nil || live.link.Err() != nil {
		return
	}
	live.found = live.found.again(dirty, fresh)
	s.relisted(server, live)
}

// relisted shows what became of the lists.
func (s *slot) relisted(server domain.Server, live *live) {
	found, g := live.found, live.Greeting()
	s.log.Add(transport.StreamLifecycle, "lists changed: "+found.offer.String())
	kept := s.learn(recordOf(found.offer, g.Version, live.transport, server), found.offer)
	s.mu.Lock()
	status := s.status
	s.mu.Unlock()
	s.show(found.shownIn(status, g), live, func() {})
	s.pool.save(s.id, kept)
}
