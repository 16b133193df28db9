package lan

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/miekg/dns"

	"apollia.fr/connexions/backend/domain"
)

const (
	// askEvery is how often the network is asked in the long run. A server that died unheard is gone after three questions.
	askEvery = 20 * time.Second
	// retryAfter is the pause after something broke.
	retryAfter = 5 * time.Second
	// soonest is the least time between two questions, RFC 6762 section 5.2.
	soonest = time.Second
	// showEvery and followEvery bound what a flood of answers makes us do: how often a new sight is put together, and how
	// often records are asked for by name, at most maxFollowUps at a time and maxWanted in waiting.
	showEvery    = 200 * time.Millisecond
	followEvery  = 50 * time.Millisecond
	maxFollowUps = 20
	maxWanted    = 1000
)

// Browser lists the servers that announce themselves on the local network, and connects to none. It holds no socket but
// while Run runs.
type Browser struct {
	log     *slog.Logger
	changed func()
	every   time.Duration
	look    chan struct{}

	mu    sync.Mutex
	sight domain.NetworkSight
}

// NewBrowser makes a browser that calls changed, in order and from one goroutine, whenever Sight may be another. Zero every
// means a question each 20 s; those after the start, and after a change of the network, come sooner.
func NewBrowser(log *slog.Logger, every time.Duration, changed func()) *Browser {
	if every <= 0 {
		every = askEvery
	}
	b := &Browser{log: log, changed: changed, every: max(every, soonest), look: make(chan struct{}, 1)}
	b.sight = domain.NetworkSight{Off: true, Servers: []domain.NetworkServer{}}
	return b
}

// Sight is what is seen now; Off while Run does not run.
func (b *Browser) Sight() domain.NetworkSight {
	b.mu.Lock()
	defer b.mu.Unlock()
	sight := b.sight
	sight.Servers = slices.Clone(sight.Servers)
	return sight
}

// Look asks the network now, or as soon as one may ask again.
func (b *Browser) Look() {
	select {
	case b.look <- struct{}{}:
	default:
	}
}

// Run browses until ctx ends, and then has closed all its sockets. It goes on by itself when the network went away, changes
// or misbehaves.
func (b *Browser) Run(ctx context.Context) {
	defer b.show(domain.NetworkSight{Off: true})
	for ctx.Err() == nil {
		pause := b.session(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		case <-b.look:
		}
	}
}

// session browses on the links that there are now, until they are others. It returns how long to wait before the next one.
func (b *Browser) session(ctx context.Context) (pause time.Duration) {
	defer func() {
		if cause := recover(); cause != nil {
			b.log.Error("the search on the network broke and starts again", "cause", cause)
			b.show(domain.NetworkSight{NoNetwork: true})
			pause = retryAfter
		}
	}()
	ls, err := links()
	if err != nil || len(ls) == 0 {
		b.show(domain.NetworkSight{NoNetwork: true})
		return pollEvery
	}
	e, err := listen(ls, b.log)
	if err != nil {
		b.log.Info("no network to search", "error", err)
		b.show(domain.NetworkSight{NoNetwork: true})
		return retryAfter
	}
	defer func() { _ = e.Close() }() // of sockets nothing can be lost
	s := &session{browser: b, ear: e, links: ls, seen: newSightings(), wanted: make(map[dns.Question]struct{})}
	return s.run(ctx)
}

// show makes a sight the current one.
func (b *Browser) show(sight domain.NetworkSight) {
	if sight.Servers == nil {
		sight.Servers = []domain.NetworkServer{}
	}
	b.mu.Lock()
	b.sight = sight
	b.mu.Unlock()
	b.changed()
}

// session is the search on one set of links.
type session struct {
	browser *Browser
	ear     *ear
	links   []link
	seen    *sightings
	asked   time.Time
	asks    int
	wanted  map[dns.Question]struct{} // what is to be asked for by name
}

func (s *session) run(ctx context.Context) (pause time.Duration) {
	was := signature(s.links)
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	ask, sweep := time.NewTimer(0), time.NewTimer(0)
	defer ask.Stop()
	defer sweep.Stop()
	show, follow := newPaced(showEvery), newPaced(followEvery)
	defer show.Stop()
	defer follow.Stop()
	for {
		select {
		case <-ctx.Done():
			return 0
		case <-s.ear.failed:
			return retryAfter
		case <-poll.C:
			if now, err := links(); err != nil || signature(now) != was {
				return 0
			}
		case <-s.browser.look:
			s.asks = 0
			ask.Reset(max(0, soonest-time.Since(s.asked)))
		case <-ask.C:
			if err := s.ask(); err != nil {
				s.browser.log.Info("the network could not be asked", "error", err)
				return retryAfter
			}
			ask.Reset(s.untilNext())
			show.want()
		case h := <-s.ear.heard:
			changed, rest := s.seen.hear(h, time.Now())
			if changed {
				show.want()
			}
			s.want(rest)
			if len(s.wanted) > 0 {
				follow.want()
			}
			sweep.Reset(0)
		case <-follow.C:
			follow.begin()
			s.followUp()
			if len(s.wanted) > 0 {
				follow.want()
			}
		case <-sweep.C:
			changed, next := s.seen.sweep(time.Now())
			if changed {
				show.want()
			}
			if !next.IsZero() {
				sweep.Reset(time.Until(next))
			}
		case <-show.C:
			show.begin()
			s.browser.show(domain.NetworkSight{Looked: s.asked, More: s.seen.more, Servers: s.seen.list(s.near)})
		}
	}
}

// untilNext doubles the pause from question to question up to the usual one, as RFC 6762 section 5.2 asks.
func (s *session) untilNext() time.Duration {
	return min(s.browser.every, soonest<<min(s.asks-1, 10))
}

// ask asks for all servers, after counting the last question for those who did not answer it.
func (s *session) ask() error {
	if !s.asked.IsZero() {
		s.seen.miss(s.asked)
	}
	s.asked = time.Now()
	s.asks++
	return s.ear.ask(question(serviceName, dns.TypePTR))
}

// want notes what is to be asked for by name. What finds no room is asked for again with the next answer that leaves it out.
func (s *session) want(questions []dns.Question) {
	for _, q := range questions {
		if len(s.wanted) < maxWanted {
			s.wanted[q] = struct{}{}
		}
	}
}

// followUp asks for some of what is wanted.
func (s *session) followUp() {
	var some []dns.Question
	for q := range s.wanted {
		if len(some) == maxFollowUps {
			break
		}
		some = append(some, q)
		delete(s.wanted, q)
	}
	if len(some) > 0 {
		_ = s.ear.ask(some...) // as above, it is asked for again
	}
}

// near reports whether an address is in a range of one of our links.
func (s *session) near(addr netip.Addr) bool {
	return slices.ContainsFunc(s.links, func(l link) bool { return l.has(addr) })
}
