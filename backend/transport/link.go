package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

const cancelTimeout = 2 * time.Second

// carrier moves frames over one transport.
type carrier interface {
	// request sends a request and waits for its answer: the raw result, an *jsonrpc.Error, or what went wrong. headers
	// are for those who have such a thing.
	request(ctx context.Context, id int64, method string, params json.RawMessage, headers map[string]string) (json.RawMessage, error)
	// send sends a frame that gets no answer.
	send(ctx context.Context, frame []byte) error
	setProtocolVersion(version string)
	// drop ends the wait for the answer to one of our requests.
	drop(id json.RawMessage, reason error)
	// endsWithContext says that the server knows of the end of a request's context without being told.
	endsWithContext() bool
	// close ends the transport and waits until nothing of it is left.
	close() error
}

// Link is one live connection to a server. It is safe for concurrent use. It ends by Close, or by itself when the
// server goes away; Close must be called in both cases.
type Link struct {
	log     *slog.Logger
	mask    Mask
	traffic *Traffic
	silence silence

	carrier carrier
	pid     int
	nextID  atomic.Int64

	mu        sync.Mutex
	onNotify  func(method string, params json.RawMessage)
	onRequest func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, *jsonrpc.Error)
	stateless bool
	running   map[string]context.CancelFunc // what aside started, by key
	asked     int                           // how many of those answer requests of the server
	err       error

	done      chan struct{}
	serving   sync.WaitGroup
	closeOnce sync.Once
	closeErr  error
}

func newLink(o Options) *Link {
	return &Link{
		log: o.Logger, mask: o.mask, traffic: o.Traffic,
		running: make(map[string]context.CancelFunc),
		done:    make(chan struct{}),
	}
}

// Request asks a server about itself and returns its result. It fails with the server's *jsonrpc.Error, or with an
// error that has a *domain.Error in its chain, and domain.ErrUnsent when nothing was sent. When ctx ends first, the
// server is told that the request is cancelled.
//
// All that leaves a link has the secrets of its definition hidden: results, errors, notifications, requests. Only the
// result of Call has not.
func (l *Link) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	return l.request(ctx, method, params, nil)
}

// RequestAs is Request in another revision than that of SetProtocolVersion.
func (l *Link) RequestAs(ctx context.Context, version, method string, params json.RawMessage) (json.RawMessage, error) {
	headers := standardHeaders(version, method, params)
	if headers == nil {
		headers = make(map[string]string, 1)
	}
	headers[headerProtocol] = version
	return l.request(ctx, method, params, headers)
}

func (l *Link) request(ctx context.Context, method string, params json.RawMessage, headers map[string]string) (json.RawMessage, error) {
	result, err := l.Call(ctx, method, params, headers)
	if strings.HasSuffix(method, "/list") {
		return l.mask.hideJSON(result, listing), err
	}
	return l.mask.hideJSON(result, message), err
}

// Call is Request with the result byte for byte, for whoever asked the server for it. headers go with it over HTTP, and
// nowhere else.
func (l *Link) Call(ctx context.Context, method string, params json.RawMessage, headers map[string]string) (json.RawMessage, error) {
	if err := l.Err(); err != nil {
		return nil, unsent(err)
	}
	id := l.nextID.Add(1)
	result, err := l.carrier.request(ctx, id, method, params, headers)
	if err == nil {
		return result, nil
	}
	// initialize must not be cancelled (2025-11-25, basic/utilities/cancellation).
	if ctx.Err() != nil && method != "initialize" && !l.carrier.endsWithContext() {
		l.cancel(id, context.Cause(ctx))
	}
	return nil, l.explain(ctx, method, err)
}

// Notify sends a notification.
func (l *Link) Notify(ctx context.Context, method string, params json.RawMessage) error {
	if err := l.Err(); err != nil {
		return err
	}
	frame, err := jsonrpc.Notification(method, params)
	if err != nil {
		return err
	}
	if err := l.carrier.send(ctx, frame); err != nil {
		return l.explain(ctx, method, err)
	}
	return nil
}

// OnNotification sets who hears the server's notifications, in their order and before the answer that follows them.
// It runs on the goroutine that reads from the server: it must not block nor call the link.
func (l *Link) OnNotification(handle func(method string, params json.RawMessage)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onNotify = handle
}

// OnRequest sets who answers the server's requests; without one they get "method not found". It runs on a goroutine
// of its own, and ctx ends when the server cancels the request or the link ends.
func (l *Link) OnRequest(handle func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, *jsonrpc.Error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onRequest = handle
}

