package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// sse carries frames over the HTTP+SSE transport of revision 2024-11-05: one event stream from the server, one POST
// for each frame to it. It is our own because mcp-go's gives the server's requests to whoever waits for an answer.
type sse struct {
	*peer
	end    *httpEnd
	stream io.ReadCloser // of the goroutine that reads, once there is one
	// endStream ends the stream that was opened again; it belongs to that goroutine, too.
	endStream context.CancelFunc
	stop      context.CancelFunc // ends life
	read      sync.WaitGroup
	posts     sync.WaitGroup
	place     streamPlace
	after     func(time.Duration) <-chan time.Time

	mu       sync.Mutex
	version  string
	endpoint string
	closed   bool // no post begins any more
}

func dialSSE(ctx context.Context, d domain.Definition, o Options, step StepFunc) (*Link, error) {
	reach, err := newReach(d.URL, o)
	if err != nil {
		return nil, err
	}
	l := newLink(o)
	life, stop := context.WithCancel(context.Background())
	s := &sse{end: newHTTPEnd(reach, d, o, nil), stop: stop, after: o.After}
	s.endStream = func() {}
	s.peer = newPeer(l, d.MaxMessage(), s.post)
	s.begin = s.beginPost
	l.carrier = s

	// The stream lives until close; until it is open, the end of ctx ends it too.
	opened := context.AfterFunc(ctx, stop)
	err = s.open(ctx, life, step)
	if !opened() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = s.close() // it has no error of its own
		return nil, l.explain(ctx, "GET", err)
	}
	return l, nil
}

// open connects, opens the stream and waits for the event that names where to post. The connect step is told only
// then, since before it there is no server to speak of.
func (s *sse) open(ctx, life context.Context, step StepFunc) error {
	connected := ""
	err := s.end.reach.open(ctx, func(name domain.StepName, detail string) {
		if name == domain.StepConnect {
			connected = detail
			return
		}
		step(name, detail)
	})
	if err != nil {
		return err
	}
	events, err := s.openStream(life)
	if err != nil {
		return err
	}
	s.place.heard = true
	if err := s.awaitEndpoint(events); err != nil {
		return err
	}
	step(domain.StepConnect, connected)
	s.read.Go(func() { s.readEvents(life, events) })
	return nil
}

func (s *sse) openStream(life context.Context) (*eventReader, error) {
	req, err := http.NewRequestWithContext(life, http.MethodGet, s.end.reach.url.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", typeEvents)
	req.Header.Set("Cache-Control", "no-cache")
	if s.place.lastID != "" {
		req.Header.Set(headerLastEvent, s.place.lastID)
	}
	resp, err := s.end.client.Do(req) //nolint:bodyclose // it is the stream, which abandon closes
	if err != nil {
		return nil, networkError(life, req.URL.Host, err)
	}
	s.stream = resp.Body
	if err := statusError(resp, s.link.mask); err != nil {
		return nil, err
	}
	switch media := mediaType(resp); media {
	case typeEvents:
		return newEventReader(resp.Body, s.limit), nil
	case typeHTML:
		return nil, htmlInstead(resp, s.link.mask)
	default:
		return nil, notJSONRPC(media, bodyProof(resp.Body, s.link.mask))
	}
}

func (s *sse) awaitEndpoint(events *eventReader) error {
	for {
		e, err := events.next()
		if err != nil {
			return streamEnded(err)
		}
		s.place.note(e)
		if e.name != "endpoint" {
			continue
		}
		return s.setEndpoint(string(e.data))
	}
}

// setEndpoint accepts only an address at the server itself: what we post there carries its credentials.
func (s *sse) setEndpoint(address string) error {
	base := s.end.reach.url
	u, err := base.Parse(address)
	if err != nil || !domain.SameOrigin(base, u) {
		return &domain.Error{
			Code: domain.CodeProtocol, Message: "The server names an address of another host for its messages.",
			Hint: notServerHint, Args: map[string]string{"endpoint": s.link.mask.Hide(address)}, Cause: err,
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	endpoint := withoutFragment(u)
	if s.place.reopened && endpoint != s.endpoint {
		return streamEnded(errors.New("it was opened again, for another session"))
	}
	s.endpoint = endpoint
	return nil
}

func withoutFragment(u *url.URL) string {
	u.Fragment = ""
	return u.String()
}

// readEvents reads until the link ends, over as many streams as it takes.
func (s *sse) readEvents(life context.Context, events *eventReader) {
	for s.link.Err() == nil {
		e, err := events.next()
		if err == nil {
			s.event(e)
			continue
		}
		if events, err = s.reopen(life, err); err != nil {
			s.link.fail(err)
		}
	}
}

func (s *sse) event(e event) {
	s.place.note(e)
	if e.name != "endpoint" {
		s.place.heard = s.place.heard || e.over != nil || len(e.data) > 0
		s.peer.event(e, nil)
		return
	}
	if err := s.setEndpoint(string(e.data)); err != nil {
		s.link.fail(err)
	}
}

func streamEnded(cause error) error {
	e := &domain.Error{
		Code: domain.CodeConnClosed, Message: "The server closed the event stream.",
		Hint: "Check the server's own log, then connect again.", Cause: cause,
	}
	if !errors.Is(cause, io.EOF) {
		e.Proof = cause.Error()
	}
	return e
}

// beginPost posts the request x aside: its answer is on the stream, and may be there before the POST has ended.
func (s *sse) beginPost(ctx context.Context, x *exchange, frame []byte) <-chan error {
	sent, posted := make(chan error, 1), make(chan struct{})
	// close waits for the posts there are: one that begins beside it would be missed.
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		sent <- unsent(errClosed)
		return sent
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.posts.Go(func() {
		defer close(posted)
		sent <- s.send(ctx, frame)
	})
	s.posts.Go(func() {
		defer cancel()
		s.letPost(x, posted)
	})
	return sent
}

// letPost waits for the end of a POST, and after that of its request only a moment, so that the connection can be used
// again.
func (s *sse) letPost(x *exchange, posted <-chan struct{}) {
	select {
	case <-posted:
		return
	case <-x.ended:
	case <-s.link.done:
	}
	select {
	case <-posted:
	case <-s.after(finishGrace):
	}
}

func (s *sse) post(ctx context.Context, frame []byte) error {
	s.mu.Lock()
	endpoint, version := s.endpoint, s.version
	s.mu.Unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(frame))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", typeJSON)
	if version != "" {
		req.Header.Set(headerProtocol, version)
	}
	resp, err := s.end.client.Do(req)
	if err != nil {
		return s.link.unreachable(req, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusGone {
		e := sessionForgotten(nil)
		s.link.fail(e)
		return unsent(e)
	}
	if err := statusError(resp, s.link.mask); err != nil {
		return err
	}
	// The answer comes on the stream; reading the little that is here lets the connection be used again.
	_, _ = io.CopyN(io.Discard, resp.Body, maxBodyProof)
	return nil
}

func (s *sse) setProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

func (s *sse) abandon() {
	s.stop()
	s.endStream()
	if s.stream != nil {
		_ = s.stream.Close()
	}
	s.end.close()
}

func (s *sse) close() error {
	s.letFinish()
	s.stop()
	s.read.Wait()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.posts.Wait()
	s.abandon()
	return nil
}
