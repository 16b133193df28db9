package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Alert tells that an app has used the share of a limit at which its person wants to know.
type Alert func(domain.BudgetUse)

// Budgets count the calls that reach servers, by app and server, over the last hour.
type Budgets struct {
	now   func() time.Time
	alert Alert

	mu    sync.Mutex
	spent map[spender][]time.Time
	last  map[spender]domain.BudgetUse // limits and costs as they were at the last call
}

// spender is who uses a limit: an app, for one server or for all together ("").
type spender struct{ app, server string }

// NewBudgets has counted nothing yet. alert hears of each limit once, as often as its share is reached; it must not block.
func NewBudgets(now func() time.Time, alert Alert) *Budgets {
	return &Budgets{now: now, alert: alert, spent: make(map[spender][]time.Time), last: make(map[spender]domain.BudgetUse)}
}

// Stage refuses calls for which nothing is left, and counts the others. A later round of a call is part of it.
func (b *Budgets) Stage(wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			if budget := wanted(call).Budget; budget != nil && call.Continuation == nil {
				if err := b.take(call, *budget); err != nil {
					return refused(err)
				}
			}
			return next(ctx, call)
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
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.check(call, limits(call, *budget))
	}
}

// Uses say what was used of each limit in the last hour.
func (b *Budgets) Uses() []domain.BudgetUse {
	b.mu.Lock()
	defer b.mu.Unlock()
	uses := make([]domain.BudgetUse, 0, len(b.last))
	for who := range b.last {
		uses = append(uses, b.use(who))
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

// take counts a call for all its limits, or for none.
func (b *Budgets) take(call domain.Call, budget domain.Budget) error {
	most := limits(call, budget)
	b.mu.Lock()
	if err := b.check(call, most); err != nil {
		b.mu.Unlock()
		return err
	}
	var reached []domain.BudgetUse
	for who, limit := range most {
		b.spent[who] = append(b.spent[who], b.now())
		b.last[who] = domain.BudgetUse{App: who.app, Server: who.server, Limit: limit, Cost: budget.CostPerCall}
		if use := b.use(who); use.Used == int(math.Ceil(budget.AlertAt*float64(limit))) {
			reached = append(reached, use)
		}
	}
	b.mu.Unlock()
	for _, use := range reached {
		b.alert(use)
	}
	return nil
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