// SetProtocolVersion says which revision was negotiated; HTTP transports name it in a header.
func (l *Link) SetProtocolVersion(version string) {
	l.mu.Lock()
	l.stateless = isStateless(version)
	l.mu.Unlock()
	l.carrier.setProtocolVersion(version)
}

// Mask hides the secrets of the definition in a text that came over the link.
func (l *Link) Mask(text string) string { return l.mask.Hide(text) }

// Done is closed when the link has ended.
func (l *Link) Done() <-chan struct{} { return l.done }

// Err says why the link ended; nil while it lives.
func (l *Link) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// StrayLines counts what the server sent that is not JSON-RPC, such as log lines on its standard output.
func (l *Link) StrayLines() int { return l.silence.lines() }

// PID is the process at the other end, 0 when it is not a child of ours.
func (l *Link) PID() int { return l.pid }

// Close ends the link and waits until its process and goroutines are gone. It may be called any number of times.
func (l *Link) Close() error {
	l.closeOnce.Do(func() {
		l.fail(errClosed)
		l.closeErr = l.mask.hideError(l.carrier.close())
		l.serving.Wait()
	})
	return l.closeErr
}

// errClosed is why a link ended that we closed ourselves.
var errClosed = &domain.Error{Code: domain.CodeConnClosed, Message: "The session was closed.", Hint: "Connect the server again."}

// fail ends the link; only the first reason counts.
func (l *Link) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	l.err = l.mask.hideError(err)
	close(l.done)
	for _, cancel := range l.running {
		cancel()
	}
}

// droppedByServer is why a request got no answer that the server gave up.
func droppedByServer() *domain.Error {
	return &domain.Error{
		Code: domain.CodeConnClosed, Message: "The server ended the request without an answer.",
		Hint: "Try again; the server's log may say why.", Args: map[string]string{"reason": "request_dropped"},
	}
}

// unsent adds the proof that nothing of a request reached the server.
func unsent(err error) error { return fmt.Errorf("%w (%w)", err, domain.ErrUnsent) }

// explain turns what a carrier reports into what a person can read.
func (l *Link) explain(ctx context.Context, method string, err error) error {
	return l.mask.hideError(l.named(ctx, method, err))
}

func (l *Link) named(ctx context.Context, method string, err error) error {
	var rpc *jsonrpc.Error
	var known *domain.Error
	switch {
	case ctx.Err() == nil && errors.As(err, &known):
		return err
	case errors.As(err, &rpc):
		return rpc
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return l.silence.explain(method, err)
	case ctx.Err() != nil:
		return &domain.Error{Code: domain.CodeCanceled, Message: "The request was cancelled.", Cause: fmt.Errorf("%w: %w", context.Cause(ctx), err)}
	}
	if end := l.Err(); end != nil {
		return end
	}
	return &domain.Error{
		Code: domain.CodeConnFailed, Message: "The connection to the server failed: " + err.Error() + ".",
		Hint: "Check the network and the server, then connect again.", Cause: err,
	}
}

// cancel tells the server that nobody waits for a request any more.
func (l *Link) cancel(id int64, cause error) {
	reason := "cancelled"
	if cause != nil {
		reason = cause.Error()
	}
	params, err := json.Marshal(map[string]any{"requestId": id, "reason": l.mask.Hide(reason)})
	if err != nil {
		return
	}
	l.aside("cancel "+strconv.FormatInt(id, 10), func(ctx context.Context) {
		ctx, done := context.WithTimeout(ctx, cancelTimeout)
		defer done()
		if err := l.Notify(ctx, "notifications/cancelled", params); err != nil {
			l.log.DebugContext(ctx, "cancellation not delivered", "err", err)
		}
	})
}

// receive takes a frame of the server that is not an answer. x is the request of ours on whose stream it came, if any.
func (l *Link) receive(m jsonrpc.Message, x *exchange) {
	if m.Kind == jsonrpc.KindRequest {
		l.receiveRequest(m, x)
		return
	}
	if m.Method == "notifications/cancelled" {
		l.cancelled(m.Params)
	}
	l.mu.Lock()
	handle := l.onNotify
	l.mu.Unlock()
	if handle != nil {
		handle(m.Method, l.mask.hideJSON(m.Params, message))
	}
}

// cancelled takes back a request of the server. In the stateless revision the server makes none: there it ends one of
// ours, such as subscriptions/listen (MCP 2026-07-28).
func (l *Link) cancelled(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	l.mu.Lock()
	stateless, cancel := l.stateless, l.running[servingKey(p.RequestID)]
	l.mu.Unlock()
	if stateless {
		l.carrier.drop(p.RequestID, droppedByServer())
		return
	}
	if cancel != nil {
		cancel()
	}
}
