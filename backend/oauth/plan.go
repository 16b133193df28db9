package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// plan is all that a sign-in needs to know: whom to ask, as whom, for what.
type plan struct {
	server   serverMetadata
	client   registration
	resource string // empty where nobody knows resources
	scopes   []string
	pkce     bool
	dpop     bool
	more     bool     // scopes than the server was content with before
	provider provider // of a known or custom one; else its zero value
}

// String keeps what is secret out of logs.
func (p plan) String() string { return "sign-in at " + p.server.Issuer }

// GoString keeps %#v from printing more than String.
func (p plan) GoString() string { return p.String() }

// place is where a sign-in happens: at one authorization server, for one resource.
type place struct {
	server   serverMetadata
	resource string
	scopes   []string // those that the resource supports
	provider provider
	dpop     bool // the resource demands it
	// guessed says that nobody names the server, and its addresses are those of 2025-03-26.
	guessed bool
}

// maxServers bounds how many authorization servers of one resource are tried.
const maxServers = 5

// discover finds the authorization server of a target: the provider that a person named, else the one that the server
// names (RFC 9728, RFC 8414), else the server itself (2025-03-26).
func discover(ctx context.Context, web *http.Client, t Target, challenge httpauth.Challenge) (place, error) {
	if t.auth().Provider != "" {
		p, err := providerOf(t.auth())
		return place{server: p.metadata(), provider: p}, err
	}
	if t.URL == "" {
		return place{}, &domain.Error{
			Code: domain.CodeConfigInvalid, Message: "A stdio server cannot name its sign-in server.", Hint: "Name the provider under auth.",
			Args: map[string]string{"reason": "provider_missing", "field": "auth.provider"},
		}
	}
	server, err := url.Parse(t.URL)
	if err != nil {
		return place{}, notConforming("the server", "url", "its address cannot be read")
	}
	m, found, err := findResource(ctx, web, server, challenge)
	if err != nil {
		return place{}, err
	}
	if !found {
		return discoverAtOrigin(ctx, web, server, challenge.Params[httpauth.ParamMetadata])
	}
	var trouble error
	for _, issuer := range m.AuthorizationServers[:min(len(m.AuthorizationServers), maxServers)] {
		s, found, err := findServer(ctx, web, issuer)
		if err == nil && !found {
			err = notConforming(issuer, "no_metadata", "it publishes no metadata")
		}
		if err == nil {
			err = s.checkPKCE()
		}
		if err == nil {
			return place{server: s, resource: m.Resource, scopes: m.Scopes, dpop: m.DPoPRequired}, nil
		}
		trouble = firstOf(trouble, err)
	}
	return place{}, trouble
}

// discoverAtOrigin finds the authorization server of a server without metadata. named is where it said that its metadata is:
// then it is no server of 2025-03-26, and nothing is guessed.
func discoverAtOrigin(ctx context.Context, web *http.Client, server *url.URL, named string) (place, error) {
	s, discovered, err := originServer(ctx, web, server)
	if err == nil && !discovered && named != "" {
		err = notConforming(named, "no_resource_metadata", "the server names it, and no metadata is there")
	}
	if err == nil && discovered {
		err = s.checkPKCE()
	}
	return place{server: s, resource: canonical(server), guessed: !discovered}, err
}

