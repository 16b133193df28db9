package oauthtest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"sync"

	"github.com/go-jose/go-jose/v4"
)

// Client is what a client says of itself when it is registered (RFC 7591 section 2).
type Client struct {
	ID     string `json:"client_id,omitempty"`
	Secret string `json:"client_secret,omitempty"`
	Name   string `json:"client_name,omitempty"`
	URI    string `json:"client_uri,omitempty"`
	// RedirectURIs are compared as Options.ExactRedirect says.
	RedirectURIs    []string `json:"redirect_uris,omitempty"`
	ApplicationType string   `json:"application_type,omitempty"`
	AuthMethod      string   `json:"token_endpoint_auth_method,omitempty"`
	// GrantTypes are what the client may use; for one that a test adds, none means all.
	GrantTypes    []string            `json:"grant_types,omitempty"`
	ResponseTypes []string            `json:"response_types,omitempty"`
	Scope         string              `json:"scope,omitempty"`
	Keys          *jose.JSONWebKeySet `json:"jwks,omitempty"`
	// Document is set when the id is the URL of the document that this is.
	Document bool `json:"-"`
}

// clients are the registered ones, by id.
type clients struct {
	mu   sync.Mutex
	byID map[string]Client
}

func newClients() *clients { return &clients{byID: make(map[string]Client)} }

func (c *clients) put(client Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID[client.ID] = client
}

func (c *clients) find(id string) (Client, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	client, ok := c.byID[id]
	return client, ok
}

// AddClient registers a client beforehand, as a person does on a web page. An id that is missing is made up, and so is a
// secret where the authentication method needs one. Without a method the client is public.
func (s *Server) AddClient(client Client) Client {
	if client.ID == "" {
		client.ID = "client-" + rand.Text()
	}
	if client.AuthMethod == "" {
		client.AuthMethod = methodNone
	}
	if client.Secret == "" && client.hasSecret() {
		client.Secret = s.seen.secret("secret-")
	} else if client.Secret != "" {
		s.seen.given(client.Secret)
	}
	if client.GrantTypes == nil {
		client.GrantTypes = []string{grantCode, grantRefresh, grantClient, grantBearer, grantExchange}
	}
	s.clients.put(client)
	return client
}

// ForgetClients drops all registrations, as servers do that keep them for a while only.
func (s *Server) ForgetClients() {
	s.clients.mu.Lock()
	defer s.clients.mu.Unlock()
	clear(s.clients.byID)
}

func (c Client) hasSecret() bool { return c.AuthMethod == methodBasic || c.AuthMethod == methodPost }

func (c Client) may(grantType string) bool { return slices.Contains(c.GrantTypes, grantType) }

// title is what the person reads of the client.
func (c Client) title() string {
	if c.Name != "" {
		return c.Name
	}
	return c.ID
}

// allowsRedirect reports whether a client registered that redirect URI.
func (o Options) allowsRedirect(client Client, asked string) bool {
	exact := o.ExactRedirect
	if client.Document {
		exact = !o.LoosePort
	}
	return slices.ContainsFunc(client.RedirectURIs, func(registered string) bool {
		return registered == asked || !exact && sameButPort(registered, asked)
	})
}

// sameButPort compares loopback redirect URIs (RFC 8252 section 7.3).
func sameButPort(registered, asked string) bool {
	a, errA := url.Parse(registered)
	b, errB := url.Parse(asked)
	if errA != nil || errB != nil || !isLoopback(a) || a.Hostname() != b.Hostname() {
		return false
	}
	a.Host, b.Host = "", ""
	return a.String() == b.String()
}

func isLoopback(address *url.URL) bool {
	ip := net.ParseIP(address.Hostname())
	return address.Scheme == "http" && (address.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

// checkRedirect says why a redirect URI may not be registered (OAuth 2.1 section 2.3.1).
func checkRedirect(redirect string) error {
	address, err := url.Parse(redirect)
	switch {
	case err != nil:
		return err
	case !address.IsAbs():
		return errors.New("it is not absolute")
	case address.Fragment != "":
		return errors.New("it has a fragment")
	case address.Scheme == "http" && !isLoopback(address):
		return fmt.Errorf("%s is neither https nor loopback", address.Host)
	}
	return nil
}
