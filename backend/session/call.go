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

// outgoing is a call in the form in which its next round goes out.
type outgoing struct {
	call    domain.Call
	token   string // that its progress comes with
	method  string
	params  json.RawMessage
	headers map[string]string
	asTask  bool // it was asked for as a task, in the shape of 2025-11-25
}

// Call sends a call and returns the server's result, byte for byte. What the server needs to know meanwhile is asked of
// the Answerer. Errors have domain.ErrUnsent in their chain only when nothing was sent.
func (s *Session) Call(ctx context.Context, call domain.Call) (domain.Result, error) {
	call, token, end := s.begin(call)
	defer end()
	ctx = transport.InCall(ctx, token)
	method, params, err := request(call)
	if err != nil {
		return domain.Result{}, err
	}
	out := outgoing{call: call, token: token, method: method, params: params, headers: s.mirrored(call, params), asTask: s.wantsTask(call)}
	if out.asTask {
		out.params = insert(params, member{"task", json.RawMessage(`{}`)})
	}
	raw, err := s.sendWithPages(ctx, out)
	if err != nil {
		return domain.Result{}, err
	}
	result, err := s.carryOn(ctx, out, raw)
	return result, underWay(err)
}

// send sends one round of a call.
func (s *Session) send(ctx context.Context, out outgoing) (json.RawMessage, error) {
	dressed, err := s.dress(out.params, out.token)
	if err != nil {
		return nil, err
	}
	raw, err := s.link.Call(ctx, out.method, dressed, out.headers)
	return raw, callFailed(out.call, err)
}

// carryOn goes from the first answer of the server to the result: over a task, or over rounds that each ask for more.
func (s *Session) carryOn(ctx context.Context, out outgoing, raw json.RawMessage) (domain.Result, error) {
	var err error
	for round := 1; ; round++ {
		raw, err = s.afterTask(ctx, out, raw)
		if err != nil {
			return domain.Result{}, callFailed(out.call, err)
		}
		var more *needs
		more, err = s.inputRequired(raw)
		switch {
		case err != nil:
			return domain.Result{}, err
		case more == nil:
			return s.completed(out.call, raw)
		case round == maxRounds:
			return domain.Result{}, tooManyRounds()
		}
		if out.params, err = s.nextRound(ctx, out.call, out.params, *more); err != nil {
			return domain.Result{}, err
		}
		if raw, err = s.send(ctx, out); err != nil {
			return domain.Result{}, err
		}
	}
}

// underWay takes the proof that nothing was sent out of an error of a call that the server has answered once. Whatever
// became of the next request, the call may have run.
func underWay(err error) error {
	if !domain.Unsent(err) {
		return err
	}
	e := *domain.AsError(err)
	e.Cause = begunError{err}
	if domain.Unsent(&e) { // by its code, which is that of a connection that never was
		e.Code = domain.CodeConnFailed
	}
	return &e
}

// begunError stands for an error that says of one request that it was not sent, where more than that one belongs to the
// call.
type begunError struct{ cause error }

// Error is the text of the error.
func (e begunError) Error() string { return e.cause.Error() }

// Is looks through to the error, but for that proof.
func (e begunError) Is(target error) bool {
	return target != domain.ErrUnsent && errors.Is(e.cause, target)
}

// afterTask gives the result of a call that has become a task, once the task has ended.
func (s *Session) afterTask(ctx context.Context, out outgoing, raw json.RawMessage) (json.RawMessage, error) {
	t, err := s.taskOf(raw, out.asTask)
	if err != nil || t == nil {
		return raw, err
	}
	return s.awaitTask(ctx, out.call, *t)
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
