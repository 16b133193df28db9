package core

import (
	"time"

	"apollia.fr/connexions/backend/domain"
)

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
	if audit := c.middlewareFor(call).AuditCalls; audit != nil && audit.LogParams {
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

// budgetAlert tells that a budget is used up soon.
func (c *Core) budgetAlert(use domain.BudgetUse) {
	c.options.Logger.Warn("a budget is used up soon", "app", use.App, "server", use.Server, "used", use.Used, "limit", use.Limit)
	c.hub.Publish(domain.Event{Topic: domain.TopicStatus})
}
