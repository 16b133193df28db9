package api

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/events"
)

func run(t *testing.T, call domain.CallFunc) *calls {
	t.Helper()
	hub := events.New()
	c := newCalls(call, hub, time.Now)
	t.Cleanup(func() {
		c.close()
		hub.Close()
	})
	return c
}

func started(t *testing.T, c *calls, kind domain.CallerKind) string {
	t.Helper()
	id, err := c.start(domain.Call{Server: "s", Kind: domain.ToolCall, Name: "echo", Caller: domain.Caller{Kind: kind}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestCallEndsWithItsResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := run(t, func(_ context.Context, call domain.Call) (domain.Result, error) {
			pass(time.Second)
			call.Tell(domain.Notice{Kind: domain.NoticeProgress})
			pass(time.Second)
			return domain.Result{Raw: json.RawMessage(`{"isError":true}`)}, nil
		})
		id := started(t, c, domain.CallerWindow)
		if view, err := c.await(t.Context(), id, "", time.Second/2); err != nil || view.Status != CallRunning || view.DurationMS != 500 {
			t.Fatalf("%+v %v, want it running after 500 ms", view, err)
		}
		view, err := c.await(t.Context(), id, "", time.Minute)
		if err != nil || view.Status != CallDone || !view.IsError || view.DurationMS != 2000 || len(view.Notices) != 1 {
			t.Fatalf("%+v %v", view, err)
		}
	})
}

func TestCallThatAsksIsShownWaitingAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answered := make(chan struct{})
		c := run(t, func(_ context.Context, call domain.Call) (domain.Result, error) {
			pass(time.Second)
			call.Tell(domain.Notice{Kind: domain.NoticeWaiting, RequestID: "7"})
			<-answered
			call.Tell(domain.Notice{Kind: domain.NoticeRunning})
			return domain.Result{}, nil
		})
		id := started(t, c, domain.CallerWindow)
		view, err := c.await(t.Context(), id, "", time.Minute)
		if err != nil || view.Status != CallWaiting || view.RequestID != "7" || view.DurationMS != 1000 {
			t.Fatalf("%+v %v, want it waiting for request 7 after 1 s", view, err)
		}
		close(answered)
		if view, err = c.await(t.Context(), id, "", time.Minute); err != nil || view.Status != CallDone {
			t.Fatalf("%+v %v", view, err)
		}
	})
}

func TestCancelAndUnknownCall(t *testing.T) {
	c := run(t, func(ctx context.Context, _ domain.Call) (domain.Result, error) {
		<-ctx.Done()
		return domain.Result{}, ctx.Err()
	})
	id := started(t, c, domain.CallerWindow)
	if n := c.running("s"); n != 1 {
		t.Fatalf("%d running, want 1", n)
	}
	if err := c.cancel(id); err != nil {
		t.Fatal(err)
	}
	view, err := c.await(t.Context(), id, "", time.Minute)
	if err != nil || view.Error == nil || view.Error.Code != domain.CodeCanceled {
		t.Fatalf("%+v %v", view, err)
	}
	if _, err := c.await(t.Context(), "ghost", "", 0); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Fatalf("got %v, want %s", err, domain.CodeUnknownItem)
	}
}

func TestCancelledCallSaysWhetherItWasSent(t *testing.T) {
	for name, test := range map[string]struct {
		runs  bool
		cause error
		want  bool
	}{
		"before it was handed over": {cause: context.Canceled},
		"while its server had it":   {runs: true, cause: context.Canceled, want: true},
		"in the queue of its server": {runs: true, cause: &domain.Error{
			Code: domain.CodeCanceled, Message: "cancelled", Cause: domain.ErrUnsent,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := run(t, func(_ context.Context, call domain.Call) (domain.Result, error) {
				if test.runs {
					call.Tell(domain.Notice{Kind: domain.NoticeRunning})
				}
				return domain.Result{}, test.cause
			})
			view, err := c.await(t.Context(), started(t, c, domain.CallerWindow), CallRunning, time.Minute)
			if err != nil || view.Error == nil || view.Error.Code != domain.CodeCanceled || view.Sent != test.want {
				t.Fatalf("%+v %v, want it cancelled with sent = %v", view, err, test.want)
			}
		})
	}
}

