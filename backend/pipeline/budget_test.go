package pipeline

import (
	"encoding/json"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestBudgetBoundsTheCallsOfAnyHour(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	var alerts []domain.BudgetUse
	b := NewBudgets(func() time.Time { return now }, func(_ domain.Call, u domain.BudgetUse) { alerts = append(alerts, u) })
	want := wants(domain.Middleware{Budget: &domain.Budget{
		MaxCallsPerHour: 5, ServerLimits: map[string]int{"demo": 2, "shut": 0}, CostPerCall: 0.5, AlertAt: 0.8,
	}})
	end := &counter{}
	road := Build(end.call, Foresee(b.Check(want)), b.Stage(want))
	get := func(server string, code domain.Code) *domain.Error {
		t.Helper()
		call := resolved(domain.Writes)
		call.Target.Server.ID = server
		_, err := road(t.Context(), call)
		if domain.CodeOf(err) != code {
			t.Errorf("%s: got %v, want %q", server, err, code)
		}
		return domain.AsError(err)
	}
	get("demo", "")
	now = now.Add(time.Minute)
	get("demo", "")
	e := get("demo", domain.CodeBudgetSpent)
	if free := time.Unix(1_000_000, 0).Add(time.Hour).UTC().Format(time.RFC3339); e == nil || e.Args["free_at"] != free || e.Args["limit"] != "2" || !domain.Unsent(e) {
		t.Errorf("%+v", e)
	}
	get("shut", domain.CodeBudgetSpent)
	for range 3 {
		get("other", "")
	}
	get("other", domain.CodeBudgetSpent)
	if len(alerts) != 2 || alerts[0].Server != "demo" || alerts[0].Used != 2 || alerts[1].Server != "" || alerts[1].Used != 4 {
		t.Errorf("%+v", alerts)
	}
	uses := b.Uses()
	if len(uses) != 2 || uses[0].Used != 5 || uses[0].Cost != 2.5 || uses[0].App != "local" || uses[0].FreeAt == nil || uses[1].Used != 2 {
		t.Errorf("%+v", uses)
	}
	now = time.Unix(1_000_000, 0).Add(time.Hour) // the first is an hour ago
	get("demo", "")
	get("demo", domain.CodeBudgetSpent)
	if end.calls != 6 {
		t.Errorf("%d calls got through", end.calls)
	}
}

func TestBudgetIsOfTheAppAndCountsNoLaterRound(t *testing.T) {
	b := NewBudgets(time.Now, func(domain.Call, domain.BudgetUse) {})
	end := &counter{}
	road := Build(end.call, b.Stage(wants(domain.Middleware{Budget: &domain.Budget{MaxCallsPerHour: 1, AlertAt: 1}})))
	get := func(call domain.Call, code domain.Code) {
		t.Helper()
		if _, err := road(t.Context(), call); domain.CodeOf(err) != code {
			t.Errorf("got %v, want %q", err, code)
		}
	}
	get(resolved(domain.Reads), "")
	get(resolved(domain.Reads), domain.CodeBudgetSpent)
	app := resolved(domain.Reads)
	app.Caller = domain.Caller{Kind: domain.CallerApp, Name: "demo"}
	get(app, "")
	round := resolved(domain.Reads)
	round.Continuation = json.RawMessage(`"x"`)
	get(round, "")
}
