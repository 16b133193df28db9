package pool

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/transport"
)

// session is a live link to a server after the handshake.
type session struct {
	link     *transport.Link
	greeting greeting
	log      *transport.Log
	started  time.Time
	// pageTime bounds the answer to one page of a list.
	pageTime time.Duration
	// changed says that a list changed; which ones is in dirty.
	changed chan struct{}
	// spoilt receives what makes the session useless though its link still lives.
	spoilt chan error

	mu        sync.Mutex
	dirty     map[string]bool // capabilities whose lists changed
	sinks     map[string]domain.Call
	lastToken int
}

func newSession(link *transport.Link, log *transport.Log, pageTime time.Duration) *session {
	s := &session{
		link: link, log: log, started: time.Now(), pageTime: pageTime,
		changed: make(chan struct{}, 1), spoilt: make(chan error, 1),
		dirty: make(map[string]bool), sinks: make(map[string]domain.Call),
	}
	link.OnNotification(s.notified)
	link.OnRequest(answerServer)
	return s
}

// answerServer answers what a server asks of us outside of any call that could answer it.
func answerServer(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
	if method == "ping" {
		return json.RawMessage("{}"), nil
	}
	return nil, transport.MethodNotFound(method)
}

func (s *session) notified(method string, params json.RawMessage) {
	switch method {
	case "notifications/tools/list_changed":
		s.markDirty("tools")
	case "notifications/resources/list_changed":
		s.markDirty("resources")
	case "notifications/prompts/list_changed":
		s.markDirty("prompts")
	case "notifications/progress":
		s.progressed(params)
	case "notifications/message":
		s.logged(params)
	}
}

func (s *session) markDirty(capability string) {
	s.mu.Lock()
	s.dirty[capability] = true
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default: // it was said already
	}
}

// takeDirty returns the capabilities whose lists changed and forgets them.
func (s *session) takeDirty() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	dirty := s.dirty
	s.dirty = make(map[string]bool)
	return dirty
}

// listen routes the progress of a call to its sink and returns the token that the request must carry.
func (s *session) listen(call domain.Call) (token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastToken++
	token = "apollia-" + strconv.Itoa(s.lastToken)
	s.sinks[token] = call
	return token
}

func (s *session) unlisten(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sinks, token)
}

func (s *session) progressed(params json.RawMessage) {
	m, _ := members(params)
	token, ok := textOf(m["progressToken"])
	if !ok {
		return
	}
	s.mu.Lock()
	call, known := s.sinks[token]
	s.mu.Unlock()
	if known {
		call.Tell(domain.Notice{Kind: domain.NoticeProgress, Params: params})
	}
}

// logged keeps a log message of the server. It names no call, so a call hears it only when no other is in flight.
func (s *session) logged(params json.RawMessage) {
	m, _ := members(params)
	line := "[" + text(m, "level") + "] "
	if logger := text(m, "logger"); logger != "" {
		line += logger + ": "
	}
	if data, ok := textOf(m["data"]); ok {
		line += data
	} else {
		line += string(m["data"])
	}
	s.log.Add(transport.StreamServer, s.link.Mask(line))
	s.mu.Lock()
	var only []domain.Call
	for _, call := range s.sinks {
		only = append(only, call)
	}
	s.mu.Unlock()
	if len(only) == 1 {
		only[0].Tell(domain.Notice{Kind: domain.NoticeLog, Params: params})
	}
}

// spoil ends the session for a reason that its link does not see, such as a sign-in that ran out.
func (s *session) spoil(err error) {
	select {
	case s.spoilt <- err:
	default: // one reason is enough
	}
}
