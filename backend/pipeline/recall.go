package pipeline

import (
	"time"

	"apollia.fr/connexions/backend/domain"
)

// RecallBy says how the calls and words of earlier are recalled: at the first call that a budget is for, or when somebody looks,
// so that it keeps no start waiting. recall is called until it returns true; it calls Recall and Told. Call RecallBy before any call.
func (b *Budgets) RecallBy(recall func() bool) { b.recall = recall }

// remember recalls what is to be recalled. The caller does not hold mu.
func (b *Budgets) remember() {
	b.recalling.Lock()
	defer b.recalling.Unlock()
	if b.recall != nil && b.recall() {
		b.recall = nil
	}
}

// Recall counts a call that reached its server before it was counted here, so that a new start gives nobody more. The oldest
// comes first.
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
