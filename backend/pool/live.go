package pool

import (
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
	// spoilt receives what makes the session useless though its link still lives.
	spoilt chan error
	// following are what goes on beside the calls, until the link is closed.
	following sync.WaitGroup
}

// end closes the link, and returns when nothing goes on over it any more.
func (l *live) end() {
	_ = l.link.Close() // how the session ended is known
	l.following.Wait()
}

// spoil ends the session for a reason that its link does not see, such as a sign-in that ran out.
func (l *live) spoil(err error) {
	select {
	case l.spoilt <- err:
	default: // one reason is enough
	}
}