func TestArgumentsStayWithTheirCallUnlessTheyAreLong(t *testing.T) {
	c := run(t, func(context.Context, domain.Call) (domain.Result, error) { return domain.Result{}, nil })
	quoted := func(length int) string { return `"` + strings.Repeat("x", length-2) + `"` }
	for arguments, want := range map[string]string{
		"":                       "{}",
		`{"message":"hi"}`:       `{"message":"hi"}`,
		quoted(maxArguments):     quoted(maxArguments),
		quoted(maxArguments + 1): "",
	} {
		id, err := c.start(domain.Call{Server: "s"}, json.RawMessage(arguments), nil)
		if err != nil {
			t.Fatal(err)
		}
		view, err := c.await(t.Context(), id, CallRunning, time.Minute)
		if err != nil || string(view.Arguments) != want {
			t.Errorf("%d bytes of arguments are shown for %d, want %d: %v", len(view.Arguments), len(arguments), len(want), err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if least := maxArguments; c.kept < least {
		t.Errorf("%d bytes are counted as kept, want at least the %d of arguments", c.kept, least)
	}
}

func TestCommandThatWasKilledAbandonsItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan domain.CallerKind, 2)
		c := run(t, func(ctx context.Context, call domain.Call) (domain.Result, error) {
			<-ctx.Done()
			ended <- call.Caller.Kind
			return domain.Result{}, ctx.Err()
		})
		started(t, c, domain.CallerWindow)
		id := started(t, c, domain.CallerCLI)
		if _, err := c.await(t.Context(), id, "", 0); err != nil {
			t.Fatal(err)
		}
		pass(abandonAfter + 2*time.Minute)
		synctest.Wait()
		if len(ended) != 1 || <-ended != domain.CallerCLI {
			t.Fatal("want the command's call ended and the window's still running")
		}
	})
}

func TestRefusedCallNamesItsRequest(t *testing.T) {
	c := run(t, func(context.Context, domain.Call) (domain.Result, error) {
		return domain.Result{}, &domain.Error{Code: domain.CodeApprovalNeeded, Args: map[string]string{"request_id": "12"}}
	})
	view, err := c.await(t.Context(), started(t, c, domain.CallerCLI), "", time.Minute)
	if err != nil || view.RequestID != "12" || view.Error.Code != domain.CodeApprovalNeeded {
		t.Fatalf("%+v %v", view, err)
	}
}

func TestFinishedCallsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := run(t, func(context.Context, domain.Call) (domain.Result, error) { return domain.Result{}, errors.New("no") })
		first := started(t, c, domain.CallerWindow)
		pass(keepDone + time.Second)
		started(t, c, domain.CallerWindow)
		if _, err := c.await(t.Context(), first, "", 0); domain.CodeOf(err) != domain.CodeUnknownItem {
			t.Fatalf("got %v, want %s", err, domain.CodeUnknownItem)
		}
	})
}

func TestManyShortCallsGoThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := run(t, func(context.Context, domain.Call) (domain.Result, error) { return domain.Result{}, nil })
		for range 3 * maxRunning {
			if _, err := c.await(t.Context(), started(t, c, domain.CallerWindow), "", time.Minute); err != nil {
				t.Fatal(err)
			}
		}
		if len(c.byID) > maxDone || len(c.done) != len(c.byID) {
			t.Fatalf("%d calls are kept, %d of them ended; want at most %d", len(c.byID), len(c.done), maxDone)
		}
	})
}

func TestTooManyCallsAtOnceAreRefused(t *testing.T) {
	c := run(t, func(ctx context.Context, _ domain.Call) (domain.Result, error) {
		<-ctx.Done()
		return domain.Result{}, ctx.Err()
	})
	for range maxRunning {
		started(t, c, domain.CallerWindow)
	}
	if _, err := c.start(domain.Call{Server: "s"}, nil, nil); domain.CodeOf(err) != domain.CodeDenied {
		t.Fatalf("got %v, want %s", err, domain.CodeDenied)
	}
}

func TestBigResultsAreNotKeptForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = maxKept / 4
		c := run(t, func(context.Context, domain.Call) (domain.Result, error) {
			return domain.Result{Raw: make(json.RawMessage, size)}, nil
		})
		unfetched := started(t, c, domain.CallerWindow)
		synctest.Wait()
		for range 20 {
			if _, err := c.await(t.Context(), started(t, c, domain.CallerWindow), "", time.Minute); err != nil {
				t.Fatal(err)
			}
		}
		if c.kept > maxKept+size {
			t.Errorf("%d bytes are kept, want about %d", c.kept, maxKept)
		}
		if view, err := c.await(t.Context(), unfetched, "", 0); err != nil || view.Result == nil {
			t.Errorf("a result was dropped before its caller fetched it: %v", err)
		}
	})
}

