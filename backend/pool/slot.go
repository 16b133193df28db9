package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// slot is the place of one server in the pool. One goroutine, run, starts and ends its sessions; the others only say
// what they want and wait.
type slot struct {
	pool    *Pool
	id      string
	log     *transport.Log
	file    *transport.RotatingFile // behind log; nil when it is not kept
	traffic *transport.Traffic
	// wake tells run that what is wanted changed; nudge that a start is worth trying now.
	wake  chan struct{}
	nudge chan struct{}
	// rooted tells whoever attends the session that the folders changed which the server is told of.
	rooted chan struct{}

	mu   sync.Mutex
	want desire
	// turn is the desire that run is working on; it is behind want.turn for a moment after each change.
	turn    uint64
	endTurn context.CancelFunc
	// trying is true from when a start is due until its outcome is known; idle when run has nothing to keep up.
	trying   bool
	idle     bool
	resting  bool // between two starts
	waiting  int  // those who wait for a session
	lastTry  time.Time
	lost     *domain.Error // why the last session ended, until a start has come to something
	session  *live
	status   domain.Status
	began    uint64 // the last line of the log before the start that is tried
	offer    session.Offer
	known    bool // offer was listed or remembered
	asked    bool // memory was asked
	era      era
	readyAs  string // see record.Ready
	changed  chan struct{}
	calls    int
	finished bool
	wishes   wishes
}

// desire is what is wanted of a server. turn grows with each change.
type desire struct {
	server domain.Server
	up     bool
	gone   bool
	turn   uint64
}

func newSlot(p *Pool, id string) *slot {
	s := &slot{
		pool: p, id: id, wake: make(chan struct{}, 1), nudge: make(chan struct{}, 1), rooted: make(chan struct{}, 1),
		changed: make(chan struct{}), endTurn: func() {},
		status: domain.Status{State: domain.StateOff, Since: time.Now()},
		wishes: wishes{followed: make(map[string]bool), changed: make(map[string]time.Time)},
	}
	s.log = transport.NewLog(s.openFile(), func() { p.announce(domain.Event{Topic: domain.TopicLogs, ID: id}) })
	s.traffic = transport.NewTraffic(func() { p.announce(domain.Event{Topic: domain.TopicTraffic, ID: id}) })
	return s
}

// maxLogFile is the size of a server's log file in bytes; there are at most two.
const maxLogFile = 1 << 20

// openFile is where the log also goes; nil when it is not kept.
func (s *slot) openFile() io.Writer {
	if s.pool.options.LogDir == "" {
		return nil
	}
	s.file = s.pool.logFile(s.id)
	return s.file
}

func (p *Pool) logFile(id string) *transport.RotatingFile {
	return transport.NewRotating(filepath.Join(p.options.LogDir, id+".log"), maxLogFile)
}

// recallLog begins a log with what its file holds from before.
func (p *Pool) recallLog(id string, log *transport.Log, file *transport.RotatingFile) {
	if err := log.Recall(file); err != nil {
		p.options.Logger.Warn("log not read", "server", id, "err", err)
	}
}

// ForgetLog removes what was kept of the log of a server that is no more. One that is wanted keeps its log.
func (p *Pool) ForgetLog(id string) error {
	if p.options.LogDir == "" {
		return nil
	}
	file := p.logFile(id)
	if s := p.find(id); s != nil { // it has not ended yet, and must not write the file anew
		s.mu.Lock()
		gone := s.want.gone
		s.mu.Unlock()
		if !gone {
			return nil
		}
		file = s.file
	}
	if err := file.Remove(); err != nil {
		return fmt.Errorf("remove the log of %s: %w", id, err)
	}
	return nil
}

// desire changes what is wanted and lets run begin a new turn; false when the slot does not run any more.
func (s *slot) desire(change func(*desire)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.desireLocked(change)
}

// desireLocked is desire for who holds the lock.
func (s *slot) desireLocked(change func(*desire)) bool {
	if s.finished {
		return false
	}
	change(&s.want)
	s.want.turn++
	s.endTurn()
	s.broadcast()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return true
}

