package pipeline

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Many at once, while somebody looks on, empties and stops: no write runs twice, nobody gets the result of another, the budget
// is used up to the call, the bounds of what is kept hold, and nothing is left that runs.
func TestACrowdGetsWhatOneWould(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers, each, limit = 40, 30, 200
		random := rand.New(rand.NewPCG(7, 7)) // guarded by the ledger
		l := newLedger(func() string { all := fates(); return all[random.IntN(len(all))] })
		want := wants(domain.Middleware{
			Retry: &domain.Retry{MaxAttempts: 3}, Timeout: &domain.CallTime{Limit: time.Second},
			Budget:         &domain.Budget{MaxCallsPerHour: limit, AlertAt: 0.5},
			CircuitBreaker: &domain.CircuitBreaker{FailureThreshold: 6, RecoveryTime: time.Second},
			Dedup:          &domain.Dedup{}, Streaming: &domain.Streaming{SlowAfter: time.Second / 2},
		})
		var told, sent atomic.Int64
		kept, turns, brake := NewKept(time.Now), NewKept(time.Now), NewBrake(nil)
		budgets := NewBudgets(time.Now, func(domain.Call, domain.BudgetUse) { told.Add(1) })
		breakers := NewBreakers(time.Now, func(string) {})
		road := Build(l.call, Recover(quiet), brake.Hold, Stream(want), Foresee(budgets.Check(want), breakers.Check(want)),
			Dedup(turns, want), Cache(kept, func(domain.Call) domain.Cache { return domain.Cache{Enabled: true, TTL: time.Second, MaxSize: 5} }),
			budgets.Stage(want), Retry(want), breakers.Stage(want), Deadline(within(time.Minute, time.Second)), Unknown())

		one := func(who, i int) {
			call := cacheable()
			call.ID, call.Wait = fmt.Sprint(who, " ", i), -1
			call.Params = json.RawMessage(fmt.Sprintf(`{"name":"echo","arguments":{"message":"%d"}}`, i%7))
			call.Caller.User, call.Turn = fmt.Sprint(who), fmt.Sprint(i/10)
			call.Target.Effect = []domain.Effect{domain.Reads, domain.Writes}[i%2]
			way := &crossing{}
			result, err := road(t.Context(), hear(call, way.hear))
			if way.sent(err) {
				sent.Add(1)
			}
			if err == nil && !result.IsError() && string(result.Raw) != `"`+owner(call)+`"` {
				t.Errorf("%s got %s", owner(call), result.Raw)
			}
			if ran := l.times(call); ran > 1 && call.Target.Effect == domain.Writes {
				t.Errorf("write %s ran %d times", call.ID, ran)
			}
			if ran := l.times(call); ran > 0 && !way.sent(err) {
				t.Errorf("call %s ran and is said not to have been sent: %v", call.ID, err)
			}
		}
		var crowd sync.WaitGroup
		for who := range callers {
			crowd.Go(func() {
				for i := range each {
					time.Sleep(100 * time.Millisecond) //nolint:forbidigo // the clock is the bubble's
					one(who, i)
				}
			})
		}
		crowd.Go(func() {
			for i := range 50 {
				time.Sleep(100 * time.Millisecond) //nolint:forbidigo // the clock is the bubble's
				_, _, _ = kept.Uses(), budgets.Uses(), breakers.List()
				switch i % 10 {
				case 0:
					kept.Empty("demo")
				case 1:
					brake.Stop(domain.Caller{}, time.Now())
				case 2:
					brake.Resume()
				}
			}
			brake.Resume()
		})
		crowd.Wait()
		uses := budgets.Uses()
		if len(uses) != 1 || uses[0].Used > limit || int64(uses[0].Used) != sent.Load() || told.Load() != 1 {
			t.Errorf("the budget counts %+v, %d were sent, told %d times", uses, sent.Load(), told.Load())
		}
		if use := kept.Uses()[0]; use.Entries > 5 || use.Bytes != kept.bytes {
			t.Errorf("%+v, counted as %d bytes", use, kept.bytes)
		}
		if _, held := brake.Halt(); held != 0 || len(brake.running) != 0 {
			t.Errorf("%d are held, %d run", held, len(brake.running))
		}
	})
}
