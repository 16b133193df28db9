package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
)

// What may become of an attempt at the server.
const (
	ranWell     = "ok"
	ranBadly    = "the tool fails"
	notSent     = "not sent"
	lostAfter   = "lost after it ran"
	lostBefore  = "lost before it ran"
	hangsAfter  = "hangs after it ran"
	hangsBefore = "hangs before it runs"
	wantsSignIn = "wants a sign-in"
)

func fates() []string {
	return []string{ranWell, ranWell, ranWell, ranBadly, notSent, notSent, lostAfter, lostAfter, lostBefore, hangsAfter, hangsBefore, wantsSignIn}
}

// ledger is a server that counts what it ran, and fails as it is told to.
type ledger struct {
	fate func() string

	mu  sync.Mutex
	ran map[string]int // by the id of the call
}

func newLedger(fate func() string) *ledger { return &ledger{ran: make(map[string]int), fate: fate} }

func (l *ledger) times(call domain.Call) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ran[call.ID]
}

func (l *ledger) call(ctx context.Context, call domain.Call) (domain.Result, error) {
	l.mu.Lock()
	fate := l.fate()
	if slices.Contains([]string{ranWell, ranBadly, lostAfter, hangsAfter}, fate) {
		l.ran[call.ID]++
	}
	l.mu.Unlock()
	switch fate {
	case notSent:
		return domain.Result{}, &domain.Error{Code: domain.CodeConnRefused}
	case lostAfter, lostBefore:
		return domain.Result{}, &domain.Error{Code: domain.CodeConnClosed}
	case hangsAfter, hangsBefore:
		<-ctx.Done()
		return domain.Result{}, ctx.Err()
	case wantsSignIn:
		return domain.Result{}, &domain.Error{Code: domain.CodeSignInNeeded}
	case ranBadly:
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
	if on("cross_context") {
		m.CrossContext = &domain.CrossContext{MaxEntries: 2}
	}
	if on("auto_heal") {
		m.AutoHeal = &domain.AutoHeal{MaxSuggestions: 1}
	}
	if on("semantic_cache") {
		m.SemanticCache = &domain.SemanticCache{TTL: time.Minute}
	}
	return m
}

// road is the one of core before a ledger, with the stages that can be switched on in any order.
type road struct {
	domain.CallFunc
	world   *world
	ledger  *ledger
	journal *fakeJournal
	budgets *Budgets
}

// whole builds a road; order has a number for each of the stages after Authorize, and nil is the order of core.
func whole(w *world, l *ledger, m domain.Middleware, cache domain.Cache, order []int) *road {
	want, r := wants(m), &road{world: w, ledger: l, journal: &fakeJournal{}}
	breakers := NewBreakers(time.Now, func(string) {})
	r.budgets = NewBudgets(time.Now, func(domain.Call, domain.BudgetUse) {})
	most := time.Hour
	if m.Timeout != nil {
		most = m.Timeout.Limit
	}
	kept, cached := NewKept(time.Now), func(domain.Call) domain.Cache { return cache }
	others := func(context.Context, domain.Call, bool, int) []string { return []string{"mcp_other.echo"} }
	optional := []Stage{
		CrossContext(NewContexts(time.Now, hidden), want), Dedup(NewKept(time.Now), want), Cache(kept, cached),
		SemanticCache(NewSearches(strings.EqualFold), kept, cached, want), Heal(others, want), r.budgets.Stage(want),
		Retry(want, StillAllowed(w.rulesFor)), breakers.Stage(want), Deadline(within(time.Minute, most)),
	}
	stages := []Stage{
		Record(r.journal, time.Now, quiet), Recover(quiet), NewBrake(nil).Hold, Stream(want), Resolve(w),
		Foresee(r.budgets.Check(want), breakers.Check(want)), Authorize(w.rulesFor, w, &w.inbox, w.write),
	}
	for i := range optional {
		if order != nil {
			i = order[i]
		}
		stages = append(stages, optional[i])
	}
	r.CallFunc = Build(l.call, append(stages, Unknown())...)
	return r
}

// drawn is one call and what the rules or a person say of it.
type drawn struct {
	call    domain.Call
	verdict string
}

// Whatever is switched on, in whatever order: no refusal becomes a success, no write runs twice, no result is of somebody else,
// nothing that may have run is said not to have been sent, and no budget is overdrawn.
func TestNoCombinationOfStagesWidens(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := newWorld()
		w.target.Server.CacheableTools = rapid.SampledFrom([][]string{nil, {"echo"}}).Draw(r, "cacheable")
		w.target.Effect = rapid.SampledFrom([]domain.Effect{domain.Reads, domain.Writes, domain.Destroys}).Draw(r, "effect")
		if rapid.IntRange(0, 3).Draw(r, "may run twice") == 0 {
			w.target.Tool.Raw = json.RawMessage(`{"annotations":{"idempotentHint":true}}`)
		}
		drawnFates := rapid.SliceOfN(rapid.SampledFrom(fates()), 40, 40).Draw(r, "fates")
		l := newLedger(func() (fate string) { fate, drawnFates = drawnFates[0], drawnFates[1:]; return fate })
		m, cache := anyMiddleware(r), domain.Cache{Enabled: rapid.Bool().Draw(r, "cache"), TTL: time.Minute, MaxSize: 2}
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}).Draw(r, "order")
		if rapid.Bool().Draw(r, "as in core") {
			order = nil
		}
		calls := make([]drawn, rapid.IntRange(1, 12).Draw(r, "calls"))
		for i := range calls {
			calls[i] = anyCall(r, i)
		}
		var fault string
		synctest.Test(t, func(t *testing.T) {
			road := whole(w, l, m, cache, order)
			for _, c := range calls {
				if fault == "" {
					fault = road.widens(t.Context(), c)
				}
			}
			if fault == "" {
				fault = road.overdrawn(m, order == nil)
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
	call.Params = json.RawMessage(rapid.SampledFrom([]string{
		string(call.Params), `{"name":"echo","arguments":{"message":"hi","query":"tea"}}`, `{"name":"echo","arguments":{"message":"hi","query":"Tea"}}`,
	}).Draw(r, "params"))
	call.Caller.User = rapid.SampledFrom([]string{"local", "zoe"}).Draw(r, "user")
	if rapid.Bool().Draw(r, "app") {
		call.Caller.Kind, call.Caller.Name = domain.CallerApp, "demo"
	}
	return drawn{call, rapid.SampledFrom([]string{"allow", "deny", "yes", "no"}).Draw(r, "verdict")}
}

// widens makes one call and says what it came to that it must not; "" when all is well.
func (r *road) widens(ctx context.Context, c drawn) string {
	w := r.world
	w.rules, w.inbox.returned = policy.Rules{}, nil
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
	call := c.call
	call.Target = nil
	result, err := r.CallFunc(ctx, call)
	ran, line := r.ledger.times(call), r.journal.outcomes[len(r.journal.outcomes)-1]
	twice := mayRunTwice(domain.Call{Kind: call.Kind, Target: &w.target})
	switch {
	case refused && (err == nil || ran > 0):
		return fmt.Sprintf("call %s was refused, ran %d times and came to %s", call.ID, ran, result.Raw)
	case !twice && ran > 1:
		return fmt.Sprintf("write %s ran %d times", call.ID, ran)
	case err == nil && !result.IsError() && string(result.Raw) != `"`+owner(call)+`"`:
		return fmt.Sprintf("call %s of %s got %s", call.ID, owner(call), result.Raw)
	case ran > 0 && !line.Sent:
		return fmt.Sprintf("call %s ran, and the journal says that it was not sent", call.ID)
	case ran > 0 && len(w.inbox.returned) > 0:
		return fmt.Sprintf("call %s ran, and may run again by the same approval", call.ID)
	}
	return ""
}

// overdrawn says of which budget more was used than there is. In the order of core it says too where a budget counts anything
// else than what the journal knows to have been sent: a new start counts by that. All of it takes less than an hour.
func (r *road) overdrawn(m domain.Middleware, asInCore bool) string {
	sent := make(map[string]int)
	for i, line := range r.journal.outcomes {
		if m.Budget != nil && line.Sent {
			sent[appOf(r.journal.intents[i])]++
		}
	}
	for _, use := range r.budgets.Uses() {
		if use.Used > use.Limit || asInCore && use.Used != sent[use.App] {
			return fmt.Sprintf("the budget counts %+v, the journal %d calls", use, sent[use.App])
		}
	}
	if asInCore && len(r.budgets.Uses()) == 0 && len(sent) > 0 {
		return fmt.Sprintf("the budget counts nothing, the journal %v", sent)
	}
	return ""
}
