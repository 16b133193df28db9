package core_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// budgetLines are those that tell that a budget is used up soon.
func budgetLines(t *testing.T, c *core.Core) []audit.Entry {
	t.Helper()
	return slices.DeleteFunc(journalOf(t, c, 0), func(e audit.Entry) bool { return e.Kind != audit.KindBudget })
}

// What went to servers in the hour before counts after a new start, and the person is not told of it again.
func TestTheBudgetGoesOnOverANewStart(t *testing.T) {
	o := options(t, core.Serve)
	write(t, filepath.Join(o.Home, "config.toml"), "[middleware.budget]\nalert_at = 0.5\n[middleware.budget.server_limits]\nfake = 3\n")
	during(t, o, func(c *core.Core) {
		d := mcptest.Command(mcptest.Options{Name: "fake"})
		d.Name, d.DefaultVerdict, d.CacheableTools = "fake", domain.Allow, []string{"echo"}
		ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
		events, cancel := c.Subscribe()
		defer cancel()
		for _, message := range []string{"one", "one", "two"} { // the second is answered from the cache
			if call := end(t, c, echo(t, c, message)); call.Error != nil {
				t.Fatal(call.Error)
			}
		}
		wait(t, events, func() bool { return len(budgetLines(t, c)) == 1 })
		line := budgetLines(t, c)[0]
		if line.Outcome != audit.DidReach || line.Server != "fake" || line.Name != "local" || line.Detail != "2/3" || line.Caller.Kind != domain.CallerWindow {
			t.Errorf("%+v", line)
		}
	})
	c := open(t, o)
	used := func(want int) {
		t.Helper()
		uses := decode[api.PoolState](t, ask(t, window(c), http.MethodGet, "/api/pool", nil)).Budgets
		if len(uses) != 1 || uses[0].Used != want || uses[0].Limit != 3 {
			t.Errorf("%+v, want %d used", uses, want)
		}
	}
	used(2)
	if call := end(t, c, echo(t, c, "three")); call.Error != nil {
		t.Fatal(call.Error)
	}
	used(3)
	if call := end(t, c, echo(t, c, "four")); call.Error == nil || call.Error.Code != domain.CodeBudgetSpent {
		t.Errorf("the fourth call came to %v", call.Error)
	}
	if lines := budgetLines(t, c); len(lines) != 1 {
		t.Errorf("the person is told %d times", len(lines))
	}
	verified(t, c)
}

// A budget that is switched on while calls are made counts those of the hour before, each once.
func TestABudgetCountsTheHourBeforeIt(t *testing.T) {
	o := options(t, core.Serve)
	c := open(t, o)
	ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: free("fake", ""), SkipTest: true})
	for range 2 {
		if call := end(t, c, echo(t, c, "before")); call.Error != nil {
			t.Fatal(call.Error)
		}
	}
	write(t, filepath.Join(o.Home, "config.toml"), "[middleware.budget]\nmax_calls_per_hour = 3\n")
	mcptest.Eventually(t, "the budget counts", func() bool {
		uses := decode[api.PoolState](t, ask(t, window(c), http.MethodGet, "/api/pool", nil)).Budgets
		return len(uses) == 1 && uses[0].Used == 2
	})
	if call := end(t, c, echo(t, c, "third")); call.Error != nil {
		t.Fatal(call.Error)
	}
	if call := end(t, c, echo(t, c, "fourth")); call.Error == nil || call.Error.Code != domain.CodeBudgetSpent {
		t.Errorf("the fourth call came to %v", call.Error)
	}
}
