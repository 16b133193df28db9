package core

import (
	"fmt"
	"slices"
	"time"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/human"
	"apollia.fr/connexions/backend/session"
)

func (c *Core) humanOptions() human.Options {
	return human.Options{
		Site: c.siteOf, Book: texts{c}, Model: c.model, Stopped: c.callsStopped, Now: c.options.Now,
		TextsPerHour:     func() int { return c.number("sampling.per_hour") },
		QuestionsPerHour: func() int { return c.number("elicitation.per_hour") },
	}
}

// recall has the hours of servers and of budgets go on where the last core left them.
func (c *Core) recall() error {
	lately, err := c.inbox.List(domain.RequestFilter{Since: c.options.Now().Add(-time.Hour)})
	slices.Reverse(lately)
	c.human.Recall(lately)
	c.budgets.RecallBy(c.recallBudgets)
	return err
}

func (c *Core) callsStopped() bool {
	halt, _ := c.brake.Halt()
	return halt != nil
}

// fitsModel refuses, to the person who answers, a text that could not be asked for, or an edit of more than its words.
func (c *Core) fitsModel(r domain.Request, a domain.Answer) error {
	if a.Scope == domain.ScopeAlways {
		return &domain.Error{
			Code: domain.CodeInvalidInput, Message: "texts for a server are approved once or for a session, never for always",
			Hint: "Choose one of these.", Args: map[string]string{"field": "scope"},
		}
	}
	if c.callsStopped() {
		return &domain.Error{
			Code: domain.CodeCallsStopped, Message: "all calls are stopped", Hint: "Resume with: apollia resume-calls",
		}
	}
	params := r.Params
	if a.Params != nil {
		if err := human.CheckEdit(r, a.Params); err != nil {
			return err
		}
		params = a.Params
	}
	if r.TextFor != "" {
		return nil
	}
	return c.model.Ready(params)
}

// grant keeps that a person approved further texts for the session.
func (c *Core) grant(r domain.Request) error {
	a := r.Answer
	if a == nil || !a.Approve || a.Scope != domain.ScopeSession || r.TextFor != "" {
		return nil
	}
	server, err := c.servers.Get(r.Server)
	if err != nil {
		return fmt.Errorf("keep the approval of texts: %w", err)
	}
	approval, err := c.store.SaveApproval(domain.Approval{
		Scope: a.Scope, Caller: r.Caller, Server: r.Server, Kind: domain.SamplingAsk, Name: session.MethodSampling,
		StartDigest: server.StartDigest(), CreatedAt: a.At, Until: a.Until, Review: a.Review,
	}, func(approval domain.Approval) error {
		return c.record(audit.OfApproval(approval, a.By, audit.DidAdd))
	})
	if err != nil {
		return fmt.Errorf("keep the approval of texts: %w", err)
	}
	c.hub.Publish(domain.Event{Topic: domain.TopicApprovals, ID: approval.ID})
	if c.callsStopped() { // the stop may have come in between, and ended those that it found
		return c.endTexts(a.By)
	}
	return nil
}

// endTexts ends the approvals of texts, as somebody wants who stops all calls. It narrows, so a journal that cannot be written
// to does not hold it up.
func (c *Core) endTexts(by domain.Caller) error {
	var ended []audit.Entry
	err := c.store.DeleteApprovals(func(a domain.Approval) bool {
		ofText := a.Kind == domain.SamplingAsk
		if ofText {
			ended = append(ended, audit.OfApproval(a, by, audit.DidEnd))
		}
		return ofText
	})
	if err == nil {
		c.recordAll(ended)
	}
	c.hub.Publish(domain.Event{Topic: domain.TopicApprovals})
	return err
}

// texts keeps what became of the texts that servers asked for.
type texts struct{ core *Core }

// Granted finds the approval of further texts.
func (t texts) Granted(id string, caller domain.Caller) (domain.Approval, bool, error) {
	approvals, err := t.core.store.Approvals()
	if err != nil {
		return domain.Approval{}, false, err
	}
	approvals = slices.DeleteFunc(approvals, func(a domain.Approval) bool {
		over := a.Until != nil && !t.core.options.Now().Before(*a.Until)
		return a.Kind != domain.SamplingAsk || a.Server != id || a.Caller != caller || over
	})
	if len(approvals) == 0 {
		return domain.Approval{}, false, nil
	}
	server, err := t.core.servers.Get(id)
	if err != nil {
		return domain.Approval{}, false, err
	}
	at := slices.IndexFunc(approvals, func(a domain.Approval) bool { return a.StartDigest == server.StartDigest() })
	if at < 0 {
		return domain.Approval{}, false, nil
	}
	return approvals[at], true, nil
}

// Keep keeps a request that nobody is asked about, and journals it.
func (t texts) Keep(r domain.Request) (domain.Request, error) {
	kept, err := t.core.inbox.Keep(r)
	if err != nil {
		return kept, err
	}
	if r.Status != domain.RequestApproved {
		return kept, t.core.record(audit.OfUnanswered(kept))
	}
	return kept, t.core.record(audit.Entry{
		Kind: audit.KindAnswer, Caller: r.Caller, Server: r.Server, CallKind: r.CallKind, Name: r.Tool, RequestID: kept.ID,
		RequestKind: r.Kind, Because: r.Decision.Because, Outcome: string(r.Status),
	})
}

// Fail says of a request that ended why nothing came of it.
func (t texts) Fail(id string, why *domain.Error) error { return t.core.inbox.Fail(id, why) }
