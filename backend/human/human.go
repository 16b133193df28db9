// Package human answers what servers ask of people: sampling, elicitation, roots, with their limits.
package human

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// codeRejected is the error of a sampling request that a person refused (MCP 2025-11-25, client/sampling).
const codeRejected = -1

// Desk is where a person is asked: the inbox.
type Desk interface {
	// Answer gives an answer that is not a person's: that of a server which knows that a page was done with.
	Answer(id string, a domain.Answer) (domain.Request, error)
	// Complete notes on a page that was opened that the server is content.
	Complete(id string) error
	// Park puts a request there and gives it back with its ID. Whoever parks one must call wait, which stays for the
	// answer at most that long (0: not at all, negative: until the context ends). The request that it gives has the
	// answer whenever there is one, with an error too.
	Park(domain.Request) (parked domain.Request, wait func(context.Context, time.Duration) (domain.Request, error), err error)
}

// Options are what a Human needs to know of the world. Without a Model no texts are offered, and what is for texts alone may
// be nil.
type Options struct {
	// Site is the URL from which a server answers, "" for a program; nil knows none.
	Site func(server string) string

	// Book keeps what became of what nobody was asked.
	Book Book
	// QuestionsPerHour is how many forms and pages a server may ask in an hour, TextsPerHour how many texts.
	QuestionsPerHour, TextsPerHour func() int
	// Now is the clock of the hour.
	Now func() time.Time

	// Model gives texts.
	Model Model
	// Stopped reports whether all calls are stopped: then nothing goes to a model. See Human.Stop.
	Stopped func() bool
}

// Human answers servers for a person. It is safe for concurrent use.
type Human struct {
	desk    Desk
	options Options
	pages   pages
	// texts and questions are what servers may ask for in an hour; unready are the texts of which the person was told that
	// there is no model.
	texts, questions quota
	unready          *hour
	halt             halt
}

// New makes the answerer of whoever sits at a desk.
func New(desk Desk, o Options) *Human {
	if o.Site == nil {
		o.Site = func(string) string { return "" }
	}
	return &Human{
		desk: desk, options: o, unready: newHour(o.Now),
		texts:     quota{newHour(o.Now), newHour(o.Now), o.TextsPerHour, tooManyTexts},
		questions: quota{newHour(o.Now), newHour(o.Now), o.QuestionsPerHour, tooManyQuestions},
	}
}

// Capabilities are what can be asked for.
func (h *Human) Capabilities() map[string]json.RawMessage {
	can := map[string]json.RawMessage{"elicitation": json.RawMessage(`{"form":{},"url":{}}`)}
	if h.options.Model != nil {
		can["sampling"] = json.RawMessage(`{"tools":{}}`)
	}
	return can
}

// Answer answers one request of a server: by the client whose call caused it, where that can answer, else by the person
// at the desk.
func (h *Human) Answer(ctx context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	if q.Call != nil && q.Call.Client != nil && q.Call.Client.Responds(q.Method, q.Params) {
		return relay(ctx, q)
	}
	switch q.Method {
	case session.MethodElicitation:
		return h.elicit(ctx, q)
	case session.MethodSampling:
		if h.options.Model != nil {
			return h.sample(ctx, q)
		}
	}
	return nil, transport.MethodNotFound(q.Method)
}

func relay(ctx context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	raw, err := q.Call.Client.Respond(ctx, q.Method, q.Params)
	if err == nil {
		return raw, nil
	}
	if said, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return nil, said
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// requestOf is what a person is asked on behalf of a server. Without a call it is not certain for whom that asks.
func requestOf(kind domain.RequestKind, q session.Question) domain.Request {
	r := domain.Request{
		Kind: kind, Server: q.Server, Params: q.Params, Caller: domain.Caller{Kind: domain.CallerServer, Name: q.Server, User: domain.LocalUser},
	}
	if q.Call != nil {
		r.Caller, r.CallID, r.CallKind, r.Tool = q.Call.Caller, q.Call.ID, q.Call.Kind, q.Call.Name
	}
	return r
}

// ask asks the person, as long as the call would wait for one; of a call that does not wait nobody is asked. The request
// that it gives has no answer when nobody gave any.
func (h *Human) ask(ctx context.Context, r domain.Request, q session.Question) (domain.Request, error) {
	return h.askWith(ctx, r, q, func(string) {})
}

// askWith asks as ask does, and tells the ID of the request once it is there.
func (h *Human) askWith(ctx context.Context, r domain.Request, q session.Question, asked func(id string)) (domain.Request, error) {
	if q.Call != nil && q.Call.Wait == 0 {
		return r, nil
	}
	parked, wait, err := h.desk.Park(r)
	if err != nil {
		return r, err
	}
	patience := time.Duration(-1)
	if q.Call != nil {
		patience = q.Call.Wait
		q.Call.Tell(domain.Notice{Kind: domain.NoticeQuestion, RequestID: parked.ID})
	}
	asked(parked.ID)
	ended, err := wait(ctx, patience)
	if ended.Status == domain.RequestApproved || ended.Status == domain.RequestDenied {
		return ended, nil
	}
	ended.Answer = nil
	return ended, nonAnswer(err)
}

// nonAnswer tells the ways in which nobody answers, which are none of the desk's failures, from those.
func nonAnswer(err error) error {
	switch domain.CodeOf(err) {
	case domain.CodeApprovalNeeded, domain.CodeApprovalExpired, domain.CodeCanceled, "":
		return nil
	}
	return err
}
