package pipeline

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// An agent that makes the same call several times at once has it made once; where that fails, the next one tries.
func TestTheSameCallSeveralTimesAtOnceIsMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var made, failed, duplicates atomic.Int32
		end := func(context.Context, domain.Call) (domain.Result, error) {
			time.Sleep(time.Second) //nolint:forbidigo // the clock is the bubble's
			switch made.Add(1) {
			case 1:
				return domain.Result{}, &domain.Error{Code: domain.CodeConnRefused}
			case 2:
				panic("broken")
			}
			return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(`{}`)}, nil
		}
		road := Build(end, Recover(quiet), Dedup(NewKept(time.Now), wants(domain.Middleware{Dedup: &domain.Dedup{}})))
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				call := resolved(domain.Writes)
				call.Turn = "1"
				result, err := road(t.Context(), call)
				if err != nil {
					failed.Add(1)
				}
				if result.Meta.Duplicate {
					duplicates.Add(1)
				}
			})
		}
		all.Wait()
		if made.Load() != 3 || failed.Load() != 2 || duplicates.Load() != 7 {
			t.Errorf("%d were made, %d failed, %d are duplicates", made.Load(), failed.Load(), duplicates.Load())
		}
	})
}

// Who does not want to wait for the one that goes may leave.
func TestACallerThatLeavesWaitsForNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stay := make(chan struct{})
		end := func(context.Context, domain.Call) (domain.Result, error) { <-stay; return domain.Result{}, nil }
		road := Build(end, Dedup(NewKept(time.Now), wants(domain.Middleware{Dedup: &domain.Dedup{}})))
		call := resolved(domain.Writes)
		call.Turn = "1"
		go func() { _, _ = road(t.Context(), call) }()
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { _, err := road(ctx, call); done <- err }()
		synctest.Wait()
		leave()
		if err := <-done; domain.CodeOf(err) != domain.CodeCanceled || !domain.Unsent(err) {
			t.Errorf("got %v", err)
		}
		close(stay)
	})
}
