package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

const (
	headerSession = "Mcp-Session-Id"
	maxBody       = 64 << 20
)

// HTTPServer is a Streamable HTTP server as an http.Handler, for any path.
type HTTPServer struct {
	o Options

	mu       sync.Mutex
	next     int
	sessions map[string]*httpSession
	deleted  []string
	headers  []http.Header
	changes  *changes
	tasks    *tasks
}

type httpSession struct {
	*session
	events chan message
}

// NewHTTP makes a Streamable HTTP server.
func NewHTTP(o Options) *HTTPServer {
	return &HTTPServer{o: o, sessions: make(map[string]*httpSession), changes: newChanges(), tasks: newTasks()}
}

// Forget drops all sessions, as a restart does.
func (h *HTTPServer) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.sessions)
}

// Deleted lists the sessions that were ended by DELETE.
func (h *HTTPServer) Deleted() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.deleted...)
}

// Headers lists the headers of every request so far.
func (h *HTTPServer) Headers() []http.Header {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]http.Header(nil), h.headers...)
}

// ServeHTTP answers one request.
func (h *HTTPServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.headers = append(h.headers, r.Header.Clone())
	h.mu.Unlock()
	if misbehaved(h.o, w, r) {
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		h.listen(w, r)
	case http.MethodDelete:
		h.delete(r.Header.Get(headerSession))
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// misbehaved answers what a server that is none, or that is closed to us, answers.
func misbehaved(o Options, w http.ResponseWriter, r *http.Request) bool {
	echo := ""
	if value := r.Header.Get(o.Echo); value != "" {
		echo = " " + value
	}
	switch {
	case o.is(HTML):
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Welcome</title><h1>Welcome</h1>"+echo)
	case o.is(Unauthorized):
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="http://`+r.Host+`/.well-known/oauth-protected-resource"`+echo)
		http.Error(w, "unauthorized", http.StatusUnauthorized)
	case o.is(Forbidden):
		http.Error(w, "this network is not allowed"+echo, http.StatusForbidden)
	case o.is(Broken):
		http.Error(w, "database is down"+echo, http.StatusInternalServerError)
	case o.is(Moved):
		w.Header().Set("Location", "http://elsewhere.invalid/"+strings.TrimSpace(echo))
		w.WriteHeader(http.StatusPermanentRedirect)
	case o.is(Silent):
		_, _ = io.Copy(io.Discard, r.Body) // only then is it noticed that the client leaves
		<-r.Context().Done()
	default:
		return false
	}
	return true
}

func (h *HTTPServer) post(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	var m message
	if err != nil || json.Unmarshal(raw, &m) != nil {
		http.Error(w, "not JSON-RPC", http.StatusBadRequest)
		return
	}
	if h.o.stateless() && (r.Header.Get("Mcp-Protocol-Version") == Stateless || !h.o.is(Dual)) {
		h.postStateless(w, r, m, raw)
		return
	}
	s := h.sessionFor(w, r, m)
	if s == nil {
		return
	}
	if m.Method == "" || m.ID == nil {
		s.take(r.Context(), raw, func(message) {})
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if h.o.is(PlainJSON) {
		h.answerJSON(w, r, s, raw)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream := newEventWriter(w)
	s.take(r.Context(), raw, stream.send)
}

func (h *HTTPServer) answerJSON(w http.ResponseWriter, r *http.Request, s *httpSession, raw []byte) {
	s.take(r.Context(), raw, func(m message) {
		if m.Method != "" {
			return // there is no place for it in a single answer
		}
		m.JSONRPC = "2.0"
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(m) // the client may be gone
	})
}

// sessionFor finds the session of a request, or starts one for initialize; nil when it has answered with an error.
func (h *HTTPServer) sessionFor(w http.ResponseWriter, r *http.Request, m message) *httpSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m.Method == "initialize" {
		h.next++
		id := "session-" + strconv.Itoa(h.next)
		s := &httpSession{events: make(chan message, 100)}
		s.session = newSession(h.o, func(m message) { s.events <- m })
		s.crash = func() { panic(http.ErrAbortHandler) }
		s.forget = h.Forget
		s.echo = r.Header.Get(h.o.Echo)
		s.changes, s.tasks = h.changes, h.tasks
		h.sessions[id] = s
		w.Header().Set(headerSession, id)
		return s
	}
	id := r.Header.Get(headerSession)
	s := h.sessions[id]
	switch {
	case id == "":
		http.Error(w, "no session", http.StatusBadRequest)
	case s == nil && h.o.is(Bad400JSON):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`)
	case s == nil && h.o.is(Bad400):
		http.Error(w, "Bad Request: No valid session ID provided", http.StatusBadRequest)
	case s == nil:
		http.Error(w, "unknown session", http.StatusNotFound)
	}
	return s
}

func (h *HTTPServer) listen(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	s := h.sessions[r.Header.Get(headerSession)]
	h.mu.Unlock()
	switch {
	case h.o.is(NoListen):
		w.WriteHeader(http.StatusMethodNotAllowed)
	case s == nil:
		http.Error(w, "unknown session", http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		newEventWriter(w).follow(r.Context(), s.events)
	}
}

func (h *HTTPServer) delete(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deleted = append(h.deleted, id)
	delete(h.sessions, id)
}

// eventWriter writes messages as events and lets each go at once.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	mu      sync.Mutex
}

func newEventWriter(w http.ResponseWriter) *eventWriter {
	e := &eventWriter{w: w, control: http.NewResponseController(w)}
	w.WriteHeader(http.StatusOK)
	_ = e.control.Flush() // a client that is gone shows in its context
	return e
}

func (e *eventWriter) send(m message) {
	m.JSONRPC = "2.0"
	e.event("message", string(mustJSON(m)))
}

func (e *eventWriter) event(name, data string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data)
	_ = e.control.Flush()
}

func (e *eventWriter) follow(ctx context.Context, events <-chan message) {
	for {
		select {
		case m := <-events:
			e.send(m)
		case <-ctx.Done():
			return
		}
	}
}
