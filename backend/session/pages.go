package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// codeURLRequired refuses a request until the pages in its data are done with (MCP 2025-11-25, client/elicitation,
// URLElicitationRequiredError). No other revision has it.
const (
	codeURLRequired = -32042
	versionOfPages  = "2025-11-25"
)

// sendWithPages sends a call, and again each time that its pages are done with. What the server refused so, it did not run.
func (s *Session) sendWithPages(ctx context.Context, out outgoing) (json.RawMessage, error) {
	for round := 1; ; round++ {
		raw, err := s.send(ctx, out)
		pages, required := s.requiredPages(out.call, err)
		switch {
		case !required:
			return raw, err
		case round == maxRounds:
			return nil, tooManyRounds()
		}
		if err := s.visit(ctx, out.call, pages); err != nil {
			return nil, err
		}
	}
}

// requiredPages are the elicitations for which the server refused a call, where it is ours to have them answered: a client
// that can answer them itself gets the refusal as it is.
func (s *Session) requiredPages(call domain.Call, err error) (pages []json.RawMessage, required bool) {
	refused, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || refused.Code != codeURLRequired || s.greeting.Version != versionOfPages {
		return nil, false
	}
	var data struct {
		Elicitations []json.RawMessage `json:"elicitations"`
	}
	if json.Unmarshal(refused.Data, &data) != nil || len(data.Elicitations) == 0 {
		return nil, false
	}
	if call.Client != nil && call.Client.Responds(MethodElicitation, data.Elicitations[0]) {
		return nil, false
	}
	return data.Elicitations, true
}

// visit has a person open one page after the other, and stays until each is done with.
func (s *Session) visit(ctx context.Context, call domain.Call, pages []json.RawMessage) error {
	if len(pages) > maxQuestions {
		return malformedNeeds(fmt.Errorf("%d elicitations, at most %d", len(pages), maxQuestions))
	}
	for _, params := range pages {
		q := Question{Server: s.options.ServerID, Method: MethodElicitation, Params: params, Call: &call, Again: true}
		answer, refused := s.respond(ctx, q, func(kind domain.NoticeKind) { call.Tell(domain.Notice{Kind: kind}) })
		if refused != nil {
			return notAnswered(q.Method, refused)
		}
		if m, _ := members(answer); text(m, "action") != "accept" {
			return pageNotOpened(params)
		}
	}
	return ctx.Err()
}

// pageNotOpened is a call that the server does not run until a page was visited that nobody wanted to visit.
func pageNotOpened(params json.RawMessage) error {
	m, _ := members(params)
	return &domain.Error{
		Code: domain.CodeInputRefused, Message: "The server does not do this before a page was opened, and it was not: nothing was done.",
		Hint: "Make the call again, and open the page from the inbox.",
		Args: map[string]string{"reason": "page", "method": MethodElicitation, "rpc_message": text(m, "message")},
	}
}

// completedPage passes on that a page is done with. Names that no page can have are left out.
func (s *Session) completedPage(params json.RawMessage) {
	m, _ := members(params)
	if id := text(m, "elicitationId"); id != "" {
		s.options.Answerer.Completed(s.options.ServerID, id)
	}
}
