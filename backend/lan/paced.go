package lan

import "time"

// paced is something that is done when it is wanted, but no more often than each so often: a flood of reasons is one reason.
type paced struct {
	*time.Timer
	every  time.Duration
	last   time.Time
	wanted bool
}

func newPaced(every time.Duration) *paced {
	p := &paced{Timer: time.NewTimer(every), every: every}
	p.Stop()
	return p
}

// want has the timer tell when it is time.
func (p *paced) want() {
	if !p.wanted {
		p.wanted = true
		p.Reset(max(0, p.every-time.Since(p.last)))
	}
}

// begin notes that it is being done.
func (p *paced) begin() { p.wanted, p.last = false, time.Now() }
