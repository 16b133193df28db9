package pool

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/transport"
)

// Clock tells the time of day, and how long the machine was awake since some moment.
type Clock func() (day time.Time, awake time.Duration)

// systemClock is the real one. What Go measures durations with stands still while the machine sleeps, but for Windows.
func systemClock() Clock {
	began := time.Now()
	return func() (day time.Time, awake time.Duration) {
		now := time.Now()
		return now.Round(0), now.Sub(began)
	}
}

// longSleep is how long the machine must have slept for connections to be doubted.
const longSleep = 30 * time.Second

// watchSleep has every session checked after the machine slept, until ctx ends.
func (p *Pool) watchSleep(ctx context.Context) {
	every := p.options.Patience.Look
	tick := time.NewTicker(every)
	defer tick.Stop()
	day, awake := p.options.Clock()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		dayNow, awakeNow := p.options.Clock()
		if slept(dayNow.Sub(day), awakeNow-awake, every) > longSleep {
			p.recheck(ctx)
		}
		day, awake = dayNow, awakeNow
	}
}

// slept is how much of the time that passed since the last look the machine was not running us. Where the clock of its
// waking hours goes on in its sleep, the look that comes late tells.
func slept(passed, awake, every time.Duration) time.Duration { return passed - min(awake, every) }

// TryAgain has the servers start now whose start failed for a reason that is over. It does not wait.
func (p *Pool) TryAgain(over func(domain.Code) bool) {
	for _, s := range p.all() {
		s.mu.Lock()
		if reason := s.status.Reason; s.paused() && reason != nil && over(reason.Code) {
			s.tryNow()
		}
		s.mu.Unlock()
	}
}

func (p *Pool) all() []*slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Values(p.slots))
}

// recheck asks every session for a sign of life, all at the same time, and tries the servers again that were out of
// reach. It opens nothing: a server that waits for a person goes on waiting.
func (p *Pool) recheck(ctx context.Context) {
	var all sync.WaitGroup
	for _, s := range p.all() {
		all.Go(func() { s.recheck(ctx) })
	}
	all.Wait()
}

func (s *slot) recheck(ctx context.Context) {
	s.mu.Lock()
	live, calls := s.session, s.calls
	if live == nil && (s.isLostNow() || s.paused() && s.mendsItselfNow()) {
		s.tryNow()
	}
	s.mu.Unlock()
	if live == nil {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, s.pool.options.Patience.Answer)
	defer cancel()
	err := live.Ping(bounded)
	if err == nil || ctx.Err() != nil || isAnswer(err) {
		return
	}
	if domain.CodeOf(err).Class() == domain.SignIn {
		live.spoil(err)
		return
	}
	if calls > 0 && live.link.PID() != 0 && domain.CodeOf(err) == domain.CodeNoAnswer {
		return // a program on this machine that is busy with a call
	}
	s.log.Add(transport.StreamLifecycle, "started again: no sign of life after the computer slept")
	live.spoil(err)
}

// isAnswer reports whether something answered over HTTP, if not what it should: it lives, and a call in flight may too.
func isAnswer(err error) bool {
	switch domain.CodeOf(err) {
	case domain.CodeHTTPStatus, domain.CodeHTML, domain.CodeNotJSONRPC:
		return true
	}
	return false
}
