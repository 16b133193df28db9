package transport

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// finishGrace is how long requests may take to end that nobody waits for any more, or whose session is gone.
const finishGrace = 2 * time.Second

// pending are the requests of ours that wait for an answer. It takes what the server sends, over any transport, with one
// rule for a frame that cannot be read: it fails the requests that it answers, it gets an error back for those that it
// makes, and one that does neither is no JSON-RPC.
type pending struct {
	link  *Link
	limit int64 // bytes of a message

	mu        sync.Mutex
	exchanges map[string]*exchange
	closing   bool
	emptied   chan struct{} // closed when exchanges becomes empty; nil unless somebody waits
}

func newPending(link *Link, limit int64) *pending {
	return &pending{link: link, limit: limit, exchanges: make(map[string]*exchange)}
}

// note takes a request in, unless the link is being closed: it would be cut off, and its outcome unknown.
func (p *pending) note(x *exchange) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closing {
		p.exchanges[x.id] = x
	}
	return !p.closing
}

func (p *pending) forget(x *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.exchanges, x.id)
	if len(p.exchanges) == 0 && p.emptied != nil {
		close(p.emptied)
		p.emptied = nil
	}
}

// letFinish takes no more requests. When the server has forgotten the session it waits a moment for those in flight: each
// gets its own refusal, which proves that it may be sent again; cutting them off would leave their outcome unknown.
func (p *pending) letFinish() {
	var e *domain.Error
	forgotten := errors.As(p.link.Err(), &e) && e.Args["reason"] == reasonForgotten
	p.mu.Lock()
	p.closing = true
	if !forgotten || len(p.exchanges) == 0 {
		p.mu.Unlock()
		return
	}
	p.emptied = make(chan struct{})
	emptied := p.emptied
	p.mu.Unlock()
	waitFor(emptied, finishGrace)
}

func (p *pending) waiting(id json.RawMessage) *exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exchanges[wholeNumber(string(id))]
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

// settle ends the request with the given id and reports whether there is one. Some servers answer on the stream of
// another request than x, whose own then has nothing more to give.
func (p *pending) settle(id json.RawMessage, x *exchange, result json.RawMessage, err error) bool {
	owner := p.waiting(id)
	if owner == nil {
		return false
	}
	owner.settle(result, err)
	if owner != x {
		owner.cancel()
	}
	return true
}

func (p *pending) drop(id json.RawMessage, reason error) { p.settle(id, nil, nil, reason) }

// take takes a frame of the server as it came. x is the request on whose stream it came, nil where that says nothing. It
// fails when the frame concerns nobody, and so was not meant as JSON-RPC.
func (p *pending) take(raw []byte, x *exchange) *jsonrpc.FrameError {
	// Its size was bounded when it was read.
	messages, err := jsonrpc.Read(raw, jsonrpc.Limits{Size: int64(len(raw))})
	if fault, broken := errors.AsType[*jsonrpc.FrameError](err); broken {
		return p.malformed(raw, x, fault)
	}
	p.heard(raw)
	for _, m := range messages {
		switch {
		case m.Kind != jsonrpc.KindResponse:
			p.link.receive(m, x)
		case m.ID == nil && x != nil:
			x.settle(nil, m.Error) // the server could not read the id
		case m.Error != nil:
			p.settle(m.ID, x, nil, m.Error)
		default:
			p.settle(m.ID, x, m.Result, nil)
		}
	}
	return nil
}

func (p *pending) heard(raw []byte) {
	p.link.silence.heardFrame()
	p.link.traffic.record(Received, raw, p.link.mask)
}

func (p *pending) malformed(raw []byte, x *exchange, fault *jsonrpc.FrameError) *jsonrpc.FrameError {
	var seen skimmed
	seen.scan(raw)
	if !p.unreadable(&seen, x, malformed(fault, textProof(raw, p.link.mask)), fault) {
		return fault
	}
	p.heard(raw)
	return nil
}

// oversize takes what is left of a message over the limit.
func (p *pending) oversize(over *skimmed, x *exchange) {
	p.link.silence.heardFrame()
	tooMuch := tooLarge(p.limit)
	p.unreadable(over, x, tooMuch, &jsonrpc.FrameError{Kind: jsonrpc.ErrTooLarge, Detail: "at most " + tooMuch.Args["limit"] + " bytes are allowed"})
}

// unreadable tells those whom a frame concerns that it cannot be read, and reports whether there are any.
func (p *pending) unreadable(seen *skimmed, x *exchange, failure *domain.Error, fault *jsonrpc.FrameError) (meant bool) {
	for _, m := range seen.messages() {
		switch {
		case m.id == nil:
		case m.request:
			p.link.reject(m.id, &jsonrpc.Error{Code: fault.Code(), Message: fault.Error()})
			meant = true
		case p.settle(m.id, x, nil, failure):
			meant = true
		}
	}
	return meant
}

// event takes what came in one event of a stream, that of the request x if there is one.
func (p *pending) event(e event, x *exchange) {
	switch {
	case e.over != nil:
		p.oversize(e.over, x)
	case len(e.data) > 0 && (e.name == "" || e.name == "message"):
		if p.take(e.data, x) != nil {
			p.link.silence.heardBabble(textProof(e.data, p.link.mask))
		}
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

func malformed(fault error, text string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server sent a malformed message.",
		Hint: "Report this to the makers of the server.", Proof: strings.TrimSpace(fault.Error() + "\n" + text), Cause: fault,
	}
}
