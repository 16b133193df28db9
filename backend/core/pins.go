package core

import (
	"fmt"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/servers"
)

func (c *Core) pinOptions() pins.Options {
	return pins.Options{
		Records: c.store, Desk: c.inbox, Requests: c.inbox.List, EndApprovals: c.endApprovals,
		Publish: c.hub.Publish, Now: c.options.Now, Logger: c.options.Logger,
	}
}

// endApprovals ends the standing approvals of a tool that is no longer what was approved, and says whose they were.
func (c *Core) endApprovals(server, tool string) ([]domain.Caller, error) {
	approvals, err := c.store.Approvals()
	if err != nil {
		return nil, fmt.Errorf("list the approvals: %w", err)
	}
	var whose []domain.Caller
	for _, a := range approvals {
		if a.Server != server || a.Kind != domain.ToolCall || a.Name != tool {
			continue
		}
		by := domain.Caller{Kind: domain.CallerServer, Name: server, User: domain.LocalUser}
		if err := c.record(audit.OfApproval(a, by, audit.DidEnd)); err != nil {
			return whose, err
		}
		if err := c.store.DeleteApproval(a.ID); err != nil {
			return whose, fmt.Errorf("end the approval %s: %w", a.ID, err)
		}
		c.hub.Publish(domain.Event{Topic: domain.TopicApprovals, ID: a.ID})
		whose = append(whose, a.Caller)
	}
	return whose, nil
}

// answered does what an answer allows, before anybody sees the answer. What a crash keeps it from is done at the next start.
func (c *Core) answered(r domain.Request) error {
	switch {
	case pins.Concerns(r):
		return c.pins.Settle(r)
	case servers.IsSetup(r):
		if err := c.servers.DecideSetup(r); err != nil {
			return err
		}
		return c.servers.Sync()
	}
	return nil
}
