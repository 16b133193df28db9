package core

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/human"
	"apollia.fr/connexions/backend/inbox"
	"apollia.fr/connexions/backend/pipeline"
)

// answer gives a person's decision to the inbox. The first answer wins. Edited params that could not be sent are refused to
// the person who edits: an approval with them would be of no use.
func (c *Core) answer(id string, a domain.Answer) (domain.Request, error) {
	request, err := c.inbox.Get(id)
	if err != nil {
		return request, err
	}
	a.Review = a.Review && request.Kind == domain.SamplingRequest && request.TextFor == ""
	if a.Approve && request.Status == domain.RequestWaiting {
		if err := c.fits(request, a); err != nil {
			return request, err
		}
	}
	return c.inbox.Answer(id, a)
}

// answering journals an answer and keeps the standing approval that it makes, before anybody gets it: what a person was told
// to have decided is never lost.
func (c *Core) answering(r domain.Request) error {
	a := *r.Answer
	entry := audit.Entry{
		Kind: audit.KindAnswer, Caller: a.By, Server: r.Server, CallID: r.CallID, CallKind: r.CallKind, Name: r.Tool,
		RequestID: r.ID, RequestKind: r.Kind, Scope: a.Scope, ArgumentsDigest: r.ArgumentsDigest, Outcome: string(r.Status),
	}
	if a.Params != nil {
		entry.Detail, entry.ArgumentsDigest = "edited", domain.Call{Kind: r.CallKind, Params: a.Params}.ArgumentsDigest()
	}
	if err := c.record(entry); err != nil {
		return err
	}
	if a.Cancel && r.CallID != "" {
		c.brake.Cancel(r.CallID) // first, or the server might make something of the answer and be done
	}
	return c.stand(r)
}

// unanswered journals that a request ends without an answer, before it does. It narrows, so a journal that cannot be written to
// does not hold it up.
func (c *Core) unanswered(r domain.Request) { c.recordAll([]audit.Entry{audit.OfUnanswered(r)}) }

// fits refuses, to the person who answers, what could not be sent.
func (c *Core) fits(r domain.Request, a domain.Answer) error {
	switch {
	case r.Kind == domain.ToolRequest && a.Params != nil:
		return c.servers.Fits(domain.Call{Kind: r.CallKind, Server: r.Server, Name: r.Tool, Params: a.Params})
	case r.Kind == domain.SamplingRequest:
		return c.fitsModel(r, a)
	case r.Kind == domain.ElicitationFormRequest:
		_, err := human.Content(r.Params, a.Data)
		return err
	}
	return nil
}

// record writes into the journal and tells those who look at it.
func (c *Core) record(e audit.Entry) error {
	if c.options.Role == Command && e.Kind == audit.KindIntent {
		c.endKilled() // a long-lived owner does so in the background
	}
	written, err := c.audit.Append(e)
	if err != nil {
		return err
	}
	c.last.note(written)
	c.hub.Publish(domain.Event{Topic: domain.TopicActivity})
	return nil
}

// keepJournal is for how many days the journal is kept.
func (c *Core) keepJournal() int { return c.number("audit.keep_days") }

// number reads a setting that is a whole number.
func (c *Core) number(key string) int {
	n, _ := strconv.Atoi(c.setting(key)) // the table of settings lets no other text in
	return n
}

// stand keeps what a person approved for longer than one call.
func (c *Core) stand(r domain.Request) error {
	if r.Kind == domain.SamplingRequest {
		return c.grant(r)
	}
	a := r.Answer
	if a == nil || !a.Approve || r.Kind != domain.ToolRequest || a.Scope != domain.ScopeSession && a.Scope != domain.ScopeAlways {
		return nil
	}
	approval, err := c.store.SaveApproval(domain.Approval{
		Scope: a.Scope, Caller: r.Caller, Server: r.Server, Kind: r.CallKind, Name: r.Tool,
		DefinitionDigest: r.DefinitionDigest, StartDigest: r.StartDigest, CreatedAt: a.At, Until: a.Until,
	}, func(approval domain.Approval) error {
		return c.record(audit.OfApproval(approval, a.By, audit.DidAdd))
	})
	if err != nil {
		return fmt.Errorf("keep the approval: %w", err)
	}
	c.hub.Publish(domain.Event{Topic: domain.TopicApprovals, ID: approval.ID})
	return nil
}

