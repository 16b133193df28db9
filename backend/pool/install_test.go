package pool

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

func TestInstalls(t *testing.T) {
	tests := map[string]bool{
		"npx": true, "/usr/bin/npx": true, `C:\Program Files\nodejs\npx.cmd`: true, "UVX.exe": true, "docker": true,
		"node": false, "/opt/npx-thing": false, "python3": false, "": false,
	}
	for command, want := range tests {
		if got := installs(domain.Definition{Transport: domain.Stdio, Command: command}); got != want {
			t.Errorf("installs(%q) = %v", command, got)
		}
	}
	if installs(domain.Definition{Transport: domain.SSE, Command: "npx"}) {
		t.Error("a remote server installs nothing here")
	}
}

func TestStartContext(t *testing.T) {
	tests := []struct {
		name       string
		installing bool
		speaks     time.Duration // how long stderr has something every ten seconds
		want       time.Duration
	}{
		{"an ordinary start", false, time.Hour, 30 * time.Second},
		{"a quiet installation", true, 0, 90 * time.Second},
		{"an installation that shows work", true, 100 * time.Second, 270 * time.Second},
		{"an installation without end", true, time.Hour, 5 * time.Minute},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			log := transport.NewLog(nil, nil)
			began := time.Now()
			ctx, cancel := startContext(t.Context(), domain.Definition{}, test.installing, log, DefaultPatience())
			defer cancel()
			for ctx.Err() == nil {
				select {
				case <-time.After(10 * time.Second):
					if time.Since(began) <= test.speaks {
						log.Add(transport.StreamStderr, "fetching")
					}
				case <-ctx.Done():
				}
			}
			if got := time.Since(began); got != test.want || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				t.Errorf("%s: ended after %v (%v), want %v", test.name, got, context.Cause(ctx), test.want)
			}
		})
	}
}

func TestTimeOfAStartLeavesOutTheEndOfWhatWasStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := domain.Definition{TimeoutMS: 3000}
		for installing, want := range map[bool]time.Duration{false: 3 * time.Second, true: 5 * time.Second} {
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), d.Timeout())
			<-ctx.Done()
			<-time.After(2 * time.Second) // the process did not end when it was told
			if got := allowed(ctx, d, installing, began); got != want {
				t.Errorf("installing %t: %v, want %v", installing, got, want)
			}
			cancel()
		}
	})
}

// What was ready once is installed, whoever asks: the next program too.
func TestOnlyTheFirstStartOfAPackageInstalls(t *testing.T) {
	runner := filepath.Join(t.TempDir(), "npx")
	if err := os.Symlink(os.Args[0], runner); err != nil {
		t.Skip(err) // where links need a right of their own
	}
	d := mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.SlowInit}, Delay: 500 * time.Millisecond})
	d.Command = runner
	kept := &memory{offers: make(map[string]json.RawMessage)}
	firstState := func(d domain.Definition) domain.State {
		p := New(Options{Expand: asIs, Environ: os.Environ(), Patience: quick, Offers: kept})
		p.Want(server("one", d))
		mcptest.Eventually(t, "a start", func() bool { return p.Status("one").State != domain.StateOff })
		state := p.Status("one").State
		if err := p.Await(mcptest.Within(t), "one"); err != nil {
			t.Error(err)
		}
		if err := p.Close(mcptest.Within(t)); err != nil {
			t.Error(err)
		}
		return state
	}
	other := d
	other.Cwd = t.TempDir()
	for i, test := range []struct {
		d    domain.Definition
		want domain.State
	}{{d, domain.StateInstalling}, {d, domain.StateStarting}, {other, domain.StateInstalling}} {
		if got := firstState(test.d); got != test.want {
			t.Errorf("start %d: %s, want %s", i+1, got, test.want)
		}
	}
}
