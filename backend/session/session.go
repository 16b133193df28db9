package session

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/transport"
)

// Options are what a session needs from outside. The zero value works.
type Options struct {
	// ServerID is our name of the server, for what it offers.
	ServerID string
	// Version is ours, told to the server.
	Version string
	// Handshake says that the server is known to need initialize, so that it is not asked with server/discover.
	Handshake bool
	// Mirror sends what a tool asks for in headers too (MCP 2026-07-28, SEP-2243): for servers reached over HTTP.
	Mirror bool
	// PageTime bounds the answer to one page of a list; 0 means domain.DefaultTimeout.
	PageTime time.Duration
	// Roots says which folders the server is told of, each time that it asks; nil is none.
	Roots func(context.Context) []string
	// Answerer answers the server's requests; nil refuses all but ping and roots/list.
	Answerer Answerer
	// Updated hears that a resource changed that is followed, or a part of it; nil hears nothing. It must not block.
	Updated func(uri string)
	// Log receives what the server writes as log messages; nil drops it.
	Log *transport.Log
	// After is time.After; tests have their own.
	After func(time.Duration) <-chan time.Time
}

// Session is a conversation with one server over a live link. It is safe for concurrent use once Agree has returned.
type Session struct {
	link     *transport.Link
	options  Options
	greeting Greeting
	// changed says that a list changed; which ones is in dirty.
	changed chan struct{}

	mu      sync.Mutex
	dirty   map[string]bool // capabilities whose lists changed
	listed  map[string]bool // capabilities whose lists were asked for
	aging   map[string]bool // methods of lists that are asked for again after a time
	running map[string]domain.Call
	skills  []domain.Skill
	// subscribed are the resources that are followed; refilter is closed when they change. awaited counts how many times the
	// server was asked to let one be followed and has not answered.
	subscribed map[string]bool
	awaited    map[string]int
	refilter   chan struct{}
	listening  map[string]any // what the server was last asked to tell of

	// level is from where on log messages are wanted; nil leaves it to the server.
	level atomic.Pointer[string]
	// acknowledged counts the streams of changes that the server has begun.
	acknowledged atomic.Int64
	// told is closed by tellNow; see Told.
	told    chan struct{}
	tellNow func()

	// waiting are the waits for lists that grow old; see Wait.
	waiting sync.WaitGroup

	tasks     map[string]domain.Task // those that go on, by the server's name
	lastToken int
}

// New makes a session over a link that nobody else uses. Greet and Agree begin it. It ends with the link.
func New(link *transport.Link, o Options) *Session {
	if o.Answerer == nil {
		o.Answerer = nobody{}
	}
	if o.Log == nil {
		o.Log = transport.NewLog(nil, nil)
	}
	if o.Roots == nil {
		o.Roots = func(context.Context) []string { return nil }
	}
	if o.Updated == nil {
		o.Updated = func(string) {}
	}
	if o.PageTime == 0 {
		o.PageTime = domain.DefaultTimeout
	}
	s := &Session{
		link: link, options: o, changed: make(chan struct{}, 1),
		dirty: make(map[string]bool), listed: make(map[string]bool), aging: make(map[string]bool), running: make(map[string]domain.Call),
		subscribed: make(map[string]bool), awaited: make(map[string]int), tasks: make(map[string]domain.Task), refilter: make(chan struct{}),
		told: make(chan struct{}),
	}
	s.tellNow = sync.OnceFunc(func() { close(s.told) })
	link.OnNotification(s.notified)
	link.OnRequest(s.answer)
	return s
}

// Wait returns once nothing of the session goes on beside its calls. Its link must have ended, and nothing be listed.
func (s *Session) Wait() { s.waiting.Wait() }

// Greeting is what the server said of itself.
func (s *Session) Greeting() Greeting { return s.greeting }

// request asks the server about itself.
func (s *Session) request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	params, err := s.dress(params, "")
	if err != nil {
		return nil, err
	}
	return s.link.Request(ctx, method, params)
}

