package transport

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"apollia.fr/connexions/backend/jsonrpc"
)

const (
	// maxServing bounds how many requests of one server are answered at a time.
	maxServing     = 64
	refusalTimeout = 100 * time.Millisecond
	// codeBusy is in the range that JSON-RPC leaves to implementations.
	codeBusy = -32000
)

func (l *Link) receiveRequest(m jsonrpc.Message, x *exchange) {
	l.mu.Lock()
	handle := l.onRequest
	l.mu.Unlock()
	refusal := l.serve(m.ID, func(ctx context.Context) {
		if handle == nil {
			l.answer(ctx, m.ID, nil, MethodNotFound(m.Method))
			return
		}
		result, failure := handle(during(ctx, x), m.Method, l.mask.hideJSON(m.Params, message))
		if ctx.Err() != nil {
			return // a cancelled request gets no answer
		}
		l.answer(ctx, m.ID, result, failure)
	})
	if refusal != nil {
		l.refuse(m.ID, refusal)
	}
}

// reject answers a request of the server that is not handed on.
func (l *Link) reject(id json.RawMessage, failure *jsonrpc.Error) {
	refusal := l.serve(id, func(ctx context.Context) { l.answer(ctx, id, nil, failure) })
	if refusal != nil {
		l.refuse(id, refusal)
	}
}

// refuse answers without a goroutine of its own, since there are too many already. A server that does not read
// its answers gets none.
func (l *Link) refuse(id json.RawMessage, refusal *jsonrpc.Error) {
	ctx, cancel := context.WithTimeout(context.Background(), refusalTimeout)
	defer cancel()
	l.answer(ctx, id, nil, refusal)
}

// serve answers a request of the server with work, aside. It says why it refuses: an id in use or too many at once.
func (l *Link) serve(id json.RawMessage, work func(context.Context)) *jsonrpc.Error {
	key := servingKey(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, twice := l.running[key]; twice {
		return &jsonrpc.Error{Code: codeBusy, Message: "this request id is already in use"}
	}
	if l.asked >= maxServing {
		return &jsonrpc.Error{Code: codeBusy, Message: "too many requests at once, at most " + strconv.Itoa(maxServing)}
	}
	l.asked++
	l.start(key, func(ctx context.Context) {
		defer l.served()
		work(ctx)
	})
	return nil
}

func servingKey(id json.RawMessage) string { return "request " + string(id) }

func (l *Link) served() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked--
}

// aside runs work on a goroutine of the link, with a context that ends with the link. Once the link has ended it does
// nothing.
func (l *Link) aside(key string, work func(context.Context)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start(key, work)
}

// start is aside for who holds l.mu.
func (l *Link) start(key string, work func(context.Context)) {
	if l.err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.running[key] = cancel
	l.serving.Go(func() {
		defer l.forget(key)
		work(ctx)
	})
}

func (l *Link) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[key]()
	delete(l.running, key)
}

func (l *Link) answer(ctx context.Context, id, result json.RawMessage, failure *jsonrpc.Error) {
	frame, err := answerFrame(id, result, failure)
	if err == nil {
		err = l.carrier.send(ctx, frame)
	}
	if err != nil {
		l.log.DebugContext(ctx, "answer to the server not delivered", "err", l.mask.hideError(err))
	}
}

func answerFrame(id, result json.RawMessage, failure *jsonrpc.Error) ([]byte, error) {
	if failure != nil {
		return jsonrpc.Failure(id, *failure)
	}
	if result == nil {
		result = json.RawMessage("{}")
	}
	return jsonrpc.Response(id, result)
}

// MethodNotFound is the answer to a method that nobody here knows.
func MethodNotFound(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found: " + method}
}
