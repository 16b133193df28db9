package pool

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/transport"
)

// failing is a dialler that always fails and notes when it was asked.
type failing struct {
	code domain.Code

	mu    sync.Mutex
	began time.Time
	tried []time.Duration
}

func (f *failing) dial(context.Context, string, domain.Definition, transport.Options, transport.StepFunc) (*transport.Link, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tried = append(f.tried, time.Since(f.began))
	return nil, &domain.Error{Code: f.code, Message: "it failed"}
}

func (f *failing) times() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.tried)
}

// withFailing runs a test in fake time over a pool with one remote server that cannot be reached.
func withFailing(t *testing.T, code domain.Code, test func(t *testing.T, p *Pool, f *failing)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{code: code, began: time.Now()}
		p := New(Options{Expand: asIs, Dial: f.dial})
		p.Sync([]domain.Server{server("one", domain.Definition{Name: "one", Transport: domain.StreamableHTTP})})
		test(t, p, f)
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestPausesGrow(t *testing.T) {
	withFailing(t, domain.CodeConnRefused, func(t *testing.T, p *Pool, f *failing) {
		t.Helper()
		<-time.After(200 * time.Second)
		const s = time.Second
		want := []time.Duration{0, s, 3 * s, 7 * s, 15 * s, 31 * s, 63 * s, 123 * s, 183 * s}
		if got := f.times(); !slices.Equal(got, want) {
			t.Errorf("tried at %v, want %v", got, want)
		}
		if status := p.Status("one"); status.State != domain.StateStopped || status.Reason.Code != domain.CodeConnRefused {
			t.Errorf("status %+v", status)
		}
	})
}

func TestCallTriesAPausedServerNow(t *testing.T) {
	withFailing(t, domain.CodeConnRefused, func(t *testing.T, p *Pool, f *failing) {
		t.Helper()
		<-time.After(40 * time.Second) // the next try is due at 63 s
		for range 3 {
			_, err := p.Call(t.Context(), toolCall("one", "echo", ""))
			wantCode(t, err, domain.CodeConnRefused)
		}
		if got := f.times(); len(got) != 7 || got[6] != 40*time.Second {
			t.Errorf("tried at %v, want one try at 40s however many calls there are", got)
		}
	})
}

func TestParkedServerWaitsForAPerson(t *testing.T) {
	withFailing(t, domain.CodeHTML, func(t *testing.T, p *Pool, f *failing) {
		t.Helper()
		<-time.After(time.Hour)
		_, err := p.Call(t.Context(), toolCall("one", "echo", ""))
		wantCode(t, err, domain.CodeHTML)
		if got := f.times(); len(got) != maxSameFailures {
			t.Errorf("tried at %v", got)
		}
		wantCode(t, p.Connect(t.Context(), "one"), domain.CodeHTML)
		if got := f.times(); len(got) != maxSameFailures+1 {
			t.Errorf("after a person asked: tried at %v", got)
		}
	})
}
