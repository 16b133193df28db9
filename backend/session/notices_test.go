package session

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// Whoever made a call goes on when it has ended: a notice that comes late must not find him there.
func TestACallerHearsNothingOnceItsCallHasEnded(t *testing.T) {
	s := &Session{running: make(map[string]domain.Call)}
	entered, release := make(chan struct{}), make(chan struct{})
	heard := 0 // not locked on purpose: the caller reads it as soon as its call is over
	_, _, end := s.begin(domain.Call{Sink: func(domain.Notice) {
		close(entered)
		<-release
		heard++
	}})
	late := only(s.calls())
	go late.Tell(domain.Notice{Kind: domain.NoticeProgress})
	<-entered
	ended := make(chan struct{})
	go func() {
		end()
		close(ended)
	}()
	close(release)
	<-ended
	if heard != 1 {
		t.Errorf("the call ended with %d notices told, want the one that was being told", heard)
	}
	late.Tell(domain.Notice{Kind: domain.NoticeLog})
	if heard != 1 {
		t.Error("a notice was told after the end")
	}
	if only(s.calls()) != nil {
		t.Error("the call still runs")
	}
}
