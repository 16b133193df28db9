package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// maxListenFailures is how often in a row the listening stream may fail to connect before the link counts as lost;
// mcp-go tries once a second.
const maxListenFailures = 3

const (
	longestListenPause = time.Minute
	// signOfLifeTime bounds the answer that shows that only the stream fails.
	signOfLifeTime = 10 * time.Second
)

// listenPause is how long mcp-go waits before it listens again.
const listenPause = time.Second

// listenGrace is how long the answer to the first listening stream is waited for. What a server asks before that stream
// is open, it asks nobody; some do not answer it before they have something to say.
const listenGrace = time.Second

// streamable carries frames over Streamable HTTP.
//
// mcp-go keeps the session, resumes broken streams and listens between requests. What passes through it is re-modelled
// on the way, so our RoundTripper reads every answer first: it takes notifications and server requests out of the
// streams, remembers the answer as it came, and hands mcp-go only what makes it go on.
type streamable struct {
	*pending
	end     *httpEnd
	session *mcpgo.StreamableHTTP
	url     string
	stop    context.CancelFunc // ends the listening stream
	after   func(time.Duration) <-chan time.Time

	// greeted is closed once a frame of our own went out: before that, the server expects no listening stream.
	greeted   chan struct{}
	greetOnce sync.Once
	// listens is closed once the server has answered the first listening stream, whatever it said.
	listens    chan struct{}
	listenOnce sync.Once

	mu             sync.Mutex
	version        string
	listenFailures int
	listened       bool // it was given the listening stream once
	listening      streamPlace
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

func dialHTTP(ctx context.Context, d domain.Definition, o Options, step StepFunc) (*Link, error) {
	reach, err := newReach(d.URL, o)
	if err != nil {
		return nil, err
	}
	if err := reach.open(ctx, step); err != nil {
		return nil, err
	}
	l := newLink(o)
	life, stop := context.WithCancel(context.Background())
	s := &streamable{
		pending: newPending(l, d.MaxMessage()), url: d.URL, stop: stop, after: o.After,
		greeted: make(chan struct{}), listens: make(chan struct{}),
	}
	s.end = newHTTPEnd(reach, d, o, func(next http.RoundTripper) http.RoundTripper { return &answerReader{s: s, next: next} })
	s.session, err = mcpgo.NewStreamableHTTP(d.URL,
		mcpgo.WithHTTPBasicClient(s.end.client),
		mcpgo.WithContinuousListening(), //nolint:staticcheck // the revisions spoken here have that stream
		// Everything it logs it also returns.
		mcpgo.WithHTTPLogger(slog.New(slog.DiscardHandler)))
	if err == nil {
		err = s.session.Start(life)
	}
	if err != nil {
		stop()
		s.end.close()
		return nil, err
	}
	l.carrier = s
	return l, nil
}

func (s *streamable) request(ctx context.Context, id int64, method string, params json.RawMessage, headers map[string]string) (json.RawMessage, error) {
	if params != nil && !json.Valid(params) {
		return nil, badParams(method, errors.New("not valid JSON"))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x := newExchange(ctx, strconv.FormatInt(id, 10), cancel)
	if !s.note(x) {
		return nil, unsent(s.link.Err())
	}
	defer s.forget(x)

	request := mcpgo.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(id), Method: method}
	if params != nil {
		request.Params = params
	}
	request.Header = s.headers(method, params, headers)
	_, err := s.session.SendRequest(context.WithValue(ctx, exchangeKey{}, x), request)
	if result, settled, failure := x.outcome(); settled {
		return result, failure
	}
	switch {
	case errors.Is(err, mcpgo.ErrSessionTerminated):
		return nil, s.terminated(x, err)
	case err == nil || ctx.Err() == nil:
		return nil, s.unanswered(err)
	}
	return nil, err
}

// unanswered says why a request that the server took has no answer.
func (s *streamable) unanswered(cause error) error {
	if babble := s.link.silence.onlyBabble(); babble != nil {
		return babble
	}
	return &domain.Error{
		Code: domain.CodeConnClosed, Message: "The server ended its answer before the result.",
		Hint: "Check the server's own log, then try again.", Cause: cause,
	}
}

// terminated ends the link for a request that the session's end kept from its answer. One that the server took may have
// run: it must not be sent again.
func (s *streamable) terminated(x *exchange, cause error) error {
	err := s.forgotten(cause)
	if x.wasAccepted() {
		return sessionForgotten(cause)
	}
	return err
}

// forgotten ends the link: a new session starts with a new link.
func (s *streamable) forgotten(cause error) error {
	e := sessionForgotten(cause)
	s.link.fail(e)
	return unsent(e)
}

// reached notes how far the listening stream was read; that of a request is resumed by mcp-go.
func (s *streamable) reached(x *exchange, e event) {
	if x == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.listening.note(e)
	}
}

