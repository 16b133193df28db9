package pool

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

func TestSlept(t *testing.T) {
	const every = 500 * time.Millisecond
	tests := []struct {
		name          string
		passed, awake time.Duration
		long          bool
	}{
		{"awake all the time", every, every, false},
		{"busy", 29 * time.Second, 29 * time.Second, false},
		{"a short sleep", 30 * time.Second, every, false},
		{"a night", 8 * time.Hour, every, true},
		{"just over", 31 * time.Second, every, true},
		{"where the clock goes on in its sleep", time.Hour, time.Hour, true},
		{"set back", -time.Hour, every, false},
	}
	for _, test := range tests {
		if got := slept(test.passed, test.awake, every) > longSleep; got != test.long {
			t.Errorf("%s: long is %v", test.name, got)
		}
	}
}

// sleeper is the clock of a machine that sleeps when it is told.
type sleeper struct {
	began time.Time
	slept atomic.Int64
}

func (s *sleeper) sleep(d time.Duration) { s.slept.Add(int64(d)) }

func (s *sleeper) now() (day time.Time, awake time.Duration) {
	awake = time.Since(s.began)
	return s.began.Add(awake + time.Duration(s.slept.Load())).Round(0), awake
}

func withSleeper(s *sleeper) func(*Options) {
	s.began = time.Now()
	return func(o *Options) {
		o.Clock = s.now
		o.Patience.Look, o.Patience.Answer = time.Millisecond, 20*time.Second
	}
}

// deafened is an HTTP server that can go deaf to the sessions it has, as one behind a router that forgot them.
type deafened struct {
	http.Handler
	pings atomic.Int32

	mu   sync.Mutex
	seen map[string]bool
	deaf map[string]bool
}

func (d *deafened) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	id := r.Header.Get("Mcp-Session-Id")
	d.mu.Lock()
	d.seen[id] = id != ""
	deaf := d.deaf[id]
	d.mu.Unlock()
	if strings.Contains(string(body), `"ping"`) {
		d.pings.Add(1)
	}
	if deaf && r.Method == http.MethodPost {
		panic(http.ErrAbortHandler)
	}
	d.Handler.ServeHTTP(w, r)
}

func (d *deafened) goDeaf() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.deaf = d.seen
	d.seen = map[string]bool{}
}

func newDeafened() *deafened {
	return &deafened{Handler: mcptest.NewHTTP(mcptest.Options{}), seen: map[string]bool{}, deaf: map[string]bool{}}
}

func TestSessionsAreCheckedAfterTheMachineSlept(t *testing.T) {
	var clock sleeper
	p := newPool(t, withSleeper(&clock))
	awake, deaf := newDeafened(), newDeafened()
	start(t, p, server("awake", mcptest.Serve(t, domain.StreamableHTTP, awake)))
	start(t, p, server("deaf", mcptest.Serve(t, domain.StreamableHTTP, deaf)))
	since, lost := p.Status("awake").Since, p.Status("deaf").Since

	clock.sleep(20 * time.Second) // too short to mean anything
	deaf.goDeaf()
	clock.sleep(time.Hour)
	mcptest.Eventually(t, "a new session", func() bool {
		got := p.Status("deaf")
		return got.State == domain.StateReady && !got.Since.Equal(lost)
	})
	if texts := strings.Join(logTexts(p, "deaf"), "\n"); !strings.Contains(texts, "no sign of life after the computer slept") {
		t.Errorf("log:\n%s", texts)
	}
	if got := callText(t, p, toolCall("deaf", "echo", `{"name":"echo","arguments":{"message":"again"}}`)); got != "again" {
		t.Errorf("echo = %q", got)
	}
	mcptest.Eventually(t, "a ping", func() bool { return awake.pings.Load() > 0 })
	if got := p.Status("awake"); got.State != domain.StateReady || !got.Since.Equal(since) {
		t.Errorf("the one that answers: %+v", got)
	}
}

func TestWakingOpensNothing(t *testing.T) {
	var clock sleeper
	var dialled atomic.Int32
	p := newPool(t, func(o *Options) {
		withSleeper(&clock)(o)
		o.Dial = func(ctx context.Context, id string, d domain.Definition, o transport.Options, step transport.StepFunc) (*transport.Link, error) {
			if id == "signed out" || id == "parked" {
				dialled.Add(1)
			}
			return transport.Dial(ctx, id, d, o, step)
		}
	})
	shut := mcptest.NewHTTP(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Unauthorized}})
	wantCode(t, ensure(t, p, server("signed out", mcptest.Serve(t, domain.StreamableHTTP, shut))), domain.CodeSignInNeeded)
	off := server("off", mcptest.Command(mcptest.Options{}))
	off.Enabled = false
	p.Want(off)
	fake := newDeafened()
	start(t, p, server("up", mcptest.Serve(t, domain.StreamableHTTP, fake)))
	before := dialled.Load()
	clock.sleep(time.Hour)
	mcptest.Eventually(t, "a check", func() bool { return fake.pings.Load() > 0 })
	clock.sleep(time.Hour) // whatever the first check began shows before the second ends
	mcptest.Eventually(t, "another check", func() bool { return fake.pings.Load() > 1 })
	if dialled.Load() != before || p.Status("signed out").State != domain.StateNeedsSignIn || p.Status("off").State != domain.StateOff {
		t.Errorf("%d new connections, %s, %s", dialled.Load()-before, p.Status("signed out").State, p.Status("off").State)
	}
}

