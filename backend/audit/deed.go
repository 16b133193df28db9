package audit

import (
	"fmt"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// What a line says was done when it is about no call. The outcome of an answer is the domain.RequestStatus that it led to.
const (
	DidAdd      = "added"
	DidChange   = "changed"
	DidRemove   = "removed"
	DidRestore  = "restored"
	DidEnable   = "enabled"
	DidDisable  = "disabled"
	DidConnect  = "connected"
	DidClose    = "disconnected"
	DidReopen   = "reconnected"
	DidRoots    = "roots_changed" // the folders that a server is told of
	DidRevoke   = "revoked"
	DidEnd      = "ended" // by itself: its time or its session was over, or its tool changed
	DidRenew    = "renewed"
	DidAccept   = "loss_accepted"
	DidStop     = "stopped"
	DidResume   = "resumed"
	DidBegin    = "begun"
	DidSignIn   = "signed_in"
	DidGiveUp   = "given_up"
	DidSignOut  = "signed_out"
	DidReach    = "reached"        // the share of a budget at which its person wants to know
	DidForgetAt = "tokens_revoked" // the other side took the tokens back, as it was asked to
)

// Why a request ended by itself: the detail of its line.
const (
	WhyNoAnswer = "no_answer"  // nobody answered in time
	WhyNotUsed  = "not_used"   // it was approved, and nobody made the call in time
	WhyWaitOver = "wait_over"  // the wait of whoever asked, or its session, is over
	WhyOutdated = "outdated"   // what it asks about has changed since, or is gone
	WhyLimit    = "over_limit" // nobody was asked: its server had asked as much as it may in an hour
	WhyModel    = "no_model"   // nobody was asked: there is no model to give the text
)

// OfUnanswered is the line of a request that ended by itself; its caller is whose it was.
func OfUnanswered(r domain.Request) Entry {
	e := Entry{
		Kind: KindRequest, Caller: r.Caller, Server: r.Server, CallID: r.CallID, CallKind: r.CallKind, Name: r.Tool, RequestID: r.ID,
		RequestKind: r.Kind, ArgumentsDigest: r.ArgumentsDigest, Outcome: string(r.Status), Detail: WhyWaitOver,
	}
	if r.Failure != nil {
		e.Code = string(r.Failure.Code)
	}
	switch {
	case e.Code == string(domain.CodeSamplingLimit), e.Code == string(domain.CodeElicitationLimit):
		e.Detail = WhyLimit
	case e.Code != "":
		e.Detail = WhyModel
	case r.Status == domain.RequestExpired && r.Answer != nil:
		e.Detail = WhyNotUsed
	case r.Status == domain.RequestExpired:
		e.Detail = WhyNoAnswer
	case r.Kind == domain.DefinitionRequest:
		e.Detail = WhyOutdated
	}
	return e
}

// OfApproval is the line of a standing approval that somebody made or ended.
func OfApproval(a domain.Approval, by domain.Caller, did string) Entry {
	return Entry{
		Kind: KindApproval, Caller: by, Server: a.Server, CallKind: a.Kind, Name: a.Name, RuleID: a.ID, Scope: a.Scope,
		Verdict: domain.Allow.String(), Detail: a.Caller.Name, Outcome: did,
	}
}

// OfRule is the line of a rule that somebody made or removed.
func OfRule(r domain.Rule, by domain.Caller, did string) Entry {
	return Entry{
		Kind: KindRule, Caller: by, Server: r.Server, Name: strings.Join(r.Actions, ", "), RuleID: r.ID, Verdict: r.Verdict.String(),
		Detail: r.Client, Outcome: did,
	}
}

// OfBudget is the line of a call that brought its app close to the end of a budget. It holds the app's name, and how much of the
// limit is used.
func OfBudget(call domain.Call, use domain.BudgetUse) Entry {
	return Entry{
		Kind: KindBudget, Caller: call.Caller, Server: use.Server, CallID: call.ID, Name: use.App,
		Detail: fmt.Sprintf("%d/%d", use.Used, use.Limit), Outcome: DidReach,
	}
}
