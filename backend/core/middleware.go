package core

import (
	"errors"
	"slices"
	"time"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/servers"
)

// openStages makes what the stages between callers and servers remember.
func (c *Core) openStages() {
	now := c.options.Now
	c.kept, c.turns = pipeline.NewKept(now), pipeline.NewKept(now)
	c.contexts = pipeline.NewContexts(now, servers.LooksSecret)
	c.shelf = newShelfOfTools(c)
	c.searches = pipeline.NewSearches(c.shelf.index.Alike)
	c.breakers, c.budgets = pipeline.NewBreakers(now, c.breakerChanged), pipeline.NewBudgets(now, c.budgetAlert)
}

// cacheFor is how answers are kept for the app of a call. [cache] is for the window, the command line and clients.
func (c *Core) cacheFor(call domain.Call) domain.Cache {
	if call.Caller.Kind == domain.CallerApp {
		return domain.DefaultCache()
	}
	file, _ := c.file.get()
	return file.Cache
}

// middlewareFor says which stages act on a call: [middleware.…] is for the same.
func (c *Core) middlewareFor(call domain.Call) domain.Middleware {
	if call.Caller.Kind == domain.CallerApp {
		return domain.Middleware{}
	}
	file, _ := c.file.get()
	return file.Middleware
}

// wholeArguments says whether the journal holds the arguments of a call, not only their digest.
func (c *Core) wholeArguments(call domain.Call) bool {
	if lines := c.middlewareFor(call).AuditCalls; lines != nil && lines.LogParams {
		return true
	}
	return c.setting("audit.arguments") == "true"
}

// limits are how long a call may show no progress and take in all; the app's own can only be shorter.
func (c *Core) limits(call domain.Call) (idle, most time.Duration) {
	idle, most = c.duration("call_idle_timeout"), c.duration("call_max_time")
	if own := c.middlewareFor(call).Timeout; own != nil {
		most = min(most, own.Limit)
	}
	return idle, most
}

// breakerChanged hears of a server that is left alone, or called again.
func (c *Core) breakerChanged(server string) {
	c.hub.Publish(domain.Event{Topic: domain.TopicServers, ID: server})
}

// budgetAlert tells that a budget is used up soon: the log, the journal, and by it those who look at it.
func (c *Core) budgetAlert(call domain.Call, use domain.BudgetUse) {
	log := c.options.Logger.With("app", use.App, "server", use.Server, "used", use.Used, "limit", use.Limit)
	log.Warn("a budget is used up soon")
	if err := c.record(audit.OfBudget(call, use)); err != nil {
		log.Error("record that a budget is used up soon", "error", err)
	}
}

// recallBudgets has the budgets of the hour go on where the last core left them, and counts what was called before there was one:
// the journal knows which calls went to servers. It says whether it did: without a budget it waits for one.
func (c *Core) recallBudgets() bool {
	if c.middlewareFor(domain.Call{}).Budget == nil {
		return false // the journal of a busy hour is long
	}
	since := c.options.Now().Add(-time.Hour)
	sent, err := c.audit.Sent(since, c.journalAtOpen)
	for _, e := range sent {
		c.budgets.Recall(domain.Call{Server: e.Server, Caller: e.Caller}, e.At, c.middlewareFor)
	}
	told, failure := c.audit.Read(audit.Query{Kind: audit.KindBudget, Since: since})
	for _, e := range slices.Backward(told) {
		c.budgets.Told(e.Name, e.Server, e.At)
	}
	if err := errors.Join(err, failure); err != nil {
		c.options.Logger.Error("count the calls of the last hour", "error", err)
	}
	return true
}
