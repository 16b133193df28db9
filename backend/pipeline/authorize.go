package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/policy"
)

// Rules gives the rules in force for a call.
type Rules func(domain.Call) (policy.Rules, error)

// WriteVerdict puts into the journal what the rules decided about a call, before anything follows from it: a verdict that
// cannot be written lets nothing through.
type WriteVerdict func(domain.Call, domain.Decision) error

// Asker asks a person about a call.
type Asker interface {
	// Park stores the request and gives it back with its ID. Whoever parks one must call wait, which stays for the
	// answer at most that long (0: not at all, negative: until the context ends) and gives the approved request, spent
	// on this call. Every other end is an error, such as CodeApprovalNeeded, CodeApprovalDenied or CodeCanceled.
	Park(domain.Request) (parked domain.Request, wait func(context.Context, time.Duration) (domain.Request, error), err error)
	// TakePass spends an approval that was given for the identical call: same caller (kind, name, user), server, kind,
	// name, and digests of definition, start and arguments.
	TakePass(domain.Request) (domain.Request, bool, error)
	// ReturnPass makes a spent approval usable again, since its call was not sent.
	ReturnPass(id string) error
}

// Verdict is what the policy says of a call that goes to target. Calling and listing both ask it, so that what a call
// would refuse is not listed.
func Verdict(call domain.Call, target domain.Target, rules policy.Rules) domain.Decision {
	return policy.Decide(policy.Question{
		Server: target.Server, Module: naming.Module(target.Server.ID), Kind: call.Kind, Name: call.Name, Caller: call.Caller, Effect: target.Effect,
		DefinitionDigest: target.DefinitionDigest, StartDigest: target.Server.StartDigest(),
		Held: target.Held,
	}, rules)
}

// Authorize lets through what the policy allows and what a person approves. It belongs after Resolve and before every
// stage that answers or touches the world. It tells NoticeDecided, and NoticeWaiting while a person is asked.
//
// An approval holds for the very call it was given for. After the wait the target is resolved and the rules are asked
// again: edited params must fit, and what changed or was denied meanwhile is refused. An approval whose call was not
// sent is given back. Keeping a standing approval is the business of whoever takes the person's answer, since the
// caller may be gone by then.
func Authorize(rules Rules, lookup Lookup, inbox Asker, write WriteVerdict) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return authorizer{rules, lookup, inbox, write, next}.call
	}
}

type authorizer struct {
	rules  Rules
	lookup Lookup
	inbox  Asker
	write  WriteVerdict
	next   domain.CallFunc
}

func (a authorizer) call(ctx context.Context, call domain.Call) (domain.Result, error) {
	decision, err := a.decide(call)
	if err == nil {
		err = a.record(call, decision)
	}
	if err != nil {
		return refused(err)
	}
	switch decision.Verdict {
	case domain.Allow:
		tellDecision(call, decision, "")
		return a.next(ctx, call)
	case domain.Deny:
		tellDecision(call, decision, "")
		return refused(denied(call, decision))
	default:
		return a.ask(ctx, call, decision)
	}
}

func (a authorizer) decide(call domain.Call) (domain.Decision, error) {
	if call.Target == nil {
		return domain.Decision{}, errors.New("authorize call: it was not resolved")
	}
	rules, err := a.rules(call)
	if err != nil {
		return domain.Decision{}, fmt.Errorf("read rules: %w", err)
	}
	return Verdict(call, *call.Target, rules), nil
}

// StillAllowed says why a call that was let through may not be made any more: a rule forbids it now. It is for what makes a call
// again after a while. What a person was asked, they are not asked again.
func StillAllowed(rules Rules) func(domain.Call) error {
	return func(call domain.Call) error {
		now, err := rules(call)
		if err != nil {
			return fmt.Errorf("read rules: %w", err)
		}
		if decision := Verdict(call, *call.Target, now); decision.Verdict == domain.Deny {
			return denied(call, decision)
		}
		return nil
	}
}

func (a authorizer) record(call domain.Call, decision domain.Decision) error {
	if err := a.write(call, decision); err != nil {
		return fmt.Errorf("record verdict: %w", err)
	}
	return nil
}

