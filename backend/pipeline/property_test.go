package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
)

// ledger is a server that counts what it ran, and fails as it is told to.
type ledger struct {
	ran  map[string]int // by the id of the call
	fate func() string
}

func (l *ledger) call(_ context.Context, call domain.Call) (domain.Result, error) {
	fate := l.fate()
	if fate == "unsent" {
		return domain.Result{}, &domain.Error{Code: domain.CodeConnRefused}
	}
	l.ran[call.ID]++
	switch fate {
	case "lost":
		return domain.Result{}, &domain.Error{Code: domain.CodeConnClosed}
	case "failed":
		return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(`{"isError":true}`)}, nil
	}
	return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(`"` + owner(call) + `"`)}, nil
}

// owner is whom a result belongs to.
func owner(call domain.Call) string { return appOf(call) + " " + call.Caller.User }

// anyMiddleware draws every combination of the stages.
func anyMiddleware(t *rapid.T) domain.Middleware {
	var m domain.Middleware
	on := func(stage string) bool { return rapid.Bool().Draw(t, stage) }
	if on("retry") {
		m.Retry = &domain.Retry{MaxAttempts: 3}
	}
	if on("timeout") {
		m.Timeout = &domain.CallTime{Limit: time.Second}
	}
	if on("budget") {
		m.Budget = &domain.Budget{MaxCallsPerHour: 4, ServerLimits: map[string]int{"demo": 3}, AlertAt: 0.8}
	}
	if on("circuit_breaker") {
		m.CircuitBreaker = &domain.CircuitBreaker{FailureThreshold: 2, RecoveryTime: time.Second}
	}
	if on("dedup") {
		m.Dedup = &domain.Dedup{}
	}
	if on("streaming") {
		m.Streaming = &domain.Streaming{SlowAfter: time.Second}
	}
	return m
}

// whole is the road of core before a ledger.
func whole(w *world, l *ledger, m domain.Middleware, cache domain.Cache) domain.CallFunc {
	want, kept := wants(m), NewKept(time.Now)
	budgets, breakers := NewBudgets(time.Now, func(domain.Call, domain.BudgetUse) {}), NewBreakers(time.Now, func(string) {})
	return Build(l.call, Recover(quiet), Stream(want), Resolve(w), Foresee(budgets.Check(want), breakers.Check(want)),
		Authorize(w.rulesFor, w, &w.inbox, w.write), Dedup(NewKept(time.Now), want),
		Cache(kept, func(domain.Call) domain.Cache { return cache }), budgets.Stage(want), Retry(want), breakers.Stage(want),
		Deadline(within(time.Minute, time.Hour)), Unknown())
}

// drawn is one call and what becomes of it.
type drawn struct {
	call    domain.Call
	verdict string
}

// Whatever is switched on: no refusal becomes a success, no write runs twice, no result is of somebody else.
func TestNoCombinationOfStagesWidens(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := newWorld()
		w.target.Server.CacheableTools = rapid.SampledFrom([][]string{nil, {"echo"}}).Draw(r, "cacheable")
		w.target.Effect = rapid.SampledFrom([]domain.Effect{domain.Reads, domain.Writes, domain.Destroys}).Draw(r, "effect")
		fates := rapid.SliceOfN(rapid.SampledFrom([]string{"ok", "ok", "unsent", "lost", "failed"}), 40, 40).Draw(r, "fates")
		l := &ledger{ran: make(map[string]int), fate: func() (fate string) { fate, fates = fates[0], fates[1:]; return fate }}
		m, cache := anyMiddleware(r), domain.Cache{Enabled: rapid.Bool().Draw(r, "cache"), TTL: time.Minute, MaxSize: 2}
		calls := make([]drawn, rapid.IntRange(1, 12).Draw(r, "calls"))
		for i := range calls {
			calls[i] = anyCall(r, i)
		}
		var fault string
		synctest.Test(t, func(t *testing.T) {
			road := whole(w, l, m, cache)
			for _, c := range calls {
				if fault == "" {
					fault = widens(t.Context(), w, l, road, c)
				}
			}
		})
		if fault != "" {
			r.Fatal(fault)
		}
	})
}

func anyCall(r *rapid.T, i int) drawn {
	call := echo()
	call.ID, call.Turn = fmt.Sprint(i), rapid.SampledFrom([]string{"", "1"}).Draw(r, "turn")
	call.Caller.User = rapid.SampledFrom([]string{"local", "zoe"}).Draw(r, "user")
	if rapid.Bool().Draw(r, "app") {
		call.Caller.Kind, call.Caller.Name = domain.CallerApp, "demo"
	}
	return drawn{call, rapid.SampledFrom([]string{"allow", "deny", "yes", "no"}).Draw(r, "verdict")}
}

// widens makes one call and says what it came to that it must not; "" when all is well.
func widens(ctx context.Context, w *world, l *ledger, road domain.CallFunc, c drawn) string {
	w.rules = policy.Rules{}
	switch c.verdict {
	case "allow":
		w.says(domain.Allow)
	case "deny":
		w.says(domain.Deny)
	case "yes":
		w.inbox.answer = approve("")
	case "no":
		w.inbox.answer = refuse(domain.CodeApprovalDenied)
	}
	refused := c.verdict == "deny" || c.verdict == "no"
	result, err := road(ctx, c.call)
	switch ran := l.ran[c.call.ID]; {
	case refused && (err == nil || ran > 0):
		return fmt.Sprintf("call %s was refused, ran %d times and came to %s", c.call.ID, ran, result.Raw)
	case w.target.Effect != domain.Reads && ran > 1:
		return fmt.Sprintf("write %s ran %d times", c.call.ID, ran)
	case err == nil && !result.IsError() && string(result.Raw) != `"`+owner(c.call)+`"`:
		return fmt.Sprintf("call %s of %s got %s", c.call.ID, owner(c.call), result.Raw)
	}
	return ""
}
