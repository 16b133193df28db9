package pipeline

import (
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Recall counts a call that reached its server before this program began, so that a new start gives nobody more. The oldest
// comes first, and all come before the first call.
func (b *Budgets) Recall(call domain.Call, at time.Time, wanted Middleware) {
	budget := wanted(call).Budget
	if budget == nil {
		return
	}
	call.Target = &domain.Target{Server: domain.Server{ID: call.Server}}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note(limits(call, *budget), *budget, at)
}

// Told recalls when a person was told last that a limit is used up soon.
func (b *Budgets) Told(app, server string, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told[spender{app, server}] = at
}
