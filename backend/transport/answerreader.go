package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

const deleteTimeout = 2 * time.Second

// answerReader is the RoundTripper that reads every answer of a Streamable HTTP server before mcp-go does.
type answerReader struct {
	s    *streamable
	next http.RoundTripper
}

// RoundTrip sends req and turns every answer that is not MCP into an error that says what it was.
func (a *answerReader) RoundTrip(req *http.Request) (*http.Response, error) {
	switch req.Method {
	case http.MethodPost:
		return a.post(req)
	case http.MethodGet:
		return a.get(req)
	default:
		return a.farewell(req)
	}
}

// farewell sends DELETE, which mcp-go waits for when closing.
func (a *answerReader) farewell(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), deleteTimeout)
	defer cancel()
	resp, err := a.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	// Whatever the server thinks of it, the session is over.
	return withoutBody(resp), nil
}

func (a *answerReader) post(req *http.Request) (*http.Response, error) {
	a.recordSent(req)
	x := exchangeOf(req.Context())
	resp, err := a.next.RoundTrip(req)
	if err != nil {
		return nil, a.failed(x, a.s.link.unreachable(req, err))
	}
	forgotten := forgetsSession(resp, req)
	switch {
	case forgotten && x == nil:
		_ = resp.Body.Close()
		return nil, a.s.forgotten(nil)
	case forgotten || willFollow(resp, req):
		return withoutBody(resp), nil // mcp-go ends the session, and request says so; or the client goes on
	}
	if err := a.refused(resp, x); err != nil {
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusBadRequest && req.Header.Get(headerSession) != "" && blamesSession(err) {
			err = a.s.forgotten(err)
		}
		return nil, a.failed(x, err)
	}
	if x == nil {
		return resp, nil // a frame of ours that gets no answer
	}
	x.accept()
	return a.answered(resp, x)
}

// forgetsSession reports whether an answer says that the session is gone (2025-11-25, basic/transports).
func forgetsSession(resp *http.Response, req *http.Request) bool {
	return resp.StatusCode == http.StatusNotFound && req.Header.Get(headerSession) != ""
}

// withoutBody takes the body off an answer whose status says everything: mcp-go reads bodies without a bound.
func withoutBody(resp *http.Response) *http.Response {
	_ = resp.Body.Close()
	resp.Body, resp.ContentLength = http.NoBody, 0
	return resp
}

func (a *answerReader) recordSent(req *http.Request) {
	if req.GetBody == nil {
		return
	}
	body, err := req.GetBody()
	if err != nil {
		return
	}
	// It is a reader over memory.
	raw, _ := io.ReadAll(body)
	a.s.link.traffic.record(Sent, raw, a.s.link.mask)
}

func (a *answerReader) failed(x *exchange, err error) error {
	if x != nil {
		x.settle(nil, err)
	}
	return err
}

// refused names what a status other than success means. A server may give the reason as a JSON-RPC error.
func (a *answerReader) refused(resp *http.Response, x *exchange) error {
	if resp.StatusCode >= 400 && mediaType(resp) == typeJSON && x != nil {
		raw, err := io.ReadAll(io.LimitReader(resp.Body, a.s.limit))
		if err != nil {
			return err
		}
		messages, err := jsonrpc.Read(raw, jsonrpc.Limits{Size: a.s.limit})
		if err == nil && len(messages) == 1 && messages[0].Error != nil && resp.StatusCode != http.StatusUnauthorized {
			a.s.link.traffic.record(Received, raw, a.s.link.mask)
			answers := wholeNumber(string(messages[0].ID)) == x.id
			return &refusal{rpc: messages[0].Error, status: resp.StatusCode, answers: answers}
		}
		resp.Body = io.NopCloser(bytes.NewReader(raw))
	}
	return statusError(resp, a.s.link.mask)
}

// blamesSession reports whether a server that should have answered 404 says in words that it does not know the
// session: many answer 400 "no valid session ID provided". What answers the request itself is about the request.
func blamesSession(err error) bool {
	if r, ok := errors.AsType[*refusal](err); ok {
		return !r.answers && namesSession(r.rpc.Message)
	}
	e, ok := errors.AsType[*domain.Error](err)
	return ok && namesSession(e.Proof)
}

// namesSession reports whether a text speaks of a session, not of something whose name has the word in it.
func namesSession(text string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		switch word {
		case "session", "sessionid", "session-id", "mcp-session-id":
			return true
		}
	}
	return false
}

// refusal is a JSON-RPC error that came with an HTTP status other than success.
type refusal struct {
	rpc     *jsonrpc.Error
	status  int
	answers bool // it has the id of the request
}

// Error gives both halves.
func (r *refusal) Error() string {
	return "HTTP status " + strconv.Itoa(r.status) + ": " + r.rpc.Error()
}

// Unwrap gives the JSON-RPC error.
func (r *refusal) Unwrap() error { return r.rpc }

