package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// peer sends requests and pairs them with their answers over a transport that carries frames both ways at any time.
type peer struct {
	*pending
	write func(ctx context.Context, frame []byte) error
	// begin starts to write the request x and tells how that went, which may be later than its answer.
	begin func(ctx context.Context, x *exchange, frame []byte) (sent <-chan error)
}

func newPeer(link *Link, limit int64, write func(context.Context, []byte) error) *peer {
	p := &peer{pending: newPending(link, limit), write: write}
	p.begin = func(ctx context.Context, _ *exchange, frame []byte) <-chan error {
		sent := make(chan error, 1)
		sent <- p.send(ctx, frame)
		return sent
	}
	return p
}

func (p *peer) request(ctx context.Context, id int64, method string, params json.RawMessage, _ map[string]string) (json.RawMessage, error) {
	key := strconv.FormatInt(id, 10)
	frame, err := jsonrpc.Request(json.RawMessage(key), method, params)
	if err != nil {
		return nil, badParams(method, err)
	}
	x := newExchange(ctx, key, func() {}) // its wait ends with its outcome
	if !p.note(x) {
		return nil, unsent(p.link.Err())
	}
	defer p.forget(x)
	if err := p.await(ctx, x, p.begin(ctx, x, frame)); err != nil {
		// The answer may have come right before the end.
		x.settle(nil, err)
	}
	result, _, err := x.outcome()
	return result, err
}

// await waits for the outcome of x, or fails with what keeps it from coming.
func (p *peer) await(ctx context.Context, x *exchange, sent <-chan error) error {
	for {
		select {
		case <-x.ended:
			return nil
		case err := <-sent:
			if err != nil {
				return err
			}
			sent = nil
		case <-ctx.Done():
			return ctx.Err()
		case <-p.link.done:
			return p.afterEnd(ctx, x, sent)
		}
	}
}

// afterEnd says why x got no answer before the link ended. What became of its frame may prove that it was not sent.
func (p *peer) afterEnd(ctx context.Context, x *exchange, sent <-chan error) error {
	if sent != nil {
		select {
		case err := <-sent:
			if err != nil {
				return err
			}
		case <-x.ended:
		case <-ctx.Done():
		}
	}
	return p.link.Err()
}

// endsWithContext is false: the server waits until it is told.
func (p *peer) endsWithContext() bool { return false }

func (p *peer) send(ctx context.Context, frame []byte) error {
	p.link.traffic.record(Sent, frame, p.link.mask)
	return p.write(ctx, frame)
}

// deliver takes one frame as it was received and reports whether it was meant as JSON-RPC.
func (p *peer) deliver(raw []byte) bool { return p.take(raw, nil) == nil }

func badParams(method string, cause error) *domain.Error {
	return &domain.Error{
		Code: domain.CodeInvalidArguments, Message: "The parameters of \"" + method + "\" are not valid JSON.",
		Hint: "Correct the parameters.", Args: map[string]string{"method": method}, Proof: cause.Error(),
		Cause: fmt.Errorf("%w (%w)", cause, domain.ErrUnsent),
	}
}
