package oauthtest

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	codeLifetime = time.Minute
	subject      = "person"
)

// family is everything that goes back to one decision of a person: a code, and tokens one after the other.
type family struct {
	client, subject, resource string
	scopes                    []string
	refreshes                 bool   // whether it has refresh tokens
	public                    bool   // then DPoP binds the refresh tokens too (RFC 9449 section 5)
	thumbprint                string // of the key to which they are bound
	current                   string // the refresh token that was given last
	revoked                   bool
}

// code is an authorization code, and what it is bound to.
type code struct {
	family              *family
	redirect, challenge string
	thumbprint          string // of the key announced by dpop_jkt (RFC 9449 section 10)
	expires             time.Time
	used                bool
}

// accessToken is one that was given, and what it opens.
type accessToken struct {
	family     *family
	scopes     []string
	thumbprint string
	expires    time.Time
}

// grants are the codes and tokens. A change is one step: nobody sees half of it.
type grants struct {
	seen *observations

	mu      sync.Mutex
	codes   map[string]*code
	access  map[string]*accessToken
	refresh map[string]*family // current and superseded ones
}

func newGrants(seen *observations) *grants {
	return &grants{seen: seen, codes: make(map[string]*code), access: make(map[string]*accessToken), refresh: make(map[string]*family)}
}

func (g *grants) addCode(o Options, c code) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	c.expires = o.now().Add(codeLifetime)
	value := g.seen.secret("code-")
	g.codes[value] = &c
	return value
}

// redemption is what a client shows for a code.
type redemption struct {
	client, redirect, verifier, resource, thumbprint string
}

// redeem gives tokens for a code, once: a second try ends what the first one got (OAuth 2.1 section 4.1.3).
func (g *grants) redeem(o Options, value string, r redemption) (object, *refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.codes[value]
	switch {
	case c == nil || c.family.client != r.client:
		return nil, refuse("invalid_grant", "no such code for this client")
	case c.used:
		g.endFamily(c.family)
		return nil, refuse("invalid_grant", "the code has been used")
	case o.now().After(c.expires):
		return nil, refuse("invalid_grant", "the code has expired")
	case c.redirect != r.redirect:
		return nil, refuse("invalid_grant", "redirect_uri is not that of the authorization request")
	case !o.answers(c.challenge, r.verifier):
		return nil, refuse("invalid_grant", "code_verifier does not answer the challenge")
	case r.resource != "" && r.resource != c.family.resource:
		return nil, refuse("invalid_target", "resource is not that of the authorization request")
	case c.thumbprint != "" && c.thumbprint != r.thumbprint:
		return nil, refuse("invalid_dpop_proof", "the key is not that of dpop_jkt")
	}
	c.used = true
	if c.family.public {
		c.family.thumbprint = r.thumbprint
	}
	answer := g.issue(o, c.family, c.family.scopes, r.thumbprint)
	if c.family.refreshes {
		answer["refresh_token"] = g.giveRefresh(c.family)
	}
	return answer, nil
}

// answers checks PKCE (RFC 7636 section 4.6). A verifier without a challenge is an attack (RFC 9700 section 4.8.2).
func (o Options) answers(challenge, verifier string) bool {
	if challenge == "" {
		return verifier == ""
	}
	if len(verifier) < 43 || len(verifier) > 128 {
		return false
	}
	if !o.PlainPKCEOnly {
		verifier = hashed(verifier)
	}
	return subtle.ConstantTimeCompare([]byte(challenge), []byte(verifier)) == 1
}

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// renewal is what a client shows for new tokens.
type renewal struct {
	client, resource, thumbprint string
	scopes                       []string
}

// renew gives tokens for a refresh token (OAuth 2.1 section 4.3).
func (g *grants) renew(o Options, value string, r renewal) (object, *refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.refresh[value]
	switch {
	case f == nil || f.client != r.client:
		return nil, refuse("invalid_grant", "no such refresh token for this client")
	case f.revoked:
		return nil, refuse("invalid_grant", "the grant has been revoked")
	case f.current != value:
		g.endFamily(f)
		return nil, refuse("invalid_grant", "the refresh token has been superseded: the grant is revoked")
	case f.thumbprint != "" && f.thumbprint != r.thumbprint:
		return nil, refuse("invalid_dpop_proof", "the refresh token is bound to another key")
	case r.resource != "" && r.resource != f.resource:
		return nil, refuse("invalid_target", "resource is not that of the grant")
	case !contains(f.scopes, r.scopes):
		return nil, refuse("invalid_scope", "scope goes beyond the grant")
	}
	scopes := f.scopes
	if len(r.scopes) > 0 {
		scopes = r.scopes
	}
	answer := g.issue(o, f, scopes, r.thumbprint)
	if o.Rotate {
		answer["refresh_token"] = g.giveRefresh(f)
	}
	g.seen.note(func() { g.seen.refreshes++ })
	return answer, nil
}

func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

// give issues a token to a client that has no person behind it.
func (g *grants) give(o Options, f *family, thumbprint string) object {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.issue(o, f, f.scopes, thumbprint)
}

// issue makes an access token and the answer that brings it (OAuth 2.1 section 3.2.3).
func (g *grants) issue(o Options, f *family, scopes []string, thumbprint string) object {
	value := g.seen.secret("access-")
	g.access[value] = &accessToken{family: f, scopes: scopes, thumbprint: thumbprint, expires: o.now().Add(o.lifetime())}
	answer := object{"access_token": value, "token_type": "Bearer", "scope": strings.Join(scopes, " ")}
	if thumbprint != "" {
		answer["token_type"] = "DPoP"
	}
	if !o.NoExpiry {
		answer["expires_in"] = int(o.lifetime() / time.Second)
	}
	return answer
}

func (g *grants) giveRefresh(f *family) string {
	f.current = g.seen.secret("refresh-")
	g.refresh[f.current] = f
	return f.current
}

// endFamily revokes a family of which a token or code came back a second time.
func (g *grants) endFamily(f *family) {
	if !f.revoked {
		f.revoked = true
		g.seen.note(func() { g.seen.revokedFamilies++ })
	}
}

// find gives the access token that is good now.
func (g *grants) find(o Options, value string) (accessToken, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	token := g.access[value]
	if token == nil || token.family.revoked || !o.now().Before(token.expires) {
		return accessToken{}, false
	}
	return *token, true
}

// Expire ends all access tokens. Refresh tokens live on.
func (s *Server) Expire() {
	s.grants.mu.Lock()
	defer s.grants.mu.Unlock()
	clear(s.grants.access)
}

// RevokeAll ends all grants, as a person does at the provider.
func (s *Server) RevokeAll() {
	s.grants.mu.Lock()
	defer s.grants.mu.Unlock()
	for _, f := range s.grants.refresh {
		f.revoked = true
	}
	clear(s.grants.access)
	clear(s.grants.codes)
}