// answered reads the answer to a request: one message, or a stream that ends in it.
func (a *answerReader) answered(resp *http.Response, x *exchange) (*http.Response, error) {
	resp.StatusCode = http.StatusOK // mcp-go reads the body of any other success as a page, to its end
	switch media := mediaType(resp); media {
	case typeEvents:
		resp.Body = a.s.filter(resp.Body, x)
		return resp, nil
	case typeJSON:
		return a.single(resp, x)
	case typeHTML:
		defer func() { _ = resp.Body.Close() }()
		return nil, a.failed(x, htmlInstead(resp, a.s.link.mask))
	default:
		defer func() { _ = resp.Body.Close() }()
		return nil, a.failed(x, notJSONRPC(media, bodyProof(resp.Body, a.s.link.mask)))
	}
}

func (a *answerReader) single(resp *http.Response, x *exchange) (*http.Response, error) {
	raw, err := io.ReadAll(io.LimitReader(resp.Body, a.s.limit+1))
	_ = resp.Body.Close()
	if err == nil && int64(len(raw)) > a.s.limit {
		err = tooLarge(a.s.limit)
	}
	if err != nil {
		return nil, a.failed(x, networkError(resp.Request.Context(), resp.Request.URL.Host, err))
	}
	if fault := a.s.take(raw, x); fault != nil {
		return nil, a.failed(x, frameFault(fault, raw, a.s.link.mask))
	}
	if _, settled, _ := x.outcome(); !settled {
		return nil, a.failed(x, malformed(errors.New("the answer is to another request"), ""))
	}
	resp.Body = io.NopCloser(bytes.NewReader(x.stub()))
	return resp, nil
}

// get opens a listening stream, or resumes a broken one. mcp-go tries again for ever unless it is told that there
// is no such stream.
func (a *answerReader) get(req *http.Request) (*http.Response, error) {
	if exchangeOf(req.Context()) == nil {
		select {
		case <-a.s.greeted:
			a.s.nameVersion(req)
			if err := a.s.resume(req); err != nil {
				return nil, err
			}
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	resp, err := a.next.RoundTrip(req)
	a.s.listenOnce.Do(func() { close(a.s.listens) })
	if err != nil {
		err = networkError(req.Context(), req.URL.Host, err)
		a.s.listenFailed(req.Context(), err)
		return nil, err
	}
	if resp.StatusCode == http.StatusOK && mediaType(resp) == typeEvents {
		x := exchangeOf(req.Context())
		if x == nil {
			a.s.countListening(true)
		}
		resp.Body = a.s.filter(resp.Body, x)
		return resp, nil
	}
	if !willFollow(resp, req) {
		a.noStream(resp, req)
	}
	return withoutBody(resp), nil
}

// noStream handles the refusal of a stream.
func (a *answerReader) noStream(resp *http.Response, req *http.Request) {
	status, listening := resp.StatusCode, exchangeOf(req.Context()) == nil
	switch {
	case !listening && status == http.StatusNotFound && !forgetsSession(resp, req):
		resp.StatusCode = http.StatusGone // mcp-go takes 404 for the end of a session, and there is none
	case !listening:
	case forgetsSession(resp, req) && a.s.hasListened():
		// Where it never worked, the server has no such stream, and should have answered 405.
		a.s.link.fail(sessionForgotten(nil))
	case status == http.StatusNotImplemented:
		resp.StatusCode = http.StatusMethodNotAllowed
	case status >= 500 || status == http.StatusNotFound || status == http.StatusTooManyRequests:
		a.s.countListening(false) // asked again, less and less often
	case a.s.countListening(false) >= maxListenFailures:
		resp.StatusCode = http.StatusMethodNotAllowed
	}
}

// countListening counts failures to listen in a row.
func (s *streamable) countListening(ok bool) (failures int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listenFailures++
	if ok {
		s.listenFailures, s.listened = 0, true
	}
	return s.listenFailures
}

func (s *streamable) hasListened() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listened
}

// listenFailed ends the link when the server can no longer be reached; a request in flight finds out by itself. Some proxies
// let requests through and no stream: then the session goes on without it.
func (s *streamable) listenFailed(ctx context.Context, err error) {
	if ctx.Err() == nil && exchangeOf(ctx) == nil && s.countListening(false) >= maxListenFailures && !s.answers(ctx) {
		s.link.fail(err)
	}
}

// answers reports whether the server answers a request.
func (s *streamable) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, signOfLifeTime)
	defer cancel()
	_, err := s.link.Request(ctx, "ping", nil)
	_, refused := errors.AsType[*jsonrpc.Error](err)
	return err == nil || refused
}

// stub is what mcp-go gets instead of the answer, which may be large: enough to go on.
func (x *exchange) stub() []byte {
	if _, _, err := x.outcome(); err != nil {
		return []byte(`{"jsonrpc":"2.0","id":` + x.id + `,"error":{"code":0,"message":""}}`)
	}
	return []byte(`{"jsonrpc":"2.0","id":` + x.id + `,"result":{}}`)
}

// frameFault tells a malformed answer from something that was never JSON-RPC.
func frameFault(fault *jsonrpc.FrameError, raw []byte, mask Mask) *domain.Error {
	proof := textProof(raw, mask)
	if fault.ID == nil && !json.Valid(raw) {
		return notJSONRPC(typeJSON, proof)
	}
	return malformed(fault, proof)
}
