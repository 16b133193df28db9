package pool

import (
	"context"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// live is a session that is up, with its link.
type live struct {
	*session.Session
	link *transport.Link
	// transport is the one in use, which may be another than the definition names.
	transport domain.Transport
	started   time.Time
	// found is what its lists came to. Only the goroutine that keeps the session up uses it.
	found finding
	// spoilt is closed when the session is useless though its link still lives; why says what made it so.
	spoilt    chan struct{}
	spoilOnce sync.Once
	why       error
	// lacking hears what a call was refused for: the session is good for everything else.
	lacking chan *domain.Error
	// following are what goes on beside the calls, until the link is closed.
	following sync.WaitGroup
}

// end closes the link, and returns when nothing goes on over it any more.
func (l *live) end() error {
	err := l.link.Close()
	l.following.Wait()
	l.Wait()
	return err
}

// awaitTold waits until the server tells of changes, so that it need not be listed again when it begins to.
func (l *live) awaitTold(ctx context.Context, patience time.Duration) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-l.Told():
	case <-timer.C:
	case <-l.link.Done():
	case <-ctx.Done():
	}
}

// spoil ends the session for a reason that its link does not see, such as a sign-in that ran out. One reason is enough.
func (l *live) spoil(err error) {
	l.spoilOnce.Do(func() {
		l.why = err
		close(l.spoilt)
	})
}

// lacks notes that a call was refused for want of rights. What was noted and not shown yet is enough.
func (l *live) lacks(err error) {
	select {
	case l.lacking <- domain.AsError(err):
	default:
	}
}

// whileGood is ctx, ended also when the session is spoilt.
func (l *live) whileGood(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	l.following.Go(func() {
		select {
		case <-l.spoilt:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, cancel
}
