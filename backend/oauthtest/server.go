package oauthtest

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// idpPath is where the identity provider is that the authorization server trusts.
const idpPath = "/idp"

type object map[string]any

// Server is an authorization server, and the guard of MCP servers that trust it. It is safe for concurrent use.
type Server struct {
	web        *httptest.Server
	keys       *keys
	seen       *observations
	clients    *clients
	pending    *pending
	grants     *grants
	proofs     *proofs
	assertions *replays

	mu      sync.Mutex
	options Options
}

// New starts a server on loopback and ends it with the test.
func New(tb testing.TB, o Options) *Server {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s, err := Start(o, listener)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// Start starts a server on a listener, which it closes with itself.
func Start(o Options, listener net.Listener) (*Server, error) {
	signing, err := newKeys()
	if err != nil {
		return nil, err
	}
	seen := &observations{}
	s := &Server{
		keys: signing, seen: seen, clients: newClients(), pending: newPending(), grants: newGrants(seen),
		proofs: newProofs(), assertions: newReplays(), options: o,
	}
	s.web = httptest.NewUnstartedServer(s)
	if err := s.web.Listener.Close(); err != nil { // its own, in place of ours
		return nil, err
	}
	s.web.Listener = listener
	s.web.Start()
	return s, nil
}

// Close ends the server and every request to it.
func (s *Server) Close() {
	s.web.CloseClientConnections() // those that wait for a delay would hold it up
	s.web.Close()
}

// URL is the origin of the server.
func (s *Server) URL() string { return s.web.URL }

// Issuer is the issuer of the server. Behind PlaceNone the issuer is the origin of the MCP server instead.
func (s *Server) Issuer() string { return s.URL() + s.snapshot().IssuerPath }

// IDP is the issuer of the identity provider, which has endpoints of its own below that address.
func (s *Server) IDP() string { return s.URL() + idpPath }

// SetOptions changes the switches. It gives maps and slices new values instead of changing them in place.
func (s *Server) SetOptions(change func(*Options)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.options)
}

func (s *Server) snapshot() Options {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options
}

// ServeHTTP answers one request to the authorization server.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.seen.request(r)
	if strings.HasPrefix(r.URL.Path, controlPath) && s.snapshot().Control {
		s.control(w, r)
		return
	}
	if !s.serve(w, r, s.URL()) {
		http.NotFound(w, r)
	}
}

// request is one request to the authorization server, with the switches as they were when it came.
type request struct {
	*Server
	o      Options
	base   string // the origin at which the client sees the server
	prefix string // the path of the issuer
	w      http.ResponseWriter
	r      *http.Request
}

func (q *request) issuer() string { return q.base + q.prefix }

// serve answers a request unless its path is none of the authorization server.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, base string) bool {
	o := s.snapshot()
	prefix, endpoint := o.route(r.URL.Path)
	q := &request{Server: s, o: o, base: base, prefix: prefix, w: w, r: r}
	handle := q.handler(r.Method + " " + endpoint)
	if handle == nil {
		return false
	}
	handle()
	return true
}

// route splits a path into that of an issuer and that of an endpoint; without a known issuer the endpoint is empty.
func (o Options) route(path string) (prefix, endpoint string) {
	// RFC 8414 section 3.1 puts the issuer's path last, OpenID discovery first.
	rest, ok := strings.CutPrefix(path, wellKnownServer)
	if ok && (rest == o.IssuerPath || rest == idpPath) {
		return rest, wellKnownServer
	}
	for _, prefix := range []string{idpPath, o.IssuerPath} {
		if strings.HasPrefix(path, prefix+"/") {
			return prefix, path[len(prefix):]
		}
	}
	return "", ""
}

func (q *request) handler(endpoint string) func() {
	switch endpoint {
	case "GET " + wellKnownServer:
		return unless(q.o.OpenIDOnly || q.o.NoMetadata, q.metadata)
	case "GET " + wellKnownOpenID:
		return unless(q.o.NoMetadata, q.metadata)
	case "GET /jwks.json":
		return q.jwks
	case "GET /authorize":
		return q.authorize
	case "POST /authorize":
		return q.decide
	case "POST /token":
		return q.token
	case "POST /register":
		return unless(!q.o.registers(), q.register)
	case "POST /revoke":
		return unless(q.o.NoRevocation, q.revoke)
	}
	return nil
}

func unless(absent bool, handle func()) func() {
	if absent {
		return nil
	}
	return handle
}

func writeJSON(w http.ResponseWriter, status int, document object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(document) //nolint:errchkjson // documents are plain, and the client may be gone
}