func TestServerOutOfReachIsTriedAfterTheMachineSlept(t *testing.T) {
	var clock sleeper
	p := newPool(t, func(o *Options) {
		withSleeper(&clock)(o)
		o.Patience.FirstRetry, o.Patience.Longest = time.Hour, time.Hour
	})
	d, begin := serveLater(t, mcptest.NewHTTP(mcptest.Options{}))
	wantCode(t, ensure(t, p, server("one", d)), domain.CodeConnRefused)
	begin()
	clock.sleep(time.Hour)
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
}

// A program on this machine that is busy with a call may be late with its sign of life.
func TestBusyProgramIsNotStartedAgain(t *testing.T) {
	var clock sleeper
	p := newPool(t, func(o *Options) {
		withSleeper(&clock)(o)
		o.Patience.Answer = time.Nanosecond
	})
	start(t, p, server("one", mcptest.Command(mcptest.Options{})))
	pid := p.Status("one").PID
	cancel, failed := hold(t, p, "one")
	p.recheck(mcptest.Within(t))
	if got := p.Status("one"); got.PID != pid || got.State != domain.StateReady {
		t.Errorf("status %+v", got)
	}
	cancel()
	wantCode(t, <-failed, domain.CodeCanceled)
	p.recheck(mcptest.Within(t))
	mcptest.Eventually(t, "a new process", func() bool {
		s := p.Status("one")
		return s.State == domain.StateReady && s.PID != pid
	})
}

// A session without a sign of life is given up at once, whatever it is busy with.
func TestAListThatIsNotAnsweredHoldsNoCheckUp(t *testing.T) {
	var clock sleeper
	p := newPool(t, func(o *Options) {
		withSleeper(&clock)(o)
		o.Patience.Answer = time.Nanosecond
	})
	fake := newTampered()
	d := mcptest.Serve(t, domain.StreamableHTTP, fake)
	d.TimeoutMS = time.Hour.Milliseconds()
	start(t, p, server("one", d))
	since := p.Status("one").Since
	fake.change(func() { fake.hangs["tools/list"] = true })
	callText(t, p, toolCall("one", "grow", `{"name":"grow"}`))
	mcptest.Eventually(t, "a list", func() bool { return fake.count("tools/list") > 1 })
	fake.change(func() { fake.hangs["tools/list"] = false })
	p.recheck(mcptest.Within(t))
	mcptest.Eventually(t, "a new session", func() bool {
		got := p.Status("one")
		return got.State == domain.StateReady && !got.Since.Equal(since)
	})
}

// Whatever answers is there: only its sign of life is not what it should be.
func TestAnAnswerIsASignOfLife(t *testing.T) {
	p := newPool(t, func(o *Options) { o.Patience.Answer = 20 * time.Second })
	fake := newTampered()
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, fake)))
	fake.change(func() { fake.fails["ping"], fake.status = true, http.StatusTooManyRequests })
	cancel, failed := hold(t, p, "one")
	live := p.find("one").session
	p.recheck(mcptest.Within(t))
	select {
	case <-live.spoilt:
		t.Errorf("given up: %v", live.why)
	default:
	}
	if fake.count("ping") != 1 {
		t.Errorf("%d pings", fake.count("ping"))
	}
	cancel()
	wantCode(t, <-failed, domain.CodeCanceled)
}

// The network of a hotel answers for a server until somebody has paid; whoever wakes then need not connect anything.
func TestAServerBehindAPortalIsTriedAfterTheMachineSlept(t *testing.T) {
	var clock sleeper
	p := newPool(t, func(o *Options) {
		withSleeper(&clock)(o)
		o.Patience.Longest = time.Hour
	})
	fake := newTampered()
	start(t, p, server("one", mcptest.Serve(t, domain.StreamableHTTP, fake)))
	fake.change(func() {
		fake.fails["initialize"], fake.fails["server/discover"], fake.status = true, true, http.StatusFound
	})
	p.Restart("one")
	mcptest.Eventually(t, "the last of the quick tries", func() bool { return fake.count("initialize") > maxSameFailures })
	mcptest.Eventually(t, "stopped", stateIs(p, "one", domain.StateStopped))
	fake.change(func() { clear(fake.fails) })
	clock.sleep(time.Hour)
	mcptest.Eventually(t, "ready", stateIs(p, "one", domain.StateReady))
}

func TestARestartThatCanWaitEndsNoCall(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Command(mcptest.Options{})))
	before := p.Status("one").PID
	cancel, ended := hold(t, p, "one")
	if !p.RestartIdle("one") {
		t.Error("it starts again though a call runs")
	}
	cancel()
	wantCode(t, <-ended, domain.CodeCanceled)
	if p.RestartIdle("one") {
		t.Error("it does not start again though nothing runs")
	}
	mcptest.Eventually(t, "another process", func() bool {
		status := p.Status("one")
		return status.State == domain.StateReady && status.PID != before
	})
}
