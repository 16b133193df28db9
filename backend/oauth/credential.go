package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Subject is whose credential it is: that of a user of an app for a server.
type Subject struct{ App, User, Server string }

// Target is a server that may want a sign-in, as it is defined now.
type Target struct {
	Subject
	// URL is the server's, with its variables filled in; empty for a stdio server.
	URL string
	// Auth says how to sign in, with its variables filled in; nil leaves everything to discovery.
	Auth *domain.Auth
}

// auth is never nil.
func (t Target) auth() domain.Auth {
	if t.Auth == nil {
		return domain.Auth{}
	}
	return *t.Auth
}

func (t Target) grant() domain.Grant {
	if g := t.auth().Grant; g != "" {
		return g
	}
	return domain.AuthorizationCode
}

// NeedsPerson reports whether somebody has to sign in, or the program does so by itself.
func (t Target) NeedsPerson() bool { return t.grant() == domain.AuthorizationCode }

// digest is of what a credential depends on: when that changes, another sign-in is needed. Scopes are not
// part of it, since more of them are asked for as a step-up, nor are secrets, which may be renewed.
func (t Target) digest() string {
	a := t.auth()
	parts := []string{t.URL, a.Provider, a.Tenant, a.ClientID, a.AuthorizeURL, a.TokenURL, string(t.grant()), a.IDPTokenURL, fmt.Sprint(a.DPoP)}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// credential is what a sign-in came to, with all that is needed to go on without discovery. It is a secret as a whole.
type credential struct {
	Server serverMetadata `json:"server"`
	Client registration   `json:"client"`
	Style  style          `json:"style,omitzero"`
	// Resource is what the token is for (RFC 8707), byte for byte as the server names it.
	Resource string    `json:"resource,omitempty"`
	Access   string    `json:"access_token"`
	Refresh  string    `json:"refresh_token,omitempty"`
	Kind     string    `json:"token_type,omitempty"`
	Obtained time.Time `json:"obtained_at"`
	Expires  time.Time `json:"expires_at,omitzero"` // of the access token; zero: until it is refused
	Scopes   []string  `json:"scopes,omitempty"`
	// Missing are the scopes that calls lacked since, for the next sign-in: whoever begins it may be another process.
	Missing []string `json:"missing,omitempty"`
	// Key is that of DPoP.
	Key json.RawMessage `json:"key,omitempty"`
	// Refused says that the refresh token is worth nothing any more: a person has to sign in again.
	Refused bool `json:"refused,omitempty"`
}

// String keeps what is secret out of logs.
func (c credential) String() string { return "credential of " + c.Server.Issuer }

// GoString keeps %#v from printing more than String.
func (c credential) GoString() string { return c.String() }

// LogValue keeps logs of JSON from holding more than String.
func (c credential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Bounds of how long before its end a token is renewed: the smaller of the two.
const (
	earlyAtMost = 5 * time.Minute
	earlyShare  = 5 // of its life
)

// renewAt is from when on the token is to be renewed; zero for one without an end.
func (c credential) renewAt() time.Time {
	if c.Expires.IsZero() {
		return time.Time{}
	}
	return c.Expires.Add(-min(earlyAtMost, c.Expires.Sub(c.Obtained)/earlyShare))
}

// due reports whether the token is to be renewed now. A token without an end never is.
func (c credential) due(now time.Time) bool { return !c.Expires.IsZero() && !now.Before(c.renewAt()) }

func (c credential) expired(now time.Time) bool { return !c.Expires.IsZero() && !now.Before(c.Expires) }

// renewable reports whether a new token can be had without a person.
func (c credential) renewable() bool { return c.Refresh != "" && !c.Refused }

// with is the credential after a token was given. It lives by the time of day alone: what a time.Time measures besides
// stands still while the computer sleeps.
func (c credential) with(g grantedToken, now time.Time) credential {
	c.Access, c.Kind, c.Expires, c.Obtained, c.Refused = g.access, g.kind, g.expires.Round(0), now.Round(0), false
	if g.refresh != "" {
		c.Refresh = g.refresh // a server that does not rotate says none, and the old one stays
	}
	if g.scopes != nil {
		c.Scopes = g.scopes
	}
	return c
}

// Store keeps what is secret by a name. Get reports whether there is a value.
type Store interface {
	Get(name string) (value string, ok bool, err error)
	Put(name, value string) error
	Delete(name string) error
	// Names lists those that begin with a prefix.
	Names(prefix string) ([]string, error)
}

// key is where the credential of a target is kept. A server whose definition is being changed has another one, so that a
// sign-in of the draft leaves that of the server alone.
func (t Target) key() string { return t.prefix() + t.digest() }

func (s Subject) prefix() string {
	encode := base64.RawURLEncoding.EncodeToString
	return tokenPrefix + s.Server + "/" + encode([]byte(s.App)) + "/" + encode([]byte(s.User)) + "/"
}

const tokenPrefix = "token/"

func issuerKey(kind, issuer string) string {
	sum := sha256.Sum256([]byte(issuer))
	return kind + "/" + base64.RawURLEncoding.EncodeToString(sum[:])
}

func read[T any](s Store, name string) (v T, ok bool, err error) {
	text, ok, err := s.Get(name)
	if err != nil || !ok {
		return v, false, err
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return v, false, fmt.Errorf("read what is kept of a sign-in: %w", err)
	}
	return v, true, nil
}

func write(s Store, name string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("keep a sign-in: %w", err)
	}
	return s.Put(name, string(raw))
}
