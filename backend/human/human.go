// Package human answers what servers ask of people: sampling, elicitation, roots, with their limits.
package human

import (
	"context"
	"encoding/json"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/schema"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// Action is what became of a form (MCP 2025-11-25, client/elicitation).
type Action string

// A person fills a form in, says no, or closes it without an answer.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
)

// codeRejected is the error of a sampling request that a person refused (MCP 2025-11-25, client/sampling).
const codeRejected = -1

// Form is what a server wants to know.
type Form struct {
	// Server is the id of the server that asks, Call the call that it asks for; nil when that is not certain.
	Server string
	Call   *domain.Call
	// Message is the server's own text, not to be trusted.
	Message string
	// Schema describes the fields, one flat object.
	Schema json.RawMessage
}

// Reply is a person's answer. Content is left out unless the form was accepted; fields that it leaves out get their
// default.
type Reply struct {
	Action  Action
	Content json.RawMessage
}

// Person fills forms in. Implementations are safe for concurrent use.
type Person interface {
	// Fill asks. An error means that nobody could be asked, which declines.
	Fill(ctx context.Context, f Form) (Reply, error)
}

// Human answers servers for a person, or declines where there is none.
type Human struct{ person Person }

// New makes the answerer of a person; with nil everything is declined.
func New(person Person) *Human { return &Human{person: person} }

// Capabilities are what the person can be asked for.
func (h *Human) Capabilities() map[string]json.RawMessage {
	if h.person == nil {
		return nil
	}
	return map[string]json.RawMessage{"elicitation": json.RawMessage(`{"form":{}}`)}
}

// Answer answers one request of a server.
func (h *Human) Answer(ctx context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	switch q.Method {
	case session.MethodElicitation:
		return h.elicit(ctx, q)
	case session.MethodSampling:
		return nil, &jsonrpc.Error{Code: codeRejected, Message: "sampling is not offered here"}
	}
	return nil, transport.MethodNotFound(q.Method)
}

func (h *Human) elicit(ctx context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	var asked struct {
		Mode    string          `json:"mode"`
		Message string          `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema"`
	}
	if err := json.Unmarshal(q.Params, &asked); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the form cannot be read: " + err.Error()}
	}
	if asked.Mode != "" && asked.Mode != "form" { // no other one is announced (MCP 2025-11-25, client/elicitation)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this mode of elicitation is not offered here: " + asked.Mode}
	}
	if h.person == nil {
		return reply(Reply{Action: Decline})
	}
	given, err := h.person.Fill(ctx, Form{Server: q.Server, Call: q.Call, Message: asked.Message, Schema: asked.Schema})
	if err != nil {
		return reply(Reply{Action: Decline})
	}
	if given.Action != Accept {
		return reply(Reply{Action: given.Action})
	}
	if given.Content, err = schema.WithDefaults(asked.Schema, given.Content); err == nil {
		err = schema.Validate(asked.Schema, given.Content)
	}
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the answer does not fit the form: " + err.Error()}
	}
	return reply(given)
}

func reply(r Reply) (json.RawMessage, *jsonrpc.Error) {
	raw, err := json.Marshal(struct {
		Action  Action          `json:"action"`
		Content json.RawMessage `json:"content,omitempty"`
	}{r.Action, r.Content})
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return raw, nil
}
