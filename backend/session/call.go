package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/transport"
)

const (
	// codeResourceNotFound is MCP's own, revision 2025-11-25, server/resources.
	codeResourceNotFound = -32002
	errorHint            = "Check the arguments; the server's log may say more."
)

// Call sends a call and returns the server's result, byte for byte. What the server needs to know meanwhile is asked of
// the Answerer. Errors have domain.ErrUnsent in their chain only when nothing was sent.
func (s *Session) Call(ctx context.Context, call domain.Call) (domain.Result, error) {
	token := s.begin(call)
	defer s.end(token)
	method, params, err := request(call)
	if err != nil {
		return domain.Result{}, err
	}
	if s.wantsTask(call) {
		params = insert(params, member{"task", json.RawMessage(`{}`)})
	}
	headers := s.mirrored(call, params)
	for range maxRounds {
		dressed, err := s.dress(params, token)
		if err != nil {
			return domain.Result{}, err
		}
		raw, err := s.link.Call(ctx, method, dressed, headers)
		if err != nil {
			return domain.Result{}, callFailed(call, err)
		}
		if raw, err = s.afterTask(ctx, call, raw); err != nil {
			return domain.Result{}, callFailed(call, err)
		}
		needs, err := inputRequired(raw)
		if err != nil {
			return domain.Result{}, err
		}
		if needs == nil {
			return s.completed(call, raw)
		}
		if params, err = s.nextRound(ctx, call, params, *needs); err != nil {
			return domain.Result{}, err
		}
	}
	return domain.Result{}, tooManyRounds()
}

// afterTask gives the result of a call that has become a task, once the task has ended.
func (s *Session) afterTask(ctx context.Context, call domain.Call, raw json.RawMessage) (json.RawMessage, error) {
	t, err := taskOf(raw)
	if err != nil || t == nil {
		return raw, err
	}
	return s.awaitTask(ctx, call, *t)
}

// completed is a result that a caller may have.
func (s *Session) completed(call domain.Call, raw json.RawMessage) (domain.Result, error) {
	if !isObject(raw) {
		return domain.Result{}, &domain.Error{
			Code: domain.CodeProtocol, Message: "The server's result is no object.",
			Hint: "Report this to the makers of the server.", Args: map[string]string{"name": call.Name},
		}
	}
	if call.Kind == domain.ResourceRead {
		if err := s.checkSkillFile(call.Name, raw); err != nil {
			return domain.Result{}, err
		}
	}
	return domain.Result{Kind: domain.ResultComplete, Raw: raw}, nil
}

func isObject(raw json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{"))
}

// mirrors reports whether arguments that are marked so go into headers too.
func (s *Session) mirrors() bool { return s.options.Mirror && s.greeting.IsStateless() }

// mirrored are the arguments that the tool wants in headers too.
func (s *Session) mirrored(call domain.Call, params json.RawMessage) map[string]string {
	if !s.mirrors() || call.Target == nil || call.Target.Tool == nil {
		return nil
	}
	return transport.ParamHeaders(call.Target.Tool.InputSchema, params)
}

// callFailed names an error answer of the server; the *jsonrpc.Error stays in the chain.
func callFailed(call domain.Call, err error) error {
	var rpc *jsonrpc.Error
	if err == nil || !errors.As(err, &rpc) || errors.Is(err, domain.ErrUnsent) {
		return err
	}
	e := &domain.Error{
		Code: domain.CodeToolFailed, Message: "The server answered with an error: " + rpc.Message + " (" + strconv.Itoa(rpc.Code) + ").",
		Hint: errorHint, Cause: rpc,
		Args: map[string]string{"rpc_code": strconv.Itoa(rpc.Code), "rpc_message": rpc.Message, "name": call.Name},
	}
	if call.Kind == domain.ResourceRead && rpc.Code == codeResourceNotFound {
		e.Code = domain.CodeUnknownItem
	}
	return e
}