func TestNoticesOfACallAreBounded(t *testing.T) {
	c := run(t, func(_ context.Context, call domain.Call) (domain.Result, error) {
		for range 100 {
			call.Tell(domain.Notice{Kind: domain.NoticeProgress, Params: make(json.RawMessage, maxNoticeBytes/10)})
		}
		call.Tell(domain.Notice{Kind: domain.NoticeDecided, RequestID: "1"})
		return domain.Result{}, nil
	})
	view, err := c.await(t.Context(), started(t, c, domain.CallerWindow), CallRunning, time.Minute)
	if err != nil || len(view.Notices) != 11 || view.Notices[10].Kind != domain.NoticeDecided {
		t.Fatalf("%d notices, %v; want 10 and the decision", len(view.Notices), err)
	}
}

func TestTheNewestNoticesStay(t *testing.T) {
	c := run(t, func(_ context.Context, call domain.Call) (domain.Result, error) {
		call.Tell(domain.Notice{Kind: domain.NoticeRunning})
		call.Tell(domain.Notice{Kind: domain.NoticeLog, Params: json.RawMessage(`"the only one"`)})
		for i := range 500 {
			call.Tell(domain.Notice{Kind: domain.NoticeProgress, Params: json.RawMessage(strconv.Itoa(i))})
		}
		for range 2 * maxNotices {
			call.Tell(domain.Notice{Kind: domain.NoticeAnswered})
			call.Tell(domain.Notice{Kind: domain.NoticeAsked})
		}
		return domain.Result{}, nil
	})
	view, err := c.await(t.Context(), started(t, c, domain.CallerWindow), CallRunning, time.Minute)
	if err != nil || len(view.Notices) != maxNotices {
		t.Fatalf("%d notices, %v", len(view.Notices), err)
	}
	var first []string
	for _, n := range view.Notices[:3] {
		first = append(first, string(n.Kind)+" "+string(n.Params))
	}
	if !slices.Equal(first, []string{"running ", `log "the only one"`, "progress 499"}) || view.Notices[maxNotices-1].Kind != domain.NoticeAsked {
		t.Errorf("%q first, and %s last", first, view.Notices[maxNotices-1].Kind)
	}
}

func TestCallThatWaitsAlreadyIsShownAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := run(t, func(ctx context.Context, call domain.Call) (domain.Result, error) {
			call.Tell(domain.Notice{Kind: domain.NoticeWaiting, RequestID: "7"})
			<-ctx.Done()
			return domain.Result{}, ctx.Err()
		})
		id := started(t, c, domain.CallerWindow)
		synctest.Wait()
		before := time.Now()
		view, err := c.await(t.Context(), id, CallRunning, time.Minute)
		if err != nil || view.Status != CallWaiting || time.Since(before) != 0 {
			t.Fatalf("%+v %v after %s, want it waiting at once", view, err, time.Since(before))
		}
	})
}

func TestNoCallStartsOnceTheAPIIsClosed(t *testing.T) {
	c := run(t, func(context.Context, domain.Call) (domain.Result, error) { return domain.Result{}, nil })
	c.close()
	if _, err := c.start(domain.Call{Server: "s"}, nil, nil); domain.CodeOf(err) != domain.CodeNotRunning {
		t.Fatalf("got %v, want %s", err, domain.CodeNotRunning)
	}
}

// pass lets time go by inside a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }

func TestNoticesAfterTheEndAreNotKept(t *testing.T) {
	var late domain.Call
	c := run(t, func(_ context.Context, call domain.Call) (domain.Result, error) {
		late = call
		return domain.Result{}, nil
	})
	id := started(t, c, domain.CallerWindow)
	if view, err := c.await(t.Context(), id, CallRunning, time.Minute); err != nil || view.Status != CallDone {
		t.Fatalf("%+v %v", view, err)
	}
	late.Tell(domain.Notice{Kind: domain.NoticeLog, Params: json.RawMessage(`"late"`)})
	if view, _, err := c.look(id); err != nil || len(view.Notices) != 0 {
		t.Errorf("%+v %v, want no notice", view.Notices, err)
	}
}
