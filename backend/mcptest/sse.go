package mcptest

import (
	"io"
	"net/http"
	"strconv"
	"sync"
)

// SSEServer is a server of the 2024-11-05 HTTP+SSE transport as an http.Handler: GET any path for the stream, POST to
// the address it names.
type SSEServer struct {
	o Options

	mu       sync.Mutex
	next     int
	sessions map[string]*sseSession
}

type sseSession struct {
	*session
	stream *eventWriter
	ended  chan struct{}
	end    func()
}

// NewSSE makes a server of the HTTP+SSE transport.
func NewSSE(o Options) *SSEServer { return &SSEServer{o: o, sessions: make(map[string]*sseSession)} }

// Drop closes all streams, as a restart does.
func (h *SSEServer) Drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		s.end()
	}
}

// ServeHTTP answers one request.
func (h *SSEServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if misbehaved(h.o, w, r) {
		return
	}
	switch r.Method {
	case http.MethodGet:
		h.stream(w, r)
	case http.MethodPost:
		h.post(w, r)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (h *SSEServer) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	s := &sseSession{stream: newEventWriter(w), ended: make(chan struct{})}
	s.end = sync.OnceFunc(func() { close(s.ended) })
	s.session = newSession(h.o, s.stream.send)
	s.crash, s.forget = s.end, func() {}
	s.echo = r.Header.Get(h.o.Echo)
	h.mu.Lock()
	h.next++
	id := strconv.Itoa(h.next)
	h.sessions[id] = s
	h.mu.Unlock()

	endpoint := "/messages?session=" + id
	if h.o.is(ForeignPost) {
		endpoint = "http://elsewhere.invalid" + endpoint + s.echo
	}
	s.stream.event("endpoint", endpoint)
	select {
	case <-s.ended:
	case <-r.Context().Done():
	}
	h.mu.Lock()
	delete(h.sessions, id)
	h.mu.Unlock()
	s.end()
	s.calls.Wait()
}

func (h *SSEServer) post(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	h.mu.Lock()
	s := h.sessions[r.URL.Query().Get("session")]
	if s != nil {
		s.calls.Add(1) // while it is known: its stream waits for it
		defer s.calls.Done()
	}
	h.mu.Unlock()
	if err != nil || s == nil {
		http.Error(w, "unknown session", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	s.later(raw, s.ended)
}
