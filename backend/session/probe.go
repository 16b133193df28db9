package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// codeUnsupportedVersion is the error of a server that does not speak the revision of a request (MCP 2026-07-28).
const codeUnsupportedVersion = -32022

// maxProbe is how long a silent server is waited for before the handshake is sent as well.
const maxProbe = 3 * time.Second

// ErrProbe is in the chain when a server ended, or closed the connection, because it was asked with server/discover: it
// is to be started again and greeted with the handshake.
var ErrProbe = errors.New("the server ended when it was asked for its revisions")

// errHandshake says that the server is one of those that begin with a handshake.
var errHandshake = errors.New("the server does not know server/discover")

// discovered is what became of server/discover, or of the handshake.
type discovered struct {
	greeting Greeting
	err      error
}

// probe asks with server/discover. A server that is silent for long gets the handshake too: it may be an old one that
// drops what it does not know, or one that is still starting.
func (s *Session) probe(ctx context.Context) (Greeting, error) {
	asking, stop := context.WithCancel(ctx)
	answer := make(chan discovered, 1)
	go func() {
		g, err := s.discover(asking)
		answer <- discovered{g, err}
	}()
	select {
	case d := <-answer:
		stop()
		return s.afterProbe(ctx, d)
	case <-s.options.after(patience(ctx)):
	}
	first, answered := s.race(ctx, answer)
	stop()
	if !answered {
		<-answer // its goroutine ends with the greeting
	}
	return first.greeting, first.err
}

// patience is how long a silent server is waited for: a third of the time that is left for the start, so that most of
// it is left for the handshake.
func patience(ctx context.Context) time.Duration {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return maxProbe
	}
	return min(maxProbe, time.Until(deadline)/3)
}

// afterProbe goes on with the answer to server/discover.
func (s *Session) afterProbe(ctx context.Context, d discovered) (Greeting, error) {
	switch {
	case d.err == nil:
		return d.greeting, nil
	case s.endedByItself():
		return Greeting{}, endedByProbe(d.err)
	case isRefusal(d.err):
		return s.initialize(ctx)
	}
	return Greeting{}, d.err
}

// race sends the handshake while server/discover is unanswered. The first good answer counts: a server that refuses the one
// gets its time to answer the other. answered says that answer was read.
func (s *Session) race(ctx context.Context, answer <-chan discovered) (first discovered, answered bool) {
	shaking, stop := context.WithCancel(ctx)
	defer stop()
	shaken := make(chan discovered, 1)
	go func() {
		g, err := s.initialize(shaking)
		shaken <- discovered{g, err}
	}()
	var h discovered
	select {
	case h = <-shaken:
		if h.err == nil || !isRefusal(h.err) {
			return h, false
		}
		if d := <-answer; d.err == nil {
			return d, true
		}
	case d := <-answer:
		if d.err == nil {
			stop()
			<-shaken
			return d, true
		}
		h = <-shaken
	}
	if h.err != nil && s.endedByItself() {
		h.err = endedByProbe(h.err)
	}
	return h, true
}

// endedByItself holds once a server has ended that runs on this machine.
func (s *Session) endedByItself() bool { return s.link.PID() != 0 && s.link.Err() != nil }

// endedByProbe keeps how the server ended and adds why that may be.
func endedByProbe(err error) error {
	e := *domain.AsError(err)
	e.Cause = errors.Join(ErrProbe, e.Cause)
	return &e
}

// isRefusal holds for what servers answer that do not know server/discover, or no handshake: an error, a status, a page,
// nonsense.
func isRefusal(err error) bool {
	var refused *jsonrpc.Error
	if errors.Is(err, errHandshake) || errors.As(err, &refused) {
		return true
	}
	switch domain.CodeOf(err) {
	case domain.CodeHTTPStatus, domain.CodeHTML, domain.CodeNotJSONRPC, domain.CodeProtocol, domain.CodeConnClosed:
		return true
	}
	return false
}

// after is time.After, or the clock of a test.
func (o Options) after(d time.Duration) <-chan time.Time {
	if o.After != nil {
		return o.After(d)
	}
	return time.After(d)
}

// discover asks once, and once more when the server refuses our revision but names it as supported.
func (s *Session) discover(ctx context.Context) (Greeting, error) {
	g, err := s.discoverOnce(ctx)
	var refused *jsonrpc.Error
	if errors.As(err, &refused) && refused.Code == codeUnsupportedVersion && slices.Contains(supportedIn(refused.Data), Stateless) {
		g, err = s.discoverOnce(ctx)
	}
	return g, err
}

func (s *Session) discoverOnce(ctx context.Context) (Greeting, error) {
	params, err := s.dress(nil, "")
	if err != nil {
		return Greeting{}, err
	}
	raw, err := s.link.RequestAs(ctx, Stateless, "server/discover", params)
	if err != nil {
		return Greeting{}, err
	}
	var said struct {
		Supported    []string               `json:"supportedVersions"`
		Info         *domain.Implementation `json:"serverInfo"`
		Instructions string                 `json:"instructions"`
		Capabilities json.RawMessage        `json:"capabilities"`
		Meta         struct {
			Info *domain.Implementation `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return Greeting{}, fmt.Errorf("%w: %w", errHandshake, err)
	}
	if !slices.Contains(said.Supported, Stateless) {
		return Greeting{}, errHandshake
	}
	if said.Meta.Info != nil {
		said.Info = said.Meta.Info
	}
	return Greeting{Version: Stateless, Info: said.Info, Instructions: said.Instructions, Capabilities: said.Capabilities}, nil
}
