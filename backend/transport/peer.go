package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// peer pairs requests with their answers over a transport that carries frames both ways at any time.
type peer struct {
	link  *Link
	write func(ctx context.Context, frame []byte) error

	mu      sync.Mutex
	pending map[string]chan outcome
}

type outcome struct {
	result json.RawMessage
	err    error
}

func newPeer(link *Link, write func(context.Context, []byte) error) *peer {
	return &peer{link: link, write: write, pending: make(map[string]chan outcome)}
}

func (p *peer) request(ctx context.Context, id int64, method string, params json.RawMessage, _ map[string]string) (json.RawMessage, error) {
	key := strconv.FormatInt(id, 10)
	frame, err := jsonrpc.Request(json.RawMessage(key), method, params)
	if err != nil {
		return nil, badParams(method, err)
	}
	answer := make(chan outcome, 1)
	p.mu.Lock()
	p.pending[key] = answer
	p.mu.Unlock()
	defer p.settle(key)

	if err := p.send(ctx, frame); err != nil {
		return nil, err
	}
	select {
	case o := <-answer:
		return o.result, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.link.done:
		// The answer may have come right before the end.
		select {
		case o := <-answer:
			return o.result, o.err
		default:
			return nil, p.link.Err()
		}
	}
}

// endsWithContext is false: the server waits until it is told.
func (p *peer) endsWithContext() bool { return false }

func (p *peer) send(ctx context.Context, frame []byte) error {
	p.link.traffic.record(Sent, frame, p.link.mask)
	return p.write(ctx, frame)
}

// settle ends the wait for an answer and returns who waited, nil when nobody did.
func (p *peer) settle(key string) chan outcome {
	key = wholeNumber(key)
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := p.pending[key]
	delete(p.pending, key)
	return answer
}

// wholeNumber spells an id as we do: some servers give 6 back as 6.0 or 6e0, which JSON takes for the same number.
func wholeNumber(id string) string {
	if !strings.ContainsAny(id, ".eE") || strings.HasPrefix(id, `"`) {
		return id
	}
	n, err := strconv.ParseFloat(id, 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) >= 1<<53 {
		return id
	}
	return strconv.FormatInt(int64(n), 10)
}

// deliver takes one frame as it was received and reports whether it was meant as JSON-RPC. A frame that was, but is
// malformed, fails only the request that it answers.
func (p *peer) deliver(raw []byte) bool {
	messages, err := jsonrpc.Read(raw, jsonrpc.Limits{Size: int64(len(raw))})
	if fault, ok := errors.AsType[*jsonrpc.FrameError](err); ok {
		return p.malformed(raw, fault)
	}
	p.link.silence.heardFrame()
	p.link.traffic.record(Received, raw, p.link.mask)
	for _, m := range messages {
		if m.Kind == jsonrpc.KindResponse {
			p.finish(m)
			continue
		}
		p.link.receive(m)
	}
	return true
}

// malformed fails the request that a broken frame was meant to answer; false when it was not meant as a frame at all.
func (p *peer) malformed(raw []byte, fault *jsonrpc.FrameError) bool {
	id := fault.ID
	if id == nil {
		// The fault came before the id, or made the whole unreadable, such as a byte that is not UTF-8.
		var seen oversized
		seen.scan(raw)
		if id = seen.id; id == nil || seen.request {
			return false
		}
	}
	answer := p.settle(string(id))
	if answer == nil {
		return fault.ID != nil
	}
	p.link.silence.heardFrame()
	p.link.traffic.record(Received, raw, p.link.mask)
	answer <- outcome{err: malformed(fault)}
	return true
}

func (p *peer) finish(m jsonrpc.Message) {
	answer := p.settle(string(m.ID))
	switch {
	case answer == nil: // late, or an answer to nothing
	case m.Error != nil:
		answer <- outcome{err: m.Error}
	default:
		answer <- outcome{result: m.Result}
	}
}

func (p *peer) drop(id json.RawMessage, reason error) {
	if answer := p.settle(string(id)); answer != nil {
		answer <- outcome{err: reason}
	}
}

// oversize fails the request that a message over the limit answers.
func (p *peer) oversize(id json.RawMessage, limit int64) {
	p.link.silence.heardFrame()
	if answer := p.settle(string(id)); answer != nil {
		answer <- outcome{err: tooLarge(limit)}
	}
}

func tooLarge(limit int64) *domain.Error {
	return &domain.Error{
		Code:    domain.CodeMessageTooLarge,
		Message: "The server sent a message larger than buffer_size (" + strconv.FormatInt(limit, 10) + " bytes).",
		Hint:    "Raise buffer_size in the server's settings, or ask for less.",
		Args:    map[string]string{"setting": "buffer_size", "limit": strconv.FormatInt(limit, 10)},
	}
}

func malformed(fault error) *domain.Error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server sent a malformed message.",
		Hint: "Report this to the makers of the server.", Proof: fault.Error(), Cause: fault,
	}
}

func badParams(method string, cause error) *domain.Error {
	return &domain.Error{
		Code: domain.CodeInvalidArguments, Message: "The parameters of \"" + method + "\" are not valid JSON.",
		Hint: "Correct the parameters.", Args: map[string]string{"method": method}, Proof: cause.Error(),
		Cause: fmt.Errorf("%w (%w)", cause, domain.ErrUnsent),
	}
}
