package audit

import (
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
	DidForgetAt = "tokens_revoked" // the other side took the tokens back, as it was asked to
)

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