// identify is who we are at an authorization server, in the order of MCP (basic/authorization, client registration): as a
// person registered us; by our metadata document, where it takes those; as we registered ourselves before, or do now.
// CodeClientIDNeeded when none of it can be.
func (c *Client) identify(ctx context.Context, web *http.Client, t Target, p place, redirectURI string) (registration, error) {
	a := t.auth()
	if a.ClientID != "" {
		if err := c.checkBound(t, p.server.Issuer); err != nil {
			return registration{}, err
		}
		method := chooseMethod(p.server.AuthMethods, a.Secret(domain.SecretClient))
		if p.provider.method != "" && a.Secret(domain.SecretClient) != "" {
			method = p.provider.method
		}
		return registration{
			Issuer: p.server.Issuer, ClientID: a.ClientID, ClientSecret: a.Secret(domain.SecretClient), AuthMethod: method,
			RedirectURIs: []string{redirectURI}, Kind: preRegistered,
		}, nil
	}
	if p.provider.authorize != "" {
		return registration{}, clientIDNeeded(p.server.Issuer, redirectURI)
	}
	known, ok := c.known(p.server, redirectURI)
	switch {
	case ok && (p.server.RegistrationEndpoint == "" || !c.isSilent(p.server.Issuer, t.Subject)):
		return known, nil
	case p.server.RegistrationEndpoint == "":
		return registration{}, clientIDNeeded(p.server.Issuer, redirectURI)
	}
	fresh, err := register(ctx, web, p.server, redirectURI)
	switch {
	case err != nil && ok && ctx.Err() == nil:
		return known, nil // the silence may have been the person's
	case domain.CodeOf(err) == domain.CodeClientIDNeeded:
		return registration{}, domain.AsError(err).With("redirect_uri", redirectURI)
	case err != nil:
		return registration{}, err
	}
	if known.Kind == byDocument {
		err = c.documentRefused(p.server.Issuer) // it cannot read it, as far as one can tell
	}
	return fresh, errors.Join(err, write(c.options.Store, registrationKey(p.server.Issuer, redirectURI), fresh))
}

// known is who we are to a server without asking it: our metadata document, where it takes those, else who it registered. What
// is kept and cannot be read is made again.
func (c *Client) known(m serverMetadata, redirectURI string) (r registration, ok bool) {
	if c.takesDocument(m, redirectURI) {
		return registration{
			Issuer: m.Issuer, ClientID: c.options.ClientMetadataURL(), AuthMethod: methodNone, RedirectURIs: []string{redirectURI}, Kind: byDocument,
		}, true
	}
	r, ok, err := read[registration](c.options.Store, registrationKey(m.Issuer, redirectURI))
	return r, err == nil && ok && r.usable(m.Issuer, redirectURI, c.options.Now())
}

// isSilent reports whether the last sign-in at an issuer got no answer, or that of a subject still waits for one though the
// person begins again. To a client that it does not know a server shows a page of its own, and does not send the browser
// back: it may have forgotten our registration, or cannot read our document.
func (c *Client) isSilent(issuer string, s Subject) bool {
	for _, f := range c.waiting() {
		if f.target.Subject == s && f.last().begun.Issuer == issuer && !f.answered.Load() {
			return true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.silent[issuer]
}

// takesDocument reports whether our metadata document may stand for a registration: the server says so and has not refused
// it before, and the redirect URI is among those of the document.
func (c *Client) takesDocument(m serverMetadata, redirectURI string) bool {
	if !m.ClientMetadata || c.options.ClientMetadataURL() == "" || !slices.Contains(DocumentRedirectURIs(), redirectURI) {
		return false
	}
	if len(m.AuthMethods) > 0 && !slices.Contains(m.AuthMethods, methodNone) {
		return false
	}
	refused, ok, err := read[string](c.options.Store, issuerKey("refused", m.Issuer))
	return err != nil || !ok || refused != c.options.ClientMetadataURL()
}

// documentRefused has the next sign-in at an issuer do without our metadata document.
func (c *Client) documentRefused(issuer string) error {
	return write(c.options.Store, issuerKey("refused", issuer), c.options.ClientMetadataURL())
}

func clientIDNeeded(issuer, redirectURI string) error {
	issuer = plain(issuer)
	return &domain.Error{
		Code: domain.CodeClientIDNeeded, Message: "The sign-in server at " + issuer + " does not register programs by themselves: it wants a client ID.",
		Hint: "Register Apollia Connexions there with the redirect URI " + redirectURI + ", then enter the client ID.",
		Args: map[string]string{"issuer": issuer, "redirect_uri": redirectURI},
	}
}
