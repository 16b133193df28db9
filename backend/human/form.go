package human

import (
	"context"
	"encoding/json"
	"fmt"
	"net/mail"
	"net/url"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/schema"
	"apollia.fr/connexions/backend/session"
)

// Action is what became of a question (MCP 2025-11-25, client/elicitation).
type Action string

// A person answers, says no, or closes the question without an answer.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
)

// asked is elicitation/create, in either mode.
type asked struct {
	Mode          string          `json:"mode"`
	Schema        json.RawMessage `json:"requestedSchema"`
	URL           string          `json:"url"`
	ElicitationID string          `json:"elicitationId"`
}

// reply is what the server hears. Content is there only for a form that was accepted.
type reply struct {
	Action  Action          `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// maxElicitation bounds a form or page that a person is asked to look at, in bytes.
const maxElicitation = 256 << 10

func (h *Human) elicit(ctx context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	if len(q.Params) > maxElicitation {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("the question has more than %d bytes", maxElicitation)}
	}
	var a asked
	if err := json.Unmarshal(q.Params, &a); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the question cannot be read: " + err.Error()}
	}
	switch a.Mode {
	case "", "form":
		return h.fill(ctx, q)
	case "url":
		return h.visit(ctx, q, a)
	default: // no other one is announced (MCP 2025-11-25, client/elicitation)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this mode of elicitation is not offered here: " + a.Mode}
	}
}

// fill has a person fill in a form.
func (h *Human) fill(ctx context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	r := requestOf(domain.ElicitationFormRequest, q)
	if err := h.within(h.questions, r); err != nil {
		return nil, refusalFor(err)
	}
	ended, err := h.ask(ctx, r, q)
	if err != nil {
		return nil, notAsked(err)
	}
	said := reply{Action: actionOf(ended.Answer)}
	if said.Action == Accept {
		if said.Content, err = Content(q.Params, ended.Answer.Data); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the answer does not fit the form: " + err.Error()}
		}
	}
	return answered(said)
}

func notAsked(err error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "nobody could be asked: " + err.Error()}
}

func answered(said reply) (json.RawMessage, *jsonrpc.Error) {
	raw, err := json.Marshal(said)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return raw, nil
}

// actionOf is what an answer means; none closes the question.
func actionOf(a *domain.Answer) Action {
	switch {
	case a == nil || a.Cancel:
		return Cancel
	case a.Approve:
		return Accept
	default:
		return Decline
	}
}

// Content is what a person filled into the form of an elicitation: with the defaults of the fields that were left out, and
// checked against its schema and its formats. CodeInvalidArguments, with the field, when it does not fit.
func Content(params, data json.RawMessage) (json.RawMessage, error) {
	var a asked
	if err := json.Unmarshal(params, &a); err != nil {
		return nil, err
	}
	content, err := schema.WithDefaults(a.Schema, data)
	if err == nil {
		err = schema.Validate(a.Schema, content)
	}
	if err == nil {
		err = checkFormats(a.Schema, content)
	}
	return content, err
}

// checkFormats checks the formats that a form may name, which are remarks in other schemas.
func checkFormats(form, content json.RawMessage) error {
	var described struct {
		Properties map[string]struct {
			Format string `json:"format"`
		} `json:"properties"`
	}
	var given map[string]any
	_ = json.Unmarshal(form, &described) // Validate had its say
	_ = json.Unmarshal(content, &given)
	for name, value := range given {
		text, ok := value.(string)
		if !ok || hasFormat(described.Properties[name].Format, text) {
			continue
		}
		return &domain.Error{
			Code: domain.CodeInvalidArguments, Message: "the field \"" + name + "\" holds no " + described.Properties[name].Format,
			Hint: "Correct it, or decline.", Args: map[string]string{"path": "/" + name, "problem": "format", "format": described.Properties[name].Format},
		}
	}
	return nil
}

// hasFormat reports whether a text has one of the formats of MCP 2025-11-25 (client/elicitation); an unknown one fits all.
func hasFormat(format, text string) bool {
	var err error
	switch format {
	case "email":
		var address *mail.Address
		if address, err = mail.ParseAddress(text); err == nil {
			return address.Address == text
		}
	case "uri":
		var u *url.URL
		if u, err = url.Parse(text); err == nil {
			return u.IsAbs()
		}
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time":
		_, err = time.Parse(time.RFC3339, text)
	}
	return err == nil
}
