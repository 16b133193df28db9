package pool

import (
	"context"
	"errors"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// Call sends a call to its server and returns the server's result, byte for byte. It is the end of the pipeline. A
// call that provably did not reach the server is sent once more over the next session; any other failure is
// reported, with domain.ErrUnsent in its chain only when nothing was sent.
func (p *Pool) Call(ctx context.Context, call domain.Call) (domain.Result, error) {
	s, err := p.mustFind(call.Server)
	if err != nil {
		return domain.Result{}, err
	}
	s.hold(1)
	defer s.hold(-1)
	const attempts = 2
	for attempt := 1; ; attempt++ {
		raw, err := s.callOnce(ctx, call)
		if err == nil {
			return domain.Result{Kind: domain.ResultComplete, Raw: raw, Meta: domain.ResultMeta{Attempts: attempt}}, nil
		}
		if attempt == attempts || ctx.Err() != nil || !isLost(err) {
			return domain.Result{}, err
		}
	}
}

// lostError marks a call whose session ended before anything was sent.
type lostError struct{ error }

func (e lostError) Unwrap() error { return e.error }

func isLost(err error) bool {
	var lost lostError
	return errors.As(err, &lost)
}

func (s *slot) callOnce(ctx context.Context, call domain.Call) ([]byte, error) {
	live, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	token := live.listen(call)
	defer live.unlisten(token)
	method, params, err := request(call, token)
	if err != nil {
		return nil, err
	}
	raw, err := live.link.Call(ctx, method, params)
	if err == nil {
		return raw, nil
	}
	if errors.Is(err, domain.ErrUnsent) && live.link.Err() != nil {
		s.forgetSession(live)
		return nil, lostError{err}
	}
	if domain.CodeOf(err).Class() == domain.SignIn {
		live.spoil(err)
	}
	return nil, callFailed(call, err)
}

// forgetSession takes a session whose link has ended away, in case its slot has not noticed yet, so that nobody is
// given it again.
func (s *slot) forgetSession(live *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == live {
		s.session, s.trying = nil, true
	}
}

func (s *slot) hold(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls += n
}

func isRefusal(err error) bool {
	var rpc *jsonrpc.Error
	return errors.As(err, &rpc)
}

const (
	// codeResourceNotFound is MCP's own, revision 2025-11-25, server/resources.
	codeResourceNotFound = -32002
	errorHint            = "Check the arguments; the server's log may say more."
)

// callFailed names an error answer of the server; the *jsonrpc.Error stays in the chain.
func callFailed(call domain.Call, err error) error {
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) {
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
