package human

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/model"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/session"
)

// Model gives the texts that servers ask for.
type Model interface {
	// Ready fails as CreateMessage would before anything is sent.
	Ready(params json.RawMessage) error
	// CreateMessage gives the result of a sampling/createMessage.
	CreateMessage(ctx context.Context, params json.RawMessage) (json.RawMessage, model.Used, error)
}

// Book keeps what became of requests beside the desk at which a person is asked.
type Book interface {
	// Granted finds the approval of further texts for a server that asks in the session of a caller; false for none.
	Granted(server string, caller domain.Caller) (domain.Approval, bool, error)
	// Keep keeps a request that nobody is asked about, with its end.
	Keep(domain.Request) (domain.Request, error)
	// Fail says of a request that ended why nothing came of it.
	Fail(id string, why *domain.Error) error
}

// Texts counts what a server asked for in the last hour, and says how much it may.
func (h *Human) Texts(server string) (asked, most int) {
	return h.texts.asked.count(server), h.texts.most()
}

// sample has a person decide over a text, asks the model for it, and has the person see it where that was wanted.
func (h *Human) sample(ctx context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	ctx, leave := h.enter(ctx)
	defer leave()
	if err := h.admit(q); err != nil {
		return nil, refusalFor(err)
	}
	asked, err := h.agreed(ctx, q)
	if err == nil {
		err = h.mayGo(ctx, asked)
	}
	if err != nil {
		return nil, refusalFor(err)
	}
	raw, err := h.text(ctx, asked, q)
	if err != nil {
		return nil, refusalFor(err)
	}
	return raw, nil
}

// maxSampling bounds a request for a text, in bytes: pictures have room in it.
const maxSampling = 4 << 20

// admit refuses what cannot be had, before a person is bothered or anything is counted.
func (h *Human) admit(q session.Question) error {
	if h.options.Stopped() {
		return errStopped()
	}
	if len(q.Params) > maxSampling {
		return &domain.Error{
			Code: domain.CodeSamplingUnfit, Message: "the request has more than " + strconv.Itoa(maxSampling) + " bytes",
			Hint: "Ask for less at a time.", Args: map[string]string{"server": q.Server},
		}
	}
	if err := h.options.Model.Ready(q.Params); err != nil {
		return h.tellUnready(q, err)
	}
	return h.within(h.texts, requestOf(domain.SamplingRequest, q))
}

// tellUnready tells the person too what is missing on this side; not more often than a text may be asked for, since what is
// told stays.
func (h *Human) tellUnready(q session.Question, err error) error {
	if domain.CodeOf(err) == domain.CodeSamplingUnfit || !h.unready.take(q.Server, h.texts.most()) {
		return err
	}
	r := requestOf(domain.SamplingRequest, q)
	r.Status, r.Failure = domain.RequestLapsed, domain.AsError(err)
	_, kept := h.options.Book.Keep(r)
	return errors.Join(err, kept)
}

// agreed is a request that a person decided over, now or for the session.
func (h *Human) agreed(ctx context.Context, q session.Question) (domain.Request, error) {
	r := requestOf(domain.SamplingRequest, q)
	grant, ok, err := h.options.Book.Granted(r.Server, r.Caller)
	if err != nil {
		return r, err
	}
	if !ok {
		return h.ask(ctx, r, q)
	}
	r.Status = domain.RequestApproved
	r.Decision = domain.Decision{Verdict: domain.Allow, Because: policy.StandingApproval, Steps: []domain.DecisionStep{}}
	r.Answer = &domain.Answer{Approve: true, Scope: grant.Scope, Review: grant.Review, By: grant.Caller, At: h.options.Now()}
	return h.options.Book.Keep(r)
}

// mayGo says why something goes no further: nobody agreed to it, or all calls are stopped meanwhile.
func (h *Human) mayGo(ctx context.Context, r domain.Request) error {
	switch {
	case h.options.Stopped():
		return errStopped()
	case r.Answer == nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case r.Answer == nil:
		return &jsonrpc.Error{Code: codeRejected, Message: "nobody answered the sampling request"}
	case !r.Answer.Approve:
		return &jsonrpc.Error{Code: codeRejected, Message: "User rejected sampling request"}
	}
	return nil
}

// text is what the model gives, as the person wants it.
func (h *Human) text(ctx context.Context, asked domain.Request, q session.Question) (json.RawMessage, error) {
	raw, _, err := h.options.Model.CreateMessage(ctx, edited(asked, q.Params))
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, errors.Join(err, h.options.Book.Fail(asked.ID, failureOf(err)))
	}
	if !asked.Answer.Review {
		return raw, nil
	}
	shown := requestOf(domain.SamplingRequest, q)
	shown.TextFor, shown.Params = asked.ID, raw
	seen, err := h.ask(ctx, shown, q)
	if err == nil {
		err = h.mayGo(ctx, seen)
	}
	return edited(seen, raw), err
}

func edited(r domain.Request, params json.RawMessage) json.RawMessage {
	if r.Answer != nil && len(r.Answer.Params) > 0 {
		return r.Answer.Params
	}
	return params
}

// failureOf is an error for the person to see. One that has no code is the end of the call.
func failureOf(err error) *domain.Error {
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	return &domain.Error{Code: domain.CodeCanceled, Message: "the call ended before the model answered", Hint: "Make the call again.", Cause: err}
}

// refusalFor is what a server hears. Where the model is and what it said is for the person alone.
func refusalFor(err error) *jsonrpc.Error {
	if said, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return said
	}
	e := failureOf(err)
	said := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: wordsFor(e)}
	if e.Code == domain.CodeSamplingUnfit {
		said.Code = jsonrpc.CodeInvalidParams
	}
	said.Data = json.RawMessage(`{"code":` + strconv.Quote(string(e.Code)) + `}`)
	return said
}

func wordsFor(e *domain.Error) string {
	switch e.Code {
	case domain.CodeSamplingUnfit, domain.CodeSamplingLimit, domain.CodeElicitationLimit, domain.CodeCallsStopped, domain.CodeCanceled:
		return e.Message
	case domain.CodeModelNotSet:
		return "no model is set for sampling"
	case domain.CodeModelUnreachable:
		return "the model was not reached"
	case domain.CodeModelRefused:
		return "the model gave no text"
	}
	return "no text could be had"
}
