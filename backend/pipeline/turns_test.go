package pipeline

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestTheSameCallInATurnGetsTheEarlierResult(t *testing.T) {
	end := &counter{}
	road := Build(end.call, Dedup(NewKept(time.Now), wants(domain.Middleware{Dedup: &domain.Dedup{}})))
	get := func(change func(*domain.Call), duplicate bool) {
		t.Helper()
		call := resolved(domain.Writes)
		call.Turn = "1"
		if change != nil {
			change(&call)
		}
		result, err := road(t.Context(), call)
		if err != nil || result.Meta.Duplicate != duplicate {
			t.Errorf("%+v, %v", result.Meta, err)
		}
	}
	get(nil, false)
	get(nil, true)
	for _, change := range []func(*domain.Call){
		func(c *domain.Call) { c.Turn = "2" },
		func(c *domain.Call) { c.Caller.Session = "another" },
		func(c *domain.Call) { c.Caller.Name = "another" },
		func(c *domain.Call) { c.Caller.Kind = domain.CallerWindow },
		func(c *domain.Call) { c.Caller.User = "zoe" },
		func(c *domain.Call) { c.Caller = domain.Caller{Kind: domain.CallerApp, Name: "demo"} },
		func(c *domain.Call) { c.Target.Server.ID = "other" },
		func(c *domain.Call) { c.Params = json.RawMessage(`{"name":"echo","arguments":{"message":"salut"}}`) },
	} {
		get(change, false)
		get(change, true)
	}
	for range 2 {
		get(func(c *domain.Call) { c.Turn = "" }, false) // outside a turn
		get(func(c *domain.Call) { c.Continuation = json.RawMessage(`"x"`) }, false)
	}
}

func TestASlowCallIsToldAndMarked(t *testing.T) {
	for _, test := range []struct {
		name         string
		every, until time.Duration
		slow         bool
	}{
		{"quick", time.Hour, 1900 * time.Millisecond, false},
		{"silent", time.Hour, 10 * time.Second, true},
		{"telling", time.Second, 10*time.Second + time.Millisecond, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				call := resolved(domain.Reads)
				var told atomic.Int32
				call.Sink = func(n domain.Notice) {
					if n.Kind == domain.NoticeProgress && strings.Contains(string(n.Params), "takes its time") {
						told.Add(1)
					}
				}
				road := Build(working(test.every, test.until), Stream(wants(domain.Middleware{Streaming: &domain.Streaming{SlowAfter: 2 * time.Second}})))
				result, err := road(t.Context(), call)
				if err != nil || result.Meta.Slow != test.slow || (told.Load() == 1) != test.slow {
					t.Errorf("%+v, told %d times, %v", result.Meta, told.Load(), err)
				}
			})
		})
	}
}

func TestWaitingForAPersonIsNotSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := resolved(domain.Reads)
		asks := func(_ context.Context, call domain.Call) (domain.Result, error) {
			call.Tell(domain.Notice{Kind: domain.NoticeAsked})
			time.Sleep(time.Hour) //nolint:forbidigo // the clock is the bubble's
			call.Tell(domain.Notice{Kind: domain.NoticeAnswered})
			return domain.Result{}, nil
		}
		result, _ := Build(asks, Stream(wants(domain.Middleware{Streaming: &domain.Streaming{SlowAfter: 2 * time.Second}})))(t.Context(), call)
		if result.Meta.Slow {
			t.Error("it is marked slow")
		}
	})
}

func TestNothingIsToldOfACallThatPanicked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := resolved(domain.Reads)
		over := false
		call.Sink = func(n domain.Notice) {
			if over {
				t.Errorf("%+v is told", n)
			}
		}
		broken := func(context.Context, domain.Call) (domain.Result, error) { panic("broken") }
		_, _ = Build(broken, Recover(quiet), Stream(wants(domain.Middleware{Streaming: &domain.Streaming{SlowAfter: time.Second}})))(t.Context(), call)
		over = true
		time.Sleep(time.Minute) //nolint:forbidigo // the clock is the bubble's
	})
}

// What a server says while a person is asked does not make the person slow.
func TestProgressWhileAPersonIsAskedIsNotSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asks := func(_ context.Context, call domain.Call) (domain.Result, error) {
			for _, kind := range []domain.NoticeKind{domain.NoticeAsked, domain.NoticeAsked, domain.NoticeProgress, domain.NoticeAnswered} {
				call.Tell(domain.Notice{Kind: kind})
			}
			time.Sleep(time.Hour) //nolint:forbidigo // the clock is the bubble's
			call.Tell(domain.Notice{Kind: domain.NoticeAnswered})
			return domain.Result{}, nil
		}
		result, _ := Build(asks, Stream(wants(domain.Middleware{Streaming: &domain.Streaming{SlowAfter: 2 * time.Second}})))(t.Context(), resolved(domain.Reads))
		if result.Meta.Slow {
			t.Error("it is marked slow")
		}
	})
}

// What is remembered of a turn is bounded in time and number, and a call without a result is made again.
func TestWhatIsRememberedOfATurnIsBounded(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	end, turns := &counter{}, NewKept(func() time.Time { return now })
	road := Build(end.call, Dedup(turns, wants(domain.Middleware{Dedup: &domain.Dedup{}})))
	get := func(turn string) bool {
		t.Helper()
		call := resolved(domain.Writes)
		call.Turn = turn
		result, _ := road(t.Context(), call)
		return result.Meta.Duplicate
	}
	end.err = &domain.Error{Code: domain.CodeOutcomeUnknown}
	for range 2 {
		get("1")
	}
	if end.calls != 2 {
		t.Errorf("%d calls were made of two that failed", end.calls)
	}
	end.err = nil
	if get("1") || !get("1") || end.calls != 3 {
		t.Errorf("%d calls were made", end.calls)
	}
	now = now.Add(turnLife - 1)
	if !get("1") {
		t.Error("it is forgotten too early")
	}
	now = now.Add(1)
	if get("1") || end.calls != 4 {
		t.Errorf("%d calls were made, want one more after %s", end.calls, turnLife)
	}
	for i := range maxTurns {
		get(strconv.Itoa(i + 2))
	}
	if get("1") || turns.Uses()[0].Entries != maxTurns {
		t.Errorf("%d are kept", turns.Uses()[0].Entries)
	}
}
