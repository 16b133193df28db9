package pipeline

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func somebody() domain.Caller { return domain.Caller{Kind: domain.CallerWindow, Name: "window"} }

// made makes a call through a brake in the background and gives what it comes to.
func made(ctx context.Context, b *Brake, wait time.Duration, end domain.CallFunc) <-chan error {
	result := make(chan error, 1)
	call := echo()
	call.Wait = wait
	go func() {
		_, err := Build(end, b.Hold)(ctx, call)
		result <- err
	}()
	return result
}

func TestStoppingEndsTheCallsThatRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBrake(nil)
		running := made(t.Context(), b, 0, working(time.Hour, time.Hour))
		another := made(t.Context(), b, 0, func(ctx context.Context, _ domain.Call) (domain.Result, error) {
			<-ctx.Done()
			return domain.Result{}, errors.New("the server went away") // in words of its own
		})
		done := made(t.Context(), b, 0, working(time.Hour, 0))
		if err := <-done; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		halt := b.Stop(somebody(), time.Now())
		if halt.Canceled != 2 || halt.By != somebody() {
			t.Errorf("%+v, want two ended", halt)
		}
		err := <-running
		if e := domain.AsError(err); e.Code != domain.CodeCanceled || e.Args["reason"] != "calls_stopped" || !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %+v", e)
		}
		if err := <-another; err == nil || err.Error() != "the server went away" {
			t.Errorf("the other one ended with %v", err)
		}
	})
}

func TestACallThatComesWhileCallsAreStoppedWaitsAsLongAsForAPerson(t *testing.T) {
	tests := []struct {
		name         string
		wait, resume time.Duration
		want         domain.Code
		took         time.Duration
	}{
		{"not at all", 0, time.Hour, domain.CodeCallsStopped, 0},
		{"not long enough", time.Minute, time.Hour, domain.CodeCallsStopped, time.Minute},
		{"long enough", 2 * time.Hour, time.Hour, "", time.Hour},
		{"for ever", -1, time.Hour, "", time.Hour},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				b := NewBrake(&domain.Halt{By: somebody(), At: start})
				defer time.AfterFunc(test.resume, b.Resume).Stop()
				reached := false
				err := <-made(t.Context(), b, test.wait, func(context.Context, domain.Call) (domain.Result, error) {
					reached = true
					return domain.Result{}, nil
				})
				if domain.CodeOf(err) != test.want || reached != (test.want == "") || time.Since(start) != test.took {
					t.Errorf("%v after %s, reached %v; want %q after %s", err, time.Since(start), reached, test.want, test.took)
				}
				if test.want != "" && !errors.Is(err, domain.ErrUnsent) {
					t.Error("it does not say that nothing was sent")
				}
				if _, held := b.Halt(); held != 0 {
					t.Errorf("%d are held at the end", held)
				}
			})
		})
	}
}

func TestAHeldCallWhoseCallerLeavesIsCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBrake(&domain.Halt{By: somebody()})
		ctx, leave := context.WithCancel(t.Context())
		call := made(ctx, b, -1, working(time.Hour, 0))
		synctest.Wait()
		if _, held := b.Halt(); held != 1 {
			t.Errorf("%d are held, want 1", held)
		}
		leave()
		if err := <-call; domain.CodeOf(err) != domain.CodeCanceled {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestStoppingTwiceCountsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBrake(nil)
		first := b.Stop(somebody(), time.Now())
		second := b.Stop(domain.Caller{Name: "another"}, first.At.Add(time.Minute))
		if second.By != somebody() || !second.At.Equal(first.At) {
			t.Errorf("%+v, then %+v", first, second)
		}
		b.Resume()
		b.Resume()
		if halt, _ := b.Halt(); halt != nil {
			t.Errorf("still %+v", halt)
		}
		if err := <-made(t.Context(), b, 0, working(time.Hour, 0)); err != nil {
			t.Errorf("after that a call comes to %v", err)
		}
	})
}

func TestOneCallIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBrake(nil)
		ctx, end := context.WithCancel(t.Context())
		other := made(ctx, b, 0, working(time.Hour, time.Hour))
		call := echo()
		call.ID = "of the question"
		result := make(chan error, 1)
		go func() {
			_, err := Build(working(time.Hour, time.Hour), b.Hold)(t.Context(), call)
			result <- err
		}()
		synctest.Wait()
		b.Cancel("of the question")
		b.Cancel("of nothing")
		if e := domain.AsError(<-result); e.Code != domain.CodeCanceled || e.Args["reason"] != "question_closed" {
			t.Errorf("it ended with %+v", e)
		}
		end()
		if err := <-other; domain.AsError(err).Args["reason"] != "" {
			t.Errorf("the other one ended with %v", err)
		}
	})
}
