package mcptest

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
)

// message is a frame as this server reads and writes it, kindly.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// session is what one client has with the server, whatever the transport.
type session struct {
	o    Options
	emit func(message) // sends outside of any request
	// crash ends the server in the middle of a call; forget drops all sessions. Set before use, nil where they mean nothing.
	crash  func()
	forget func()
	// echo is the value that Echo names, empty for a server that repeats nothing. Set before use.
	echo string

	calls sync.WaitGroup // started by later

	mu        sync.Mutex
	nextID    int
	nextPage  int
	locks     map[string]string // pages that locked wants opened, "" once they were
	asked     map[string]chan json.RawMessage
	running   map[string]context.CancelFunc
	cancelled []string
	level     string // of the log messages that are wanted

	// changes is of the whole server.
	changes *changes
	tasks   *tasks
}

func newSession(o Options, emit func(message)) *session {
	return &session{
		o: o, emit: emit,
		asked: make(map[string]chan json.RawMessage), locks: make(map[string]string),
		running: make(map[string]context.CancelFunc), changes: newChanges(), tasks: newTasks(),
	}
}

// take handles one frame; send carries what belongs to it. It returns when the frame is done with.
func (s *session) take(ctx context.Context, raw []byte, send func(message)) {
	var m message
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(raw, &m) != nil || json.Unmarshal(raw, &answer) != nil {
		send(message{ID: json.RawMessage("null"), Error: &rpcError{Code: -32700, Message: "parse error"}})
		return
	}
	switch {
	case m.Method == "":
		s.answered(m.ID, answer.Result, answer.Error)
	case m.ID == nil:
		s.notified(m)
	default:
		s.request(ctx, m, send)
	}
}

// later handles a frame on a goroutine of its own, until ended is closed.
func (s *session) later(raw []byte, ended <-chan struct{}) {
	s.calls.Go(func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		finished := make(chan struct{})
		defer close(finished)
		s.calls.Go(func() {
			select {
			case <-ended:
				cancel()
			case <-finished:
			}
		})
		s.take(ctx, raw, s.emit)
	})
}

func (s *session) request(ctx context.Context, m message, send func(message)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.running[string(m.ID)] = cancel
	s.mu.Unlock()
	result, failure := s.repeat(s.respond(ctx, m, send))
	s.mu.Lock()
	delete(s.running, string(m.ID))
	s.mu.Unlock()
	if ctx.Err() == nil && !s.o.is(Silent) {
		send(message{ID: m.ID, Result: result, Error: failure})
	}
}

func (s *session) notified(m message) {
	if m.Method == "notifications/roots/list_changed" {
		s.emit(message{Method: "notifications/message", Params: mustJSON(object{"level": "info", "logger": "fake", "data": "the folders changed"})})
	}
	if m.Method != "notifications/cancelled" {
		return
	}
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled = append(s.cancelled, string(p.RequestID))
	if cancel := s.running[string(p.RequestID)]; cancel != nil {
		cancel()
	}
}

// ask sends a request to the client and waits for its answer: the result, or the error as it came.
func (s *session) ask(ctx context.Context, method string, params any, send func(message)) json.RawMessage {
	s.mu.Lock()
	s.nextID++
	id := json.RawMessage(strconv.Itoa(s.nextID))
	answer := make(chan json.RawMessage, 1)
	s.asked[string(id)] = answer
	s.mu.Unlock()
	send(message{ID: id, Method: method, Params: mustJSON(params)})
	select {
	case raw := <-answer:
		return raw
	case <-ctx.Done():
		return json.RawMessage("null")
	}
}

func (s *session) answered(id, result, failure json.RawMessage) {
	s.mu.Lock()
	answer := s.asked[string(id)]
	delete(s.asked, string(id))
	s.mu.Unlock()
	if answer == nil {
		return
	}
	if result == nil {
		result = failure
	}
	answer <- result
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // only values of ours come here
	}
	return raw
}