// endSessions drops the approvals "for this session" of an earlier run.
func (c *Core) endSessions() error {
	approvals, err := c.store.Approvals()
	if err != nil {
		return fmt.Errorf("list the approvals: %w", err)
	}
	ofSession := func(a domain.Approval) bool { return a.Scope == domain.ScopeSession }
	if !slices.ContainsFunc(approvals, ofSession) {
		return nil // no write, so nothing to wait for on the way to ready
	}
	if err := c.store.DeleteApprovals(ofSession); err != nil {
		return fmt.Errorf("end the approvals of the last session: %w", err)
	}
	c.endedApprovals = slices.DeleteFunc(approvals, func(a domain.Approval) bool { return !ofSession(a) })
	return nil
}

// desk asks a person through the inbox on behalf of the pipeline and of servers.
type desk struct {
	*inbox.Inbox
	answer func(id string, a domain.Answer) (domain.Request, error)
}

// Answer gives an answer to the inbox, and into the journal.
func (d desk) Answer(id string, a domain.Answer) (domain.Request, error) { return d.answer(id, a) }

// Park puts a request into the inbox and takes a seat to wait for its answer.
func (d desk) Park(r domain.Request) (domain.Request, func(context.Context, time.Duration) (domain.Request, error), error) {
	seat, err := d.Inbox.Park(r)
	if err != nil {
		return domain.Request{}, nil, err
	}
	return seat.Request, seat.Wait, nil
}

// journal writes what the pipeline records into the audit log.
type journal struct {
	record func(audit.Entry) error
	// whole says whether a person wants the arguments of calls in the journal, not only their digest.
	whole func(domain.Call) bool
}

func (j journal) Intent(call domain.Call) error {
	entry := entryOf(audit.KindIntent, call)
	if j.whole(call) {
		entry.Arguments = call.Arguments()
	}
	return unsealed(j.record(entry))
}

// Verdict tells what the rules decided, before anything follows from it.
func (j journal) Verdict(call domain.Call, d domain.Decision) error {
	return unsealed(j.record(decided(entryOf(audit.KindVerdict, call), &d)))
}

func decided(e audit.Entry, d *domain.Decision) audit.Entry {
	if d == nil {
		return e
	}
	e.Verdict, e.Because = d.Verdict.String(), d.Because
	if d.Rule != nil {
		e.RuleID = d.Rule.ID
	}
	for _, step := range d.Steps {
		if step.Deciding && e.RuleID == "" {
			e.RuleID = step.RuleID
		}
	}
	return e
}

func (j journal) Outcome(call domain.Call, o pipeline.Outcome) error {
	entry := decided(entryOf(audit.KindOutcome, call), o.Decision)
	entry.DurationMS = o.Duration.Milliseconds()
	entry.RequestID, entry.Unsent = o.RequestID, !o.Sent
	entry.Outcome, entry.Code = outcomeOf(o)
	if o.Result != nil {
		entry.Bytes = int64(len(o.Result.Raw))
	}
	return j.record(entry)
}

func entryOf(kind audit.Kind, call domain.Call) audit.Entry {
	return audit.Entry{
		Kind: kind, CallID: call.ID, Caller: call.Caller, Server: call.Server, CallKind: call.Kind, Name: call.Name,
		ArgumentsDigest: call.ArgumentsDigest(),
	}
}

// outcomeOf names how a call ended, with the code of its failure.
func outcomeOf(o pipeline.Outcome) (outcome, code string) {
	if o.Err == nil {
		if o.Result != nil && o.Result.IsError() {
			return audit.OutcomeToolError, ""
		}
		return audit.OutcomeOK, ""
	}
	failure := domain.CodeOf(o.Err)
	switch {
	case failure.Class() == domain.Refused:
		outcome = audit.OutcomeRefused
	case failure == domain.CodeCanceled && !o.Sent:
		outcome = audit.OutcomeCanceled
	case o.Sent && (failure == domain.CodeCanceled || failure == domain.CodeCallTimeout || failure == domain.CodeOutcomeUnknown):
		outcome = audit.OutcomeUnknown // it may have run
	default:
		outcome = audit.OutcomeError
	}
	return outcome, string(failure)
}
