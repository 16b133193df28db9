package pipeline

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// working is a server that shows progress every so often and answers after a while.
func working(every, until time.Duration) domain.CallFunc {
	return func(ctx context.Context, call domain.Call) (domain.Result, error) {
		done := time.NewTimer(until)
		defer done.Stop()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return domain.Result{}, ctx.Err()
			case <-done.C:
				return domain.Result{Kind: domain.ResultComplete}, nil
			case <-tick.C:
				call.Tell(domain.Notice{Kind: domain.NoticeProgress})
			}
		}
	}
}

func within(idle, most time.Duration) Limits {
	return func(domain.Call) (time.Duration, time.Duration) { return idle, most }
}

func TestDeadline(t *testing.T) {
	const never = 24 * time.Hour
	tests := []struct {
		name         string
		every, until time.Duration
		limit        string
		took         time.Duration
	}{
		{"a quick answer", never, time.Second, "", time.Second},
		{"silence", never, never, "idle", 60 * time.Second},
		{"progress keeps it alive", 50 * time.Second, 500 * time.Second, "", 500 * time.Second},
		{"progress for ever", 50 * time.Second, never, "max", 600 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				_, err := Build(working(test.every, test.until), Deadline(within(0, 0)))(t.Context(), echo())
				if took := time.Since(start); took != test.took {
					t.Errorf("took %s, want %s", took, test.took)
				}
				if test.limit == "" {
					if err != nil {
						t.Errorf("got %v, want a result", err)
					}
					return
				}
				e := wantCode(t, err, domain.CodeCallTimeout)
				if e.Args["limit"] != test.limit || e.Args["idle_seconds"] != "60" || e.Args["max_seconds"] != "600" {
					t.Errorf("got args %v, want limit %s and both numbers", e.Args, test.limit)
				}
			})
		})
	}
}

func TestOnlyProgressCountsAsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chatty := func(ctx context.Context, call domain.Call) (domain.Result, error) {
			for ctx.Err() == nil {
				call.Tell(domain.Notice{Kind: domain.NoticeLog})
				<-time.After(time.Second)
			}
			return domain.Result{}, ctx.Err()
		}
		_, err := Build(chatty, Deadline(within(time.Minute, time.Hour)))(t.Context(), echo())
		if e := wantCode(t, err, domain.CodeCallTimeout); e.Args["limit"] != "idle" {
			t.Errorf("got %v, want the idle limit", e.Args)
		}
	})
}

func TestWaitingForAPersonDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.inbox.answer = func(ctx context.Context, r domain.Request, wait time.Duration) (domain.Request, error) {
			<-time.After(48 * time.Hour)
			return approve("")(ctx, r, wait)
		}
		road := Build(working(time.Hour, time.Second), Resolve(w), Authorize(w.rulesFor, w, &w.inbox, w.write), Deadline(within(time.Minute, time.Hour)))
		if _, err := road(t.Context(), echo()); err != nil {
			t.Errorf("got %v, want a result", err)
		}
	})
}

func TestACallerThatLeavesIsNoTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		_, err := Build(working(time.Hour, time.Hour), Deadline(within(time.Minute, time.Hour)))(ctx, echo())
		wantCode(t, err, domain.CodeCanceled)
	})
}

func TestATimeoutKeepsTheProofThatNothingWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		connecting := func(ctx context.Context, _ domain.Call) (domain.Result, error) {
			<-ctx.Done()
			return domain.Result{}, errors.Join(domain.ErrUnsent, ctx.Err())
		}
		_, err := Build(connecting, Deadline(within(time.Second, time.Minute)))(t.Context(), echo())
		wantCode(t, err, domain.CodeCallTimeout)
		if !domain.Unsent(err) {
			t.Errorf("got %v, want the proof in its chain", err)
		}
	})
}

func TestAChangedLimitCountsForTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		idle := time.Minute
		road := Build(working(time.Hour, time.Hour), Deadline(func(domain.Call) (time.Duration, time.Duration) { return idle, time.Hour }))
		for _, idle = range []time.Duration{time.Minute, time.Second} {
			start := time.Now()
			_, err := road(t.Context(), echo())
			wantCode(t, err, domain.CodeCallTimeout)
			if took := time.Since(start); took != idle {
				t.Errorf("took %s, want %s", took, idle)
			}
		}
	})
}

// asking is a server that works, waits for an answer of ours, and works again.
func asking(work, wait time.Duration) domain.CallFunc {
	return func(ctx context.Context, call domain.Call) (domain.Result, error) {
		for _, pause := range []struct {
			time   time.Duration
			notice domain.NoticeKind
		}{{work, domain.NoticeAsked}, {wait, domain.NoticeAnswered}, {work, domain.NoticeLog}} {
			select {
			case <-ctx.Done():
				return domain.Result{}, ctx.Err()
			case <-time.After(pause.time):
				call.Tell(domain.Notice{Kind: pause.notice})
			}
		}
		return domain.Result{Kind: domain.ResultComplete}, nil
	}
}

func TestTheTimeInWhichTheServerWaitsForUsDoesNotCount(t *testing.T) {
	tests := []struct {
		name       string
		work, wait time.Duration
		idle, most time.Duration
		limit      string
	}{
		{"an hour for the answer", 40 * time.Second, time.Hour, 60 * time.Second, 100 * time.Second, ""},
		{"silent after the answer", 70 * time.Second, time.Hour, 80 * time.Second, 100 * time.Second, "max"},
		{"silent before the question", 90 * time.Second, time.Hour, 80 * time.Second, 600 * time.Second, "idle"},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			_, err := Build(asking(test.work, test.wait), Deadline(within(test.idle, test.most)))(t.Context(), echo())
			if got := domain.AsError(err); (got == nil) != (test.limit == "") || got != nil && got.Args["limit"] != test.limit {
				t.Errorf("%s: %v", test.name, err)
			}
		})
	}
}
