package oauthtest

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// TokenRequest is what a request to the token endpoint said, and the error that answered it, if any.
type TokenRequest struct {
	GrantType   string
	ClientID    string
	AuthMethod  string // none, client_secret_basic, client_secret_post, private_key_jwt, or several
	RedirectURI string
	Resource    string
	Scope       string
	Verifier    bool   // whether it had a code_verifier
	Proof       bool   // whether it had a DPoP proof
	Accept      string // the header
	Error       string
}

// Credential is what the guard was shown in an Authorization header.
type Credential struct {
	Scheme string
	Token  string
}

// observations are what tests may ask for afterwards.
type observations struct {
	mu              sync.Mutex
	requests        []string
	authorizations  []url.Values
	tokenRequests   []*TokenRequest
	registrations   []Client
	revocations     []Revocation
	presented       []Credential
	secrets         []string
	refreshes       int
	revokedFamilies int
}

func (o *observations) note(change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
}

// secret makes a secret and remembers it.
func (o *observations) secret(prefix string) string {
	value := prefix + rand.Text()
	o.given(value)
	return value
}

// given remembers a secret that was given away.
func (o *observations) given(value string) {
	o.note(func() { o.secrets = append(o.secrets, value) })
}

func (o *observations) request(r *http.Request) {
	o.note(func() { o.requests = append(o.requests, r.Method+" "+originOf(r)+r.URL.Path) })
}

func (q *request) noteToken(params url.Values) *TokenRequest {
	who := identityOf(q.r, params)
	entry := &TokenRequest{
		GrantType: params.Get("grant_type"), ClientID: who.id, AuthMethod: who.method, RedirectURI: params.Get("redirect_uri"),
		Resource: strings.Join(params["resource"], " "), Scope: params.Get("scope"), Verifier: params.Has("code_verifier"),
		Proof: q.r.Header.Get(headerProof) != "", Accept: q.r.Header.Get("Accept"),
	}
	q.seen.note(func() { q.seen.tokenRequests = append(q.seen.tokenRequests, entry) })
	return entry
}

func observed[T any](o *observations, list *[]T) []T {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(*list)
}

// Requests lists method and URL of all requests to the server and to those that it guards, without their queries.
func (s *Server) Requests() []string { return observed(s.seen, &s.seen.requests) }

// Authorizations lists the parameters of all requests to /authorize.
func (s *Server) Authorizations() []url.Values { return observed(s.seen, &s.seen.authorizations) }

// TokenRequests lists all requests to the token endpoints.
func (s *Server) TokenRequests() []TokenRequest {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	var requests []TokenRequest
	for _, request := range s.seen.tokenRequests {
		requests = append(requests, *request)
	}
	return requests
}

// Registrations lists the clients that registered themselves.
func (s *Server) Registrations() []Client { return observed(s.seen, &s.seen.registrations) }

// Revocations lists the requests to the revocation endpoint that were granted.
func (s *Server) Revocations() []Revocation { return observed(s.seen, &s.seen.revocations) }

// Presented lists the credentials that the guard was shown.
func (s *Server) Presented() []Credential { return observed(s.seen, &s.seen.presented) }

// Secrets lists every secret that was given away: those of clients, codes, tokens and assertions.
func (s *Server) Secrets() []string { return observed(s.seen, &s.seen.secrets) }

// Refreshes counts the refreshes that were granted.
func (s *Server) Refreshes() int {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	return s.seen.refreshes
}

// RevokedFamilies counts the families that ended because a code or a superseded refresh token came back.
func (s *Server) RevokedFamilies() int {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	return s.seen.revokedFamilies
}
