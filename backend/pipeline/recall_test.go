package pipeline

import (
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// budgetBench is a budget with a clock of its own, before an end that counts.
type budgetBench struct {
	t      *testing.T
	end    counter
	now    time.Time
	told   []domain.BudgetUse
	want   Middleware
	budget domain.Budget
	b      *Budgets
}

func newBudgetBench(t *testing.T, budget domain.Budget) *budgetBench {
	b := &budgetBench{t: t, now: time.Unix(1_000_000, 0), budget: budget}
	b.want = func(domain.Call) domain.Middleware { return domain.Middleware{Budget: &b.budget} }
	b.start()
	return b
}

// start is a new start of the program.
func (b *budgetBench) start() {
	b.b = NewBudgets(func() time.Time { return b.now }, func(_ domain.Call, u domain.BudgetUse) { b.told = append(b.told, u) })
}

func (b *budgetBench) call(code domain.Code) {
	b.t.Helper()
	_, err := Build(b.end.call, Foresee(b.b.Check(b.want)), b.b.Stage(b.want))(b.t.Context(), resolved(domain.Writes))
	if domain.CodeOf(err) != code {
		b.t.Errorf("got %v, want %q", err, code)
	}
}

func (b *budgetBench) wantUsed(used int) {
	b.t.Helper()
	got := 0
	if uses := b.b.Uses(); len(uses) == 1 {
		got = uses[0].Used
	}
	if got != used {
		b.t.Errorf("%d are counted, want %d", got, used)
	}
}

func TestABudgetGoesOnOverANewStart(t *testing.T) {
	b := newBudgetBench(t, domain.Budget{ServerLimits: map[string]int{"demo": 3}, AlertAt: 0.5})
	past := domain.Call{Server: "demo", Caller: domain.Caller{Kind: domain.CallerCLI}}
	b.b.Recall(past, b.now.Add(-59*time.Minute), b.want)
	b.b.Recall(past, b.now.Add(-time.Minute), b.want)
	b.b.Recall(domain.Call{Server: "other"}, b.now, b.want) // without a limit
	b.b.Recall(domain.Call{Server: "demo", Caller: domain.Caller{Kind: domain.CallerApp, Name: "a"}}, b.now.Add(-2*time.Hour), b.want)
	b.b.Told("local", "demo", b.now.Add(-time.Minute))
	b.wantUsed(2)
	b.call("")
	b.call(domain.CodeBudgetSpent)
	if len(b.told) != 0 {
		t.Errorf("the person is told once more: %+v", b.told)
	}
	b.now = b.now.Add(2 * time.Minute)
	b.call("")
	b.call(domain.CodeBudgetSpent)
}

// What did not reach its server counts for nothing, and nothing is given back twice.
func TestACallThatWasNotSentIsGivenBack(t *testing.T) {
	b := newBudgetBench(t, domain.Budget{ServerLimits: map[string]int{"demo": 2}, AlertAt: 1})
	b.call("")
	for _, err := range []*domain.Error{{Code: domain.CodeConnRefused}, {Code: domain.CodeBreakerOpen, Cause: domain.ErrUnsent}} {
		b.end.err = err
		b.call(err.Code)
		b.wantUsed(1)
	}
	b.end.err = &domain.Error{Code: domain.CodeConnClosed} // it may have run
	b.call(domain.CodeConnClosed)
	b.wantUsed(2)
	b.call(domain.CodeBudgetSpent)
}

// At the share of a limit a person is told once in an hour, also where the limit became smaller than what was used.
func TestTheShareOfALimitIsToldOnceInAnHour(t *testing.T) {
	b := newBudgetBench(t, domain.Budget{MaxCallsPerHour: 100, AlertAt: 0.55})
	for range 54 {
		b.call("")
	}
	if len(b.told) != 0 {
		t.Fatalf("told too early: %+v", b.told)
	}
	for range 10 {
		b.call("")
	}
	if len(b.told) != 1 || b.told[0].Used != 55 || b.told[0].Limit != 100 || b.told[0].App != "local" {
		t.Fatalf("%+v", b.told)
	}
	b.start()
	b.told = nil
	for range 5 {
		b.call("")
	}
	b.budget.MaxCallsPerHour = 6
	b.call("")
	if len(b.told) != 1 || b.told[0].Used != 6 {
		t.Errorf("a smaller limit is not told: %+v", b.told)
	}
}

func TestWhatIsNotUsedAnyMoreIsForgotten(t *testing.T) {
	b := newBudgetBench(t, domain.Budget{ServerLimits: map[string]int{"demo": 1}, AlertAt: 1})
	b.call("")
	b.now = b.now.Add(time.Hour)
	b.wantUsed(0)
	if len(b.b.spent)+len(b.b.last)+len(b.b.told) != 0 {
		t.Errorf("%v, %v, %v are left", b.b.spent, b.b.last, b.b.told)
	}
}

func TestWhatWasBeforeIsRecalledOnce(t *testing.T) {
	b := newBudgetBench(t, domain.Budget{ServerLimits: map[string]int{"demo": 2}, AlertAt: 1})
	asked, ready := 0, false
	b.b.RecallBy(func() bool {
		asked++
		if ready {
			b.b.Recall(domain.Call{Server: "demo"}, b.now, b.want)
		}
		return ready
	})
	b.wantUsed(0)
	ready = true
	b.call("")
	b.wantUsed(2)
	b.call(domain.CodeBudgetSpent)
	if asked != 2 {
		t.Errorf("it is asked %d times", asked)
	}
}
