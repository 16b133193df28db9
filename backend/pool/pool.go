package pool

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// Pool keeps one session for each server that is wanted. It is safe for concurrent use.
type Pool struct {
	options   Options
	announcer *announcer
	// spawn starts the goroutine of a slot; it holds the context that ends with the pool.
	spawn func(*slot)
	stop  context.CancelFunc
	tasks sync.WaitGroup

	mu     sync.Mutex
	slots  map[string]*slot
	closed bool
}

// New makes an empty pool. Close ends it.
func New(o Options) *Pool {
	o = o.withDefaults()
	ctx, stop := context.WithCancel(context.Background())
	p := &Pool{options: o, announcer: newAnnouncer(o.Publish), stop: stop, slots: make(map[string]*slot)}
	p.spawn = func(s *slot) { p.tasks.Go(func() { s.run(ctx) }) }
	p.tasks.Go(func() { p.announcer.run(ctx) })
	if o.Patience.Look > 0 {
		p.tasks.Go(func() { p.watchSleep(ctx) })
	}
	return p
}

// Close ends all sessions at the same time and waits until nothing of them is left, or until ctx ends.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	done := make(chan struct{})
	go func() {
		p.tasks.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.Join(errors.New("close pool: sessions still ending"), context.Cause(ctx))
	}
}

// Sync sets the wanted servers: enabled ones are started, each on its own, those whose definition changed are started
// again, all others are ended. It does not wait.
func (p *Pool) Sync(servers []domain.Server) {
	wanted := make(map[string]bool, len(servers))
	for _, server := range servers {
		wanted[server.ID] = true
		p.Want(server)
	}
	p.mu.Lock()
	var gone []*slot
	for id, s := range p.slots {
		if !wanted[id] {
			gone = append(gone, s)
		}
	}
	p.mu.Unlock()
	for _, s := range gone {
		s.desire(func(d *desire) { d.up, d.gone = false, true })
	}
}

// Want sets what is wanted of this one server, as Sync does of all: it is started, changed or ended. One that a person
// disconnected stays down until something changes. It does not wait; a closed pool wants nothing any more.
func (p *Pool) Want(server domain.Server) {
	set := func(d *desire) { d.server, d.up, d.gone = server, server.Enabled, false }
	for s := p.place(server); s != nil; s = p.place(server) {
		if s.keeps(server) || s.desire(set) {
			return
		}
		// It was dropped just now: make another.
	}
}

// keeps takes over what does not concern the session, such as the name, dates and trust, and reports whether that is all.
func (s *slot) keeps(server domain.Server) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := !s.finished && !s.want.gone && s.want.server.Enabled == server.Enabled &&
		reflect.DeepEqual(ofSession(s.want.server.Definition), ofSession(server.Definition))
	if same {
		folders := s.want.server.Roots
		s.want.server = server
		if !slices.Equal(folders, server.Roots) {
			s.foldersChanged()
		}
	}
	return same
}

// ofSession is what of a definition a session is made of: neither what a person calls it, nor what calls are allowed, nor
// how answers are kept, nor the folders that it is told of, which it asks for anew.
func ofSession(d domain.Definition) domain.Definition {
	d.Name, d.DefaultVerdict, d.Roots, d.CacheableTools, d.CacheSeconds = "", domain.Ask, nil, nil, 0
	return d
}

// Restart starts a server again as if its definition had changed: a secret that it refers to did. It does not wait.
func (p *Pool) Restart(id string) {
	if s := p.find(id); s != nil {
		s.desire(func(d *desire) { d.up = d.server.Enabled })
	}
}

// RestartIdle is Restart for a server whose session no call is at. It reports whether one is, and then does nothing.
func (p *Pool) RestartIdle(id string) (busy bool) {
	s := p.find(id)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil && s.calls > 0 {
		return true
	}
	s.desireLocked(func(d *desire) { d.up = d.server.Enabled })
	return false
}

// place finds the slot of a server or makes one; nil when the pool is closed.
func (p *Pool) place(server domain.Server) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	if s, ok := p.slots[server.ID]; ok {
		return s
	}
	s := newSlot(p, server.ID)
	p.slots[server.ID] = s
	p.spawn(s)
	return s
}

// drop forgets a slot whose server is gone, unless it is wanted again.
func (p *Pool) drop(s *slot) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.want.gone {
		return false
	}
	delete(p.slots, s.id)
	s.finished = true
	s.broadcast()
	return true
}

func (p *Pool) find(id string) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slots[id]
}

