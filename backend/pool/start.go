package pool

import (
	"context"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// start brings a session up, listed and ready for calls.
func (s *slot) start(ctx context.Context, server domain.Server, quiet bool) (*live, finding, error) {
	installing := s.starting(server.Definition, quiet)
	definition, err := s.pool.options.Expand(ctx, server)
	if err != nil {
		return nil, finding{}, err
	}
	o := opening{
		options: s.pool.options, serverID: server.ID, definition: definition, log: s.log, traffic: s.traffic, hooks: noHooks(),
		updated: s.updated, roots: s.folders,
	}
	o.handshake, o.sse = s.knownEra(server)
	live, err := o.connectInTime(ctx, installing)
	if err != nil {
		s.doubt()
		return nil, finding{}, err
	}
	live.following.Go(func() { live.Follow(ctx) }) // before anything is listed: no change after that is missed
	live.awaitTold(ctx, s.pool.options.Patience.Told)
	// Without one of its lists it is still up: a person can see why, and a later list_changed may mend it.
	found, err := o.survey(ctx, live)
	if err != nil {
		_ = live.end() // why it is no use says more
		return nil, finding{}, err
	}
	return live, found, nil
}

// starting shows that a start is tried, unless quiet, and says whether it may install. After a session that was lost,
// why it was stays on display.
func (s *slot) starting(definition domain.Definition, quiet bool) (installing bool) {
	s.mu.Lock()
	s.began = s.log.Last()
	installing = installs(definition) && !s.wasReady(definition)
	status := domain.Status{State: domain.StateStarting, Reason: s.lost}
	s.mu.Unlock()
	if installing {
		status.State = domain.StateInstalling
	}
	if !quiet {
		s.show(status, nil, func() {})
	}
	return installing
}

func (s *slot) ready(server domain.Server, live *live, found finding) {
	g := live.Greeting()
	status := found.shownIn(domain.Status{
		ProtocolVersion: g.Version, Info: g.Info, Instructions: g.Instructions,
		Capabilities: g.Capabilities, PID: live.link.PID(), TransportInUse: live.transport,
	}, g)
	for _, warning := range found.all() {
		s.log.Add(transport.StreamLifecycle, warning.Message)
	}
	live.found = found
	s.log.Add(transport.StreamLifecycle, "ready: "+implementationText(g.Info)+", revision "+g.Version+", "+found.offer.String())
	s.tellTools(found, g)
	kept := s.learn(recordOf(found.offer, g.Version, live.transport, server), found.offer)
	s.show(status, live, func() { s.trying, s.lost = false, nil })
	s.pool.save(s.id, kept)
}

// tellTools passes the tools on. A list that broke off says nothing of the tools that are missing in it.
func (s *slot) tellTools(found finding, g session.Greeting) {
	if found.broken[string(domain.StepTools)] != nil {
		return
	}
	version := ""
	if g.Info != nil {
		version = g.Info.Version
	}
	s.pool.options.Listed(s.id, version, found.offer.Tools)
}

// withdraw takes the session away from callers before its link is closed. Unless the turn is over, a start follows.
func (s *slot) withdraw(ctx context.Context, err error) {
	status := domain.Status{State: domain.StateStarting}
	if err != nil {
		status.Reason = domain.AsError(err)
		s.log.Add(transport.StreamLifecycle, "lost: "+err.Error())
	}
	s.mu.Lock()
	if ctx.Err() != nil && !s.want.up {
		status.State = domain.StateOff
	}
	s.mu.Unlock()
	s.show(status, nil, func() { s.trying, s.lost = true, status.Reason })
}

// showLost shows why a session was lost while its server rests before the next start; whoever wants it starts it now.
func (s *slot) showLost() {
	s.mu.Lock()
	status := domain.Status{State: domain.StateStopped, Reason: s.lost}
	s.mu.Unlock()
	s.show(status, nil, func() {})
}

// stopped shows why a start failed. Whoever waits for it hears so.
func (s *slot) stopped(reason *domain.Error, pause time.Duration) {
	status := domain.Status{State: domain.StateStopped, Reason: reason}
	switch {
	case reason.Code == domain.CodeKeyringDown, reason.Code == domain.CodeSecretKeyMissing: // no sign-in brings a key back
	case reason.Code.Class() == domain.SignIn:
		status.State = domain.StateNeedsSignIn
	}
	line := "not started: " + reason.Message
	if pause == never {
		line += " Not tried again until asked."
	}
	s.log.Add(transport.StreamLifecycle, line)
	s.show(status, nil, func() { s.trying, s.lost, s.lastTry = false, nil, time.Now() })
}

// show makes a status and a session visible to all, together with what else changes under the lock.
func (s *slot) show(status domain.Status, live *live, also func()) {
	status.Since = time.Now()
	s.mu.Lock()
	also()
	if status.State == s.status.State {
		status.Since = s.status.Since
	}
	s.status, s.session = status, live
	s.broadcast()
	s.mu.Unlock()
	s.pool.announce(domain.Event{Topic: domain.TopicServers, ID: s.id})
}

// learn keeps what a session found out and returns what is to be saved of it.
func (s *slot) learn(m record, o session.Offer) record {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offer, s.known, s.asked, s.era, s.readyAs = o, true, true, m.era, m.Ready
	return m
}

// recall asks the memory once. The caller holds the lock.
func (s *slot) recall() {
	if s.asked {
		return
	}
	s.asked = true
	kept, known := s.pool.recall(s.id)
	s.offer, s.known, s.era, s.readyAs = kept.Of(s.id), known, kept.era, kept.Ready
}

// knownEra says what is known of the server of this definition: that it needs initialize, that it speaks only SSE.
func (s *slot) knownEra(server domain.Server) (handshake, sse bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recall()
	digest := server.StartDigest()
	return s.era.Handshake == digest, s.era.SSE == digest
}

// wasReady reports whether this definition has been ready before, in this process or an earlier one. The caller holds
// the lock.
func (s *slot) wasReady(d domain.Definition) bool {
	s.recall()
	return s.readyAs == d.StartDigest()
}

func (s *slot) isKnown(d domain.Definition) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wasReady(d)
}

// doubt has the next start ask again what the server speaks: it may have been updated.
func (s *slot) doubt() { s.assume(era{}) }

// assume has the next start take something for known.
func (s *slot) assume(e era) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.era = e
}