// Ping asks for a sign of life. A server that refuses to answer gives one.
func (s *Session) Ping(ctx context.Context) error {
	method := "ping"
	if s.greeting.IsStateless() {
		method = "server/discover" // ping is gone there
	}
	_, err := s.request(ctx, method, nil)
	if _, refused := errors.AsType[*jsonrpc.Error](err); refused {
		return nil
	}
	return err
}

func (s *Session) notified(method string, params json.RawMessage) {
	switch method {
	case "notifications/tools/list_changed":
		s.markDirty("tools")
	case "notifications/resources/list_changed":
		s.markDirty("resources")
	case "notifications/prompts/list_changed":
		s.markDirty("prompts")
	case "notifications/resources/updated":
		s.updated(params)
	case "notifications/subscriptions/acknowledged":
		s.begun()
	case "notifications/progress":
		s.progressed(params)
	case "notifications/elicitation/complete":
		s.completedPage(params)
	case "notifications/message":
		s.logged(params)
	}
}

func (s *Session) markDirty(capability string) {
	s.mu.Lock()
	s.dirty[capability] = true
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default: // it was said already
	}
}

// Changed receives when a list has changed; Changes tells which.
func (s *Session) Changed() <-chan struct{} { return s.changed }

// Changes returns the capabilities whose lists changed since it was last asked.
func (s *Session) Changes() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	dirty := s.dirty
	s.dirty = make(map[string]bool)
	return dirty
}

// begin notes a call that runs. The call it returns is told of by one goroutine at a time, and by none once end has
// returned, since its caller has gone on by then. token is what its progress comes with.
func (s *Session) begin(call domain.Call) (told domain.Call, token string, end func()) {
	var telling sync.Mutex
	sink := call.Sink
	call.Sink = func(n domain.Notice) {
		telling.Lock()
		defer telling.Unlock()
		if sink != nil {
			sink(n)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastToken++
	token = "apollia-" + strconv.Itoa(s.lastToken)
	s.running[token] = call
	return call, token, func() {
		s.mu.Lock()
		delete(s.running, token)
		s.mu.Unlock()
		telling.Lock()
		defer telling.Unlock()
		sink = nil
	}
}

// calls are those that run, by the token of their progress.
func (s *Session) calls() map[string]domain.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.running)
}

// askers are the calls that a request of the server may belong to: the one that it came with, or all that run where the
// transport cannot tell.
func (s *Session) askers(ctx context.Context) map[string]domain.Call {
	running := s.calls()
	if token, known := transport.AskedDuring(ctx); known {
		maps.DeleteFunc(running, func(other string, _ domain.Call) bool { return other != token })
	}
	return running
}

// only is the call that is meant where no word says which: the one that runs, or nil.
func only(running map[string]domain.Call) *domain.Call {
	if len(running) != 1 {
		return nil
	}
	for _, call := range running {
		return &call
	}
	return nil
}

// tellRunning tells those of some calls that have not ended meanwhile.
func (s *Session) tellRunning(calls map[string]domain.Call, kind domain.NoticeKind) {
	for token := range s.calls() {
		if call, meant := calls[token]; meant {
			call.Tell(domain.Notice{Kind: kind})
		}
	}
}

func (s *Session) progressed(params json.RawMessage) {
	m, _ := members(params)
	token, ok := textOf(m["progressToken"])
	if !ok {
		return
	}
	s.mu.Lock()
	call, known := s.running[token]
	s.mu.Unlock()
	if known {
		call.Tell(domain.Notice{Kind: domain.NoticeProgress, Params: params})
	}
}

// logged keeps a log message of the server. It names no call, so a call hears it only when no other is in flight.
func (s *Session) logged(params json.RawMessage) {
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
	s.options.Log.Add(transport.StreamServer, s.link.Mask(line))
	if call := only(s.calls()); call != nil {
		call.Tell(domain.Notice{Kind: domain.NoticeLog, Params: params})
	}
}