func (a authorizer) ask(ctx context.Context, call domain.Call, decision domain.Decision) (domain.Result, error) {
	approved, err := a.approval(ctx, call, decision)
	if err != nil {
		return refused(canceled(ctx, err))
	}
	if approved.Status != domain.RequestApproved || approved.Answer == nil || !approved.Answer.Approve {
		return refused(fmt.Errorf("ask a person: request %s is %q, not approved", approved.ID, approved.Status))
	}
	var way crossing
	result, err := a.proceed(ctx, hear(call, way.hear), approved)
	if way.sent(err) {
		return result, err
	}
	if failure := a.inbox.ReturnPass(approved.ID); failure != nil {
		err = errors.Join(err, fmt.Errorf("return approval: %w", failure))
	}
	return result, err
}

// approval takes a pass for the call, or waits for a person.
func (a authorizer) approval(ctx context.Context, call domain.Call, decision domain.Decision) (domain.Request, error) {
	request := requestFor(call, decision)
	pass, found, err := a.inbox.TakePass(request)
	if err != nil {
		return pass, fmt.Errorf("look for an approval: %w", err)
	}
	tellDecision(call, decision, pass.ID)
	if found {
		return pass, nil
	}
	parked, wait, err := a.inbox.Park(request)
	if err != nil {
		return parked, fmt.Errorf("ask a person: %w", err)
	}
	call.Tell(domain.Notice{Kind: domain.NoticeWaiting, RequestID: parked.ID})
	return wait(ctx, call.Wait)
}

// proceed makes the approved call, if it is still the one that was approved.
func (a authorizer) proceed(ctx context.Context, call domain.Call, approved domain.Request) (domain.Result, error) {
	edited := approved.Answer.Params
	if edited != nil {
		call.Params = edited
	}
	call, err := resolve(ctx, a.lookup, call)
	if err != nil {
		return refused(err)
	}
	if call.Target.DefinitionDigest != approved.DefinitionDigest || call.Target.Server.StartDigest() != approved.StartDigest {
		return refused(changed(call, approved))
	}
	decision, err := a.decide(call)
	if err != nil {
		return refused(err)
	}
	if decision.Verdict == domain.Deny {
		if err := a.record(call, decision); err != nil {
			return refused(err)
		}
		tellDecision(call, decision, approved.ID)
		return refused(denied(call, decision))
	}
	result, err := a.next(ctx, call)
	result.Meta.EditedParams = edited
	return result, err
}

func requestFor(call domain.Call, decision domain.Decision) domain.Request {
	return domain.Request{
		Kind: domain.ToolRequest, Status: domain.RequestWaiting, Server: call.Server, Caller: call.Caller,
		Tool: call.Name, CallKind: call.Kind, Params: call.Params, ArgumentsDigest: call.ArgumentsDigest(),
		DefinitionDigest: call.Target.DefinitionDigest, StartDigest: call.Target.Server.StartDigest(),
		Effect: call.Target.Effect, Decision: decision,
	}
}

func tellDecision(call domain.Call, decision domain.Decision, requestID string) {
	call.Tell(domain.Notice{Kind: domain.NoticeDecided, Decision: &decision, RequestID: requestID})
}

func denied(call domain.Call, decision domain.Decision) error {
	if decision.Because == policy.HeldDefinition {
		return held(call)
	}
	args := map[string]string{"server": call.Server, "kind": string(call.Kind), "name": call.Name, "because": decision.Because}
	if rule := decision.Rule; rule != nil {
		args["rule"], args["source"] = rule.ID, string(rule.Source)
		if rule.Line > 0 {
			args["line"] = strconv.Itoa(rule.Line)
		}
	}
	return &domain.Error{
		Code:    domain.CodeDenied,
		Message: fmt.Sprintf("the policy forbids %s on %s", call.Name, call.Target.Server.Name),
		Hint:    fmt.Sprintf("See which rule decided with: apollia policy explain %s.%s", call.Server, call.Name),
		Args:    args,
	}
}

func changed(call domain.Call, approved domain.Request) error {
	return &domain.Error{
		Code:    domain.CodeApprovalExpired,
		Message: fmt.Sprintf("%s on %s changed since it was approved", call.Name, call.Target.Server.Name),
		Hint:    "Make the call again to ask again.",
		Args:    map[string]string{"server": call.Server, "tool": call.Name, "request_id": approved.ID, "problem": "definition_changed"},
	}
}