// resume asks for what came on the listening stream while it was away, not before the server wants it.
func (s *streamable) resume(req *http.Request) error {
	s.mu.Lock()
	place, failures := s.listening, s.listenFailures
	s.mu.Unlock()
	if place.lastID != "" {
		req.Header.Set(headerLastEvent, place.lastID)
	}
	pause := max(place.pauseAfter(listenPause), pauseAfterFailures(failures))
	if pause <= 0 {
		return nil
	}
	select {
	case <-s.after(pause):
		return nil
	case <-req.Context().Done():
		return context.Cause(req.Context())
	}
}

// pauseAfterFailures is how much longer than usual to wait before the listening stream is opened again: it doubles with
// each failure in a row.
func pauseAfterFailures(failures int) time.Duration {
	if failures < maxListenFailures {
		return 0
	}
	return min(listenPause<<min(failures-maxListenFailures, 10), longestListenPause)
}

// send posts a frame of our own. mcp-go would re-model a notification, and give an answer 30 seconds.
func (s *streamable) send(ctx context.Context, frame []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(frame))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", typeJSON)
	req.Header.Set("Accept", typeJSON+", "+typeEvents)
	if id := s.session.GetSessionId(); id != "" {
		req.Header.Set(headerSession, id)
	}
	s.nameVersion(req)
	if m, err := jsonrpc.Read(frame, jsonrpc.Limits{Size: int64(len(frame))}); err == nil && m[0].Method != "" {
		maps.Copy(req.Header, s.headers(m[0].Method, m[0].Params, nil))
	}
	resp, err := s.end.client.Do(req)
	if err != nil {
		return err
	}
	s.greetOnce.Do(func() {
		close(s.greeted)
		s.awaitListening(ctx)
	})
	// Nothing is expected in the body; what little there is lets the connection be used again.
	_, _ = io.CopyN(io.Discard, resp.Body, maxBodyProof)
	return resp.Body.Close()
}

// awaitListening waits, after the greeting, until the server can ask us something between requests, or will not.
func (s *streamable) awaitListening(ctx context.Context) {
	select {
	case <-s.listens:
	case <-s.after(listenGrace):
	case <-s.link.Done():
	case <-ctx.Done():
	}
}

// headers are those that the revision wants, and those of the caller.
func (s *streamable) headers(method string, params json.RawMessage, more map[string]string) http.Header {
	s.mu.Lock()
	version := s.version
	s.mu.Unlock()
	h := http.Header{}
	for name, value := range standardHeaders(version, method, params) {
		h.Set(name, value)
	}
	for name, value := range more {
		h.Set(name, value)
	}
	return h
}

// endsWithContext holds for the stateless revision: the end of the answer's stream is the cancellation.
func (s *streamable) endsWithContext() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return isStateless(s.version)
}

func (s *streamable) nameVersion(req *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version != "" {
		req.Header.Set(headerProtocol, s.version)
	}
}

func (s *streamable) setProtocolVersion(version string) {
	s.mu.Lock()
	s.version = version
	s.mu.Unlock()
	s.session.SetProtocolVersion(version)
}

// close ends the session at the server with DELETE, then everything of ours.
func (s *streamable) close() error {
	s.letFinish()
	err := s.session.Close()
	s.stop()
	s.end.close()
	return err
}