// broadcast wakes everybody who waits for a change. The caller holds the lock.
func (s *slot) broadcast() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// run works through the turns until the pool closes or the server is gone.
func (s *slot) run(ctx context.Context) {
	defer s.retire()
	if s.file != nil {
		s.pool.recallLog(s.id, s.log, s.file)
	}
	for {
		turnCtx, want := s.beginTurn(ctx)
		if want.up && ctx.Err() == nil {
			s.keepUp(turnCtx, want)
		}
		s.endOfTurn(want)
		if ctx.Err() != nil || s.pool.drop(s) {
			return
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}

func (s *slot) beginTurn(ctx context.Context) (context.Context, desire) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endTurn()
	turnCtx, cancel := context.WithCancel(ctx)
	s.endTurn = cancel
	s.turn, s.trying, s.idle = s.want.turn, s.want.up, false
	return turnCtx, s.want
}

// retire lets go of everybody who still waits.
func (s *slot) retire() {
	if s.file != nil {
		if err := s.file.Close(); err != nil {
			s.pool.options.Logger.Warn("log not closed", "server", s.id, "err", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished = true
	s.broadcast()
}

// endOfTurn says off, unless another turn waits already.
func (s *slot) endOfTurn(want desire) {
	s.mu.Lock()
	s.endTurn()
	waiting := s.want.turn != want.turn && s.want.up
	s.mu.Unlock()
	if !waiting {
		s.show(domain.Status{State: domain.StateOff}, nil, func() { s.trying, s.idle = false, true })
	}
}

// keepUp starts sessions one after the other until the turn ends.
func (s *slot) keepUp(ctx context.Context, want desire) {
	counted := tries{patience: s.pool.options.Patience}
	failed := false
	for {
		var pause time.Duration
		pause, failed = s.once(ctx, want.server, &counted, failed)
		if ctx.Err() != nil {
			return
		}
		if !failed && pause > s.pool.options.Patience.FirstRestart {
			s.showLost()
		}
		asked := s.rest(ctx, pause)
		if ctx.Err() != nil {
			return
		}
		if asked {
			failed = false
		}
		if pause == never {
			counted = tries{patience: s.pool.options.Patience}
		}
	}
}

// once lives through one session, from its start to its end, and says how long to rest and whether the start failed.
// quiet leaves an earlier failure on display while another start is tried unasked.
func (s *slot) once(ctx context.Context, server domain.Server, counted *tries, quiet bool) (pause time.Duration, failed bool) {
	live, found, err := s.start(ctx, server, quiet)
	if err != nil {
		failure := domain.AsError(err)
		counted.known = s.isKnown(server.Definition)
		pause := counted.failed(failure, server.Transport)
		if pause != never && errors.Is(err, session.ErrProbe) {
			s.assume(era{Handshake: server.StartDigest()}) // maybe it was the question that ended it
			return 0, failed
		}
		if ctx.Err() == nil {
			s.stopped(failure, pause)
		}
		return pause, true
	}
	s.ready(server, live, found)
	live.following.Go(func() { s.renew(ctx, live.Session) })
	err = s.attend(ctx, server, live)
	s.withdraw(ctx, err)
	_ = live.end() // how the session ended is known
	if ctx.Err() != nil {
		return 0, false
	}
	if failure := domain.AsError(err); failure.Code.Class() == domain.SignIn {
		s.stopped(failure, never)
		return never, true
	}
	return counted.lost(time.Since(live.started)), false
}

// rest waits for the end of the pause or of the turn, or for somebody who wants a start now, and says if it was that.
func (s *slot) rest(ctx context.Context, pause time.Duration) bool {
	if s.isAwaited() {
		return true
	}
	defer s.setResting(false)
	var due <-chan time.Time
	if pause != never {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-due:
		return false
	case <-s.nudge:
		return true
	case <-ctx.Done():
		return false
	}
}
