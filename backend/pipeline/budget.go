package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Alert tells that a call brought an app to the share of a limit at which its person wants to know.
type Alert func(domain.Call, domain.BudgetUse)

// Budgets count the calls that reach servers, by app and server, over the last hour.
type Budgets struct {
	now   func() time.Time
	alert Alert

	mu    sync.Mutex
	spent map[spender][]time.Time
	last  map[spender]domain.BudgetUse // limits and costs as they were at the last call
	told  map[spender]time.Time        // when the person was told of each last

	recalling sync.Mutex
	recall    func() bool // nil once nothing is left to recall; recalling guards it
}

// spender is who uses a limit: an app, for one server or for all together ("").
type spender struct{ app, server string }

// NewBudgets has counted nothing yet; see Recall. alert hears of each limit at most once in an hour, before the call is made.
func NewBudgets(now func() time.Time, alert Alert) *Budgets {
	return &Budgets{
		now: now, alert: alert,
		spent: make(map[spender][]time.Time), last: make(map[spender]domain.BudgetUse), told: make(map[spender]time.Time),
	}
}

// Stage refuses calls for which nothing is left, and counts the others; one that provably did not reach its server is given
// back. A later round of a call is part of it.
func (b *Budgets) Stage(wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			budget := wanted(call).Budget
			if budget == nil || call.Continuation != nil {
				return next(ctx, call)
			}
			b.remember()
			most := limits(call, *budget)
			at, err := b.take(call, *budget, most)
			if err != nil {
				return refused(err)
			}
			var way crossing
			result, err := next(ctx, hear(call, way.hear))
			if !way.sent(err) {
				b.giveBack(most, at)
			}
			return result, err
		}
	}
}

// Check says why nothing is left for a call; nil when something is.
func (b *Budgets) Check(wanted Middleware) func(domain.Call) error {
	return func(call domain.Call) error {
		budget := wanted(call).Budget
		if budget == nil || call.Continuation != nil {
			return nil
		}
		b.remember()
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.check(call, limits(call, *budget))
	}
}

// Uses say what was used of each limit in the last hour.
func (b *Budgets) Uses() []domain.BudgetUse {
	b.remember()
	b.mu.Lock()
	defer b.mu.Unlock()
	uses := make([]domain.BudgetUse, 0, len(b.last))
	for who := range b.last {
		use := b.use(who)
		if use.Used == 0 { // nobody asks for it any more, or the server is gone
			b.forget(who)
			continue
		}
		uses = append(uses, use)
	}
	slices.SortFunc(uses, func(x, y domain.BudgetUse) int {
		return cmp.Or(cmp.Compare(x.App, y.App), cmp.Compare(x.Server, y.Server))
	})
	return uses
}

// limits are those that a call counts for.
func limits(call domain.Call, budget domain.Budget) map[spender]int {
	app, server := appOf(call), call.Target.Server.ID
	most := make(map[spender]int, 2)
	if budget.MaxCallsPerHour > 0 {
		most[spender{app, ""}] = budget.MaxCallsPerHour
	}
	if limit, ok := budget.ServerLimits[server]; ok {
		most[spender{app, server}] = limit
	}
	return most
}

// take counts a call for all its limits, or for none, and says when it did.
func (b *Budgets) take(call domain.Call, budget domain.Budget, most map[spender]int) (time.Time, error) {
	b.mu.Lock()
	if err := b.check(call, most); err != nil {
		b.mu.Unlock()
		return time.Time{}, err
	}
	at := b.now()
	b.note(most, budget, at)
	var reached []domain.BudgetUse
	for who := range most {
		use := b.use(who)
		if float64(use.Used) < budget.AlertAt*float64(use.Limit)-rounding || at.Sub(b.told[who]) < time.Hour {
			continue
		}
		b.told[who] = at
		reached = append(reached, use)
	}
	b.mu.Unlock()
	for _, use := range reached {
		b.alert(call, use)
	}
	return at, nil
}

// rounding is what a share of a limit may be off by, as a fraction that is no sum of powers of two.
const rounding = 1e-9

// note counts a call, which was made no earlier than those that were counted. The caller holds the lock.
func (b *Budgets) note(most map[spender]int, budget domain.Budget, at time.Time) {
	for who, limit := range most {
		b.spent[who] = append(b.spent[who], at)
		b.last[who] = domain.BudgetUse{App: who.app, Server: who.server, Limit: limit, Cost: budget.CostPerCall}
	}
}

// giveBack takes a call out of the count again, once.
func (b *Budgets) giveBack(most map[spender]int, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for who := range most {
		if i := slices.Index(b.spent[who], at); i >= 0 {
			b.spent[who] = slices.Delete(b.spent[who], i, i+1)
		}
	}
}

// check is for a caller that holds the lock.
func (b *Budgets) check(call domain.Call, most map[spender]int) error {
	for who, limit := range most {
		if free := b.freeAt(who, limit); free != nil {
			return spentUp(call, who, limit, *free)
		}
	}
	return nil
}

// freeAt is when the next call is possible, nil when one is now. The caller holds the lock.
func (b *Budgets) freeAt(who spender, limit int) *time.Time {
	hourAgo := b.now().Add(-time.Hour)
	b.spent[who] = slices.DeleteFunc(b.spent[who], func(at time.Time) bool { return !at.After(hourAgo) })
	spent := b.spent[who]
	if limit > len(spent) {
		return nil
	}
	free := b.now().Add(time.Hour)
	if limit > 0 {
		free = spent[len(spent)-limit].Add(time.Hour)
	}
	return &free
}

// forget is for a caller that holds the lock.
func (b *Budgets) forget(who spender) {
	delete(b.spent, who)
	delete(b.last, who)
	if b.now().Sub(b.told[who]) >= time.Hour {
		delete(b.told, who)
	}
}

// use is for a caller that holds the lock.
func (b *Budgets) use(who spender) domain.BudgetUse {
	use := b.last[who]
	use.FreeAt = b.freeAt(who, use.Limit)
	use.Used = len(b.spent[who])
	use.Cost *= float64(use.Used)
	return use
}

func spentUp(call domain.Call, who spender, limit int, free time.Time) error {
	of := "of all servers together"
	if who.server != "" {
		of = "of " + call.Target.Server.Name
	}
	at := free.UTC().Format(time.RFC3339)
	return &domain.Error{
		Code:    domain.CodeBudgetSpent,
		Message: fmt.Sprintf("the budget %s is used up: %d calls in an hour", of, limit),
		Hint:    "The next call is possible at " + at + ".",
		Args:    map[string]string{"app": who.app, "server": who.server, "limit": strconv.Itoa(limit), "free_at": at},
		Cause:   domain.ErrUnsent,
	}
}