// slotOf is the place of a server that must have one.
func (p *Pool) slotOf(id string) (*slot, error) {
	p.mu.Lock()
	s, closed := p.slots[id], p.closed
	p.mu.Unlock()
	switch {
	case s != nil:
		return s, nil
	case closed:
		return nil, errPoolClosed
	}
	return nil, domain.ServerOff(id, id)
}

// Await waits until a wanted server is ready, and has it started now where the last start failed but would be tried
// again anyway. It fails with the reason why it is not ready.
func (p *Pool) Await(ctx context.Context, id string) error {
	s, err := p.slotOf(id)
	if err != nil {
		return err
	}
	_, err = s.acquire(ctx)
	return err
}

// Connect starts the session of a server that was disconnected or that stopped, and waits for the outcome.
func (p *Pool) Connect(ctx context.Context, id string) error {
	s, err := p.slotOf(id)
	if err != nil {
		return err
	}
	s.mu.Lock()
	up := s.want.up
	if s.paused() || s.isLostNow() {
		s.tryNow()
	}
	s.waiting++ // a session that was lost just now is started without a pause
	s.mu.Unlock()
	defer s.waitNoMore()
	if !up {
		s.desire(func(d *desire) { d.up = d.server.Enabled })
	}
	_, err = s.await(ctx)
	return err
}

// Disconnect ends the session of a server and waits until it is gone. It stays down until it is connected or its
// definition changes.
func (p *Pool) Disconnect(ctx context.Context, id string) error {
	s := p.find(id)
	if s == nil {
		return nil
	}
	s.desire(func(d *desire) { d.up = false })
	return s.awaitOff(ctx)
}

// Reconnect ends the session of a server, starts a new one and waits for the outcome.
func (p *Pool) Reconnect(ctx context.Context, id string) error {
	s, err := p.slotOf(id)
	if err != nil {
		return err
	}
	s.desire(func(d *desire) { d.up = d.server.Enabled })
	_, err = s.await(ctx)
	return err
}

// healthTimeout bounds the answer to a ping.
const healthTimeout = 10 * time.Second

// Health pings a server over its session.
func (p *Pool) Health(ctx context.Context, id string) error {
	s, err := p.slotOf(id)
	if err != nil {
		return err
	}
	live, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	return live.Ping(ctx)
}

// Status is the live side of a server; off for one that is not in the pool.
func (p *Pool) Status(id string) domain.Status {
	s := p.find(id)
	if s == nil {
		return domain.Status{State: domain.StateOff}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status := s.status
	status.References = s.references()
	if status.State == domain.StateInstalling {
		status.LastLine = lastLine(s.log, s.began)
	}
	if s.session != nil {
		status.StrayLines = s.session.link.StrayLines()
	}
	status.Tools, status.Resources, status.Prompts = len(s.offer.Tools), len(s.offer.Resources), len(s.offer.Prompts)
	return status
}

// references counts who holds the session: its being switched on, and each call. The caller holds the lock.
func (s *slot) references() int {
	if s.want.up {
		return s.calls + 1
	}
	return s.calls
}

// Offer is what a server offers, or offered when it was last listed; false when that is not known.
func (p *Pool) Offer(id string) (session.Offer, bool) {
	s := p.find(id)
	if s == nil {
		kept, known := p.recall(id)
		return kept.Of(id), known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recall()
	return s.offer, s.known
}

// Logs returns at most limit lines of a server's log after the sequence number, and the number to go on from. That is
// lower where the log began anew, and then the lines are the first ones.
func (p *Pool) Logs(id string, after uint64, limit int) (lines []transport.LogLine, next uint64) {
	if s := p.find(id); s != nil {
		return s.log.Page(after, limit)
	}
	log := transport.NewLog(nil, nil)
	if p.options.LogDir != "" { // a server that is not in the pool, as for a command alone
		p.recallLog(id, log, p.logFile(id))
	}
	return log.Page(after, limit)
}

// Traffic returns at most limit frames of a server's traffic, as Logs does lines.
func (p *Pool) Traffic(id string, after uint64, limit int) (frames []transport.Frame, next uint64) {
	s := p.find(id)
	if s == nil {
		return nil, 0
	}
	return s.traffic.Page(after, limit)
}

func (p *Pool) announce(e domain.Event) { p.announcer.add(e) }

var errPoolClosed = &domain.Error{
	Code: domain.CodeServerOff, Message: "The program is ending.", Hint: "Start it again.", Cause: domain.ErrUnsent,
}
