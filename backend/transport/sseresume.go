package transport

import (
	"context"
	"strconv"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

const (
	headerLastEvent = "Last-Event-ID"
	// maxRetryPause bounds how long a server can keep us from opening its stream again.
	maxRetryPause = 30 * time.Second
)

// streamPlace is how far an event stream was read. It belongs to the goroutine that reads.
type streamPlace struct {
	lastID   string
	pause    time.Duration // before the stream is opened again, as the server wants it
	reopened bool
	heard    bool // something came since it was last opened
}

func (p *streamPlace) note(e event) {
	if e.hasID {
		p.lastID = e.id
	}
	if e.hasRetry {
		// What is no number is ignored (WHATWG HTML 9.2.6).
		if ms, err := strconv.ParseUint(e.retry, 10, 31); err == nil {
			p.pause = min(time.Duration(ms)*time.Millisecond, maxRetryPause)
		}
	}
}

// pauseAfter is what is left of the pause when some of it was waited for already.
func (p *streamPlace) pauseAfter(waited time.Duration) time.Duration { return max(0, p.pause-waited) }

// reopen opens the stream again after it ended by cause, and asks for what came after the last event. A server that kept
// the session goes on with it; one that begins another says so by its first event, which ends the link. A stream that
// gave nothing since it was last opened is not opened once more.
func (s *sse) reopen(life context.Context, cause error) (*eventReader, error) {
	if !s.place.heard || !sleep(life, s.place.pause) {
		return nil, streamEnded(cause)
	}
	_ = s.stream.Close()
	s.place.heard, s.place.reopened = false, true
	events, err := s.openInTime(life)
	switch {
	case err == nil:
		return events, nil
	case domain.CodeOf(err).Class() == domain.SignIn:
		return nil, err
	}
	return nil, streamEnded(cause)
}

// openInTime opens the stream again, unless the server takes too long to answer: nothing would be heard of it any more.
func (s *sse) openInTime(life context.Context) (*eventReader, error) {
	s.endStream()
	ctx, cancel := context.WithCancel(life)
	s.endStream = cancel
	late, opened := s.after(connectTimeout), make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-late:
			cancel()
		case <-opened:
		}
	})
	events, err := s.openStream(ctx)
	close(opened)
	watch.Wait()
	return events, err
}

// sleep waits and reports whether ctx still lives.
func sleep(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
