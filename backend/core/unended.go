package core

import (
	"fmt"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
)

// endKilled tells the journal what ended with an earlier core: the approvals for its session, the requests that lapsed with it, and
// the calls that were in flight when it was killed, which get the outcome "unknown": without it they would look as if they ran for
// ever; and what config.toml changed meanwhile. It works once; calls that it fails for are tried again at the next start.
func (c *Core) endKilled() {
	c.killedOnce.Do(func() {
		c.recordAll(c.file.sinceLast)
		for _, approval := range c.endedApprovals {
			c.recordAll([]audit.Entry{audit.OfApproval(approval, domain.Caller{}, audit.DidEnd)})
		}
		for _, request := range c.lapsed {
			c.unanswered(request)
		}
		if err := c.endUpTo(c.journalAtOpen); err != nil {
			c.options.Logger.Error("end the calls that a killed Apollia left open in the journal", "error", err)
		}
	})
}

func (c *Core) endUpTo(last uint64) error {
	ended, err := c.store.AuditEnded()
	if err != nil || ended >= last {
		return err
	}
	open, err := c.audit.Unended(ended, last)
	if err != nil {
		return fmt.Errorf("look for open calls: %w", err)
	}
	for _, call := range open {
		call.Kind, call.Outcome, call.Code = audit.KindOutcome, audit.OutcomeUnknown, string(domain.CodeOutcomeUnknown)
		call.Arguments, call.Prior = nil, nil
		if err := c.record(call); err != nil {
			return err
		}
	}
	return c.store.SetAuditEnded(last)
}
