package lan

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/miekg/dns"
)

func TestAFloodOfReasonsIsOneReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPaced(200 * time.Millisecond)
		defer p.Stop()
		began := time.Now()
		var at []time.Duration
		flood := time.NewTicker(time.Millisecond)
		defer flood.Stop()
		end := time.After(time.Second)
		for {
			select {
			case <-flood.C:
				p.want()
				continue
			case <-p.C:
				p.begin()
				at = append(at, time.Since(began))
				continue
			case <-end:
			}
			break
		}
		if len(at) != 5 || at[0] > 2*time.Millisecond || at[4] < 800*time.Millisecond {
			t.Errorf("done at %v", at)
		}
	})
}

func TestWhatIsAskedForByNameIsBounded(t *testing.T) {
	s := session{wanted: make(map[dns.Question]struct{})}
	for i := range 3 * maxWanted {
		s.want([]dns.Question{question(dns.Fqdn(time.Duration(i).String()), dns.TypeSRV)})
	}
	if len(s.wanted) != maxWanted {
		t.Errorf("%d questions wait", len(s.wanted))
	}
}
