package pipeline

import (
	"sync/atomic"

	"apollia.fr/connexions/backend/domain"
)

// crossing remembers whether a call was handed over at the end of the pipeline.
type crossing struct{ over atomic.Bool }

// hear takes note of one notice of the call.
func (c *crossing) hear(n domain.Notice) {
	if n.Kind == domain.NoticeRunning {
		c.over.Store(true)
	}
}

// sent reports whether the server may have got the call, which came to err. When in doubt it did.
func (c *crossing) sent(err error) bool { return c.over.Load() && !domain.Unsent(err) }
