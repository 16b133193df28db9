package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// The ways of client authentication at the token endpoint (RFC 7591 section 2) that are known here.
const (
	methodNone    = "none"
	methodBasic   = "client_secret_basic"
	methodPost    = "client_secret_post"
	methodKeyJWT  = "private_key_jwt"
	clientName    = "Apollia Connexions"
	clientAddress = "https://apollia.fr"
)

// registration is who we are to one issuer. It is sent to no other.
type registration struct {
	Issuer       string `json:"issuer"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret,omitempty"`
	// SecretExpires is when the secret ends, in seconds since 1970, of which some servers give parts; 0 is never.
	SecretExpires float64 `json:"client_secret_expires_at,omitempty"`
	AuthMethod    string  `json:"token_endpoint_auth_method,omitempty"`
	// RedirectURIs are those that were registered: another one would be refused.
	RedirectURIs []string `json:"redirect_uris,omitempty"`
	// Redirect is the one that it was made for.
	Redirect string `json:"redirect_uri,omitempty"`
	// Kind is how it came to be.
	Kind registrationKind `json:"kind"`
}

type registrationKind string

const (
	preRegistered registrationKind = "pre_registered"
	byDocument    registrationKind = "client_metadata"
	dynamic       registrationKind = "dynamic"
)

// registrationKey is where a registration is kept.
func registrationKey(issuer, redirectURI string) string {
	return issuerKey("client", issuer+"\x00"+redirectURI)
}

// usable reports whether a kept registration still fits a sign-in with this redirect URI.
func (r registration) usable(issuer, redirectURI string, now time.Time) bool {
	return r.Issuer == issuer && r.ClientID != "" && slices.Contains(r.RedirectURIs, redirectURI) &&
		(r.SecretExpires == 0 || float64(now.Unix()) < r.SecretExpires)
}

// secret is the client secret, where we authenticate with it.
func (r registration) secret() string {
	if r.AuthMethod == methodNone || r.AuthMethod == methodKeyJWT {
		return ""
	}
	return r.ClientSecret
}

// at is the registration with the secret that is configured now: a person may have renewed it since.
func (r registration) at(t Target) registration {
	if secret := t.auth().Secret(domain.SecretClient); secret != "" && r.Kind == preRegistered {
		r.ClientSecret = secret
	}
	return r
}

// String keeps the secret out of logs.
func (r registration) String() string { return string(r.Kind) + " at " + r.Issuer }

// GoString keeps %#v from printing more than String.
func (r registration) GoString() string { return r.String() }

// LogValue keeps logs of JSON from holding more than String.
func (r registration) LogValue() slog.Value { return slog.StringValue(r.String()) }

// wish is what a client says of itself (RFC 7591 section 2).
type wish struct {
	ClientID        string   `json:"client_id,omitempty"` // only in a document, where it is its own address
	ClientName      string   `json:"client_name"`
	ClientURI       string   `json:"client_uri"`
	RedirectURIs    []string `json:"redirect_uris"`
	GrantTypes      []string `json:"grant_types"`
	ResponseTypes   []string `json:"response_types"`
	AuthMethod      string   `json:"token_endpoint_auth_method"`
	ApplicationType string   `json:"application_type"` // OpenID Connect Registration section 2, SEP-837
	Scope           string   `json:"scope,omitempty"`
}

func newWish(redirectURIs []string, method string) wish {
	return wish{
		ClientName: clientName, ClientURI: clientAddress, RedirectURIs: redirectURIs, AuthMethod: method, ApplicationType: "native",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
	}
}

// register makes us known to an authorization server (RFC 7591 section 3.1).
func register(ctx context.Context, client *http.Client, m serverMetadata, redirectURI string) (registration, error) {
	w := newWish([]string{redirectURI}, chooseMethod(m.AuthMethods, ""))
	raw, err := json.Marshal(w)
	if err != nil {
		return registration{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.RegistrationEndpoint, bytes.NewReader(raw))
	if err != nil {
		return registration{}, notConforming(m.Issuer, "registration_endpoint", "its registration endpoint is no address")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	a, err := fetch(client, r)
	if err != nil {
		return registration{}, err
	}
	if said := readRefusal(a); said.isPassing() {
		return registration{}, unreachable(r.URL, errors.New(said.text()))
	}
	if a.status != http.StatusCreated && a.status != http.StatusOK {
		return registration{}, registrationRefused(m.Issuer, a)
	}
	given := registration{RedirectURIs: []string{redirectURI}}
	if err := json.Unmarshal(a.body, &given); err != nil || given.ClientID == "" {
		return registration{}, notConforming(m.Issuer, "registration", "its answer to our registration is malformed")
	}
	given.Issuer, given.Kind, given.Redirect = m.Issuer, dynamic, redirectURI
	if !slices.Contains(given.RedirectURIs, redirectURI) {
		given.RedirectURIs = append(given.RedirectURIs, redirectURI)
	}
	if given.AuthMethod == "" {
		given.AuthMethod = chooseMethod(m.AuthMethods, given.ClientSecret)
	}
	return given, nil
}

func registrationRefused(issuer string, a answer) error {
	said := readRefusal(a)
	e := notConforming(issuer, "registration", "it does not register us ("+said.text()+")")
	e.Code = domain.CodeClientIDNeeded
	e.Hint = "Enter a client ID that you got from the makers of the server."
	return e
}

// chooseMethod is how to authenticate at a token endpoint: without a secret not at all where that is allowed; with one as
// RFC 6749 section 2.3.1 prefers. A server that says nothing takes Basic (RFC 8414 section 2).
func chooseMethod(supported []string, secret string) string {
	order := []string{methodNone, methodBasic, methodPost}
	if secret != "" {
		order = []string{methodBasic, methodPost, methodNone}
	}
	if len(supported) == 0 {
		return order[0]
	}
	for _, method := range order {
		if slices.Contains(supported, method) {
			return method
		}
	}
	return order[0]
}
