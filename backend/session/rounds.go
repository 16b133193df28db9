package session

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// Bounds of one call that needs several rounds, whatever the server says.
const (
	maxRounds    = 10
	maxQuestions = 32 // of one round
)

// needs is a result that asks for more (MCP 2026-07-28, basic/utilities/mrtr).
type needs struct {
	Requests map[string]inputRequest `json:"inputRequests"`
	// State goes back as it came, or not at all.
	State json.RawMessage `json:"requestState"`
}

// inputRequest is one question among them.
type inputRequest struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// inputRequired reads what a result asks for; nil for one that is complete, which is what a result without a type is, and
// every result of the revisions that know no types.
func (s *Session) inputRequired(raw json.RawMessage) (*needs, error) {
	if !s.greeting.IsStateless() {
		return nil, nil
	}
	m, _ := members(raw)
	switch kind := text(m, "resultType"); domain.ResultKind(kind) {
	case "", domain.ResultComplete:
		return nil, nil
	case domain.ResultInputRequired:
	default:
		return nil, &domain.Error{
			Code: domain.CodeProtocol, Message: "The server answered with a kind of result that is not known here: \"" + kind + "\".",
			Hint: "Update Apollia Connexions or the server.", Args: map[string]string{"reason": "result_type", "kind": kind},
		}
	}
	var n needs
	err := json.Unmarshal(raw, &n)
	if err == nil && len(n.Requests) == 0 && n.State == nil {
		err = fmt.Errorf("neither inputRequests nor requestState")
	}
	if err != nil {
		return nil, malformedNeeds(err)
	}
	return &n, n.check()
}

// check refuses more questions than a person can be asked at a time.
func (n needs) check() error {
	if len(n.Requests) > maxQuestions {
		return malformedNeeds(fmt.Errorf("%d inputRequests, at most %d", len(n.Requests), maxQuestions))
	}
	return nil
}

func malformedNeeds(cause error) error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server asks for more input in a way that cannot be understood.",
		Hint: "Report this to the makers of the server.", Proof: cause.Error(), Cause: cause, Args: map[string]string{"reason": "input_required"},
	}
}

// answersTo answers what the server needs. One question comes after the other, so that a person is not asked several
// things at once.
func (s *Session) answersTo(ctx context.Context, call domain.Call, n needs) (map[string]json.RawMessage, error) {
	answers := make(map[string]json.RawMessage, len(n.Requests))
	for _, key := range slices.Sorted(maps.Keys(n.Requests)) {
		q := n.Requests[key]
		answer, refused := s.respond(ctx, Question{Server: s.options.ServerID, Method: q.Method, Params: q.Params, Call: &call}, func(kind domain.NoticeKind) {
			call.Tell(domain.Notice{Kind: kind})
		})
		if refused != nil {
			return nil, notAnswered(q.Method, refused)
		}
		answers[key] = answer
	}
	return answers, nil
}

// nextRound answers what the server needs, and gives the params to go on with.
func (s *Session) nextRound(ctx context.Context, call domain.Call, params json.RawMessage, n needs) (json.RawMessage, error) {
	answers, err := s.answersTo(ctx, call, n)
	if err != nil {
		return nil, err
	}
	// An answer belongs to one round only.
	params, err = without(params, "inputResponses", "requestState")
	if err != nil {
		return nil, err
	}
	if n.State != nil {
		params = insert(params, member{"requestState", n.State})
	}
	if len(answers) > 0 {
		params = insert(params, member{"inputResponses", encoded(answers)})
	}
	return params, nil
}

// respond answers one question. Those who wait are told, since that time is not the server's.
func (s *Session) respond(ctx context.Context, q Question, tell func(domain.NoticeKind)) (json.RawMessage, *jsonrpc.Error) {
	switch q.Method {
	case "ping":
		return json.RawMessage(`{}`), nil
	case MethodRoots:
		return s.roots(ctx), nil
	}
	tell(domain.NoticeAsked)
	defer tell(domain.NoticeAnswered)
	return s.options.Answerer.Answer(ctx, q)
}

// answer answers a request that the server sent by itself: the stateless revision has none. Where it may belong to any of
// several calls, none of them may run out of time meanwhile.
func (s *Session) answer(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
	waiting := s.askers(ctx)
	q := Question{Server: s.options.ServerID, Method: method, Params: params, Call: only(waiting)}
	return s.respond(ctx, q, func(kind domain.NoticeKind) { s.tellRunning(waiting, kind) })
}

func notAnswered(method string, refused *jsonrpc.Error) error {
	return &domain.Error{
		Code: domain.CodeInputRefused, Message: "The server needs an answer to \"" + method + "\" that it does not get here: " + refused.Message + ".",
		Hint: "Look for another way to give the tool what it needs.", Cause: refused,
		Args: map[string]string{"method": method, "rpc_message": refused.Message},
	}
}

func tooManyRounds() error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server asked for more input " + strconv.Itoa(maxRounds) + " times in one call; it was given up.",
		Hint: "Report this to the makers of the server.", Args: map[string]string{"reason": "too_many_rounds"},
	}
}
