package model

import (
	"encoding/base64"
	"errors"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/hosts"
)

// KeyStore keeps secrets by name; secrets.Kept is one.
type KeyStore interface {
	Get(name string) (value string, ok bool, err error)
	Put(name, value string) error
	Delete(name string) error
	// Names lists those that begin with a prefix, without opening them.
	Names(prefix string) ([]string, error)
}

// keyPrefix begins the name under which a key is kept; the origin that it was given for follows, so that a change of the
// address never shows a key to somebody else.
const keyPrefix = "model/key/"

// maxKey is the longest key, in bytes.
const maxKey = 4096

// KeyState says whether there is a key for the endpoint.
type KeyState string

// A key that was given for another address is kept, and is not sent to this one.
const (
	KeyNone      KeyState = "none"
	KeyKept      KeyState = "kept"
	KeyElsewhere KeyState = "elsewhere"
)

// KeyState looks without opening the secret store.
func (c *Client) KeyState() (KeyState, error) {
	names, err := c.options.Keys.Names(keyPrefix)
	if err != nil || len(names) == 0 {
		return KeyNone, err
	}
	place, err := c.place()
	if err != nil {
		return KeyElsewhere, nil //nolint:nilerr // without an address the key is for another one
	}
	for _, name := range names {
		if name == place.keyName() {
			return KeyKept, nil
		}
	}
	return KeyElsewhere, nil
}

// KeepKey keeps the key of the endpoint that is set now, in place of any other. It fails with CodeModelNotSet without an
// address, with CodeInvalidInput for a text that is no key or an address that may not be told one, and as the store does.
// before runs once nothing speaks against the key, and keeps it from being kept by an error.
func (c *Client) KeepKey(key string, before func() error) error {
	key = strings.TrimSpace(key)
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) {
		return &domain.Error{
			Code: domain.CodeInvalidInput, Message: "the key must be one word of letters, digits and signs",
			Hint: "Copy the key again, without what stands around it.", Args: map[string]string{"reason": "model_key"},
		}
	}
	place, err := c.place()
	if err != nil {
		return err
	}
	if !place.hidesKey() {
		return &domain.Error{
			Code: domain.CodeInvalidInput, Message: "the key would cross the network in clear on the way to " + place.address(),
			Hint: "Give the endpoint an address that begins with https.", Args: map[string]string{"reason": "model_key_in_clear", "address": place.address()},
		}
	}
	if err := before(); err != nil {
		return err
	}
	if err := c.options.Keys.Put(place.keyName(), key); err != nil {
		return err
	}
	return c.forget(place.keyName())
}

// ForgetKey forgets the key, whatever address it is for; none is no error.
func (c *Client) ForgetKey() error { return c.forget("") }

// forget deletes every key but one.
func (c *Client) forget(but string) error {
	names, err := c.options.Keys.Names(keyPrefix)
	for _, name := range names {
		if name != but {
			err = errors.Join(err, c.options.Keys.Delete(name))
		}
	}
	return err
}

// place is an endpoint and the model that is asked there.
type place struct {
	base *url.URL
	name string
}

// place reads the settings. The table of settings lets no address in that is none.
func (c *Client) place() (place, error) {
	base, err := url.Parse(c.options.BaseURL())
	if err != nil || base.Host == "" {
		return place{}, notSet(reasonNoAddress)
	}
	if !strings.HasSuffix(base.Path, "/") {
		base = base.JoinPath("/")
	}
	return place{base, c.options.Name()}, nil
}

// address names the endpoint for people.
func (p place) address() string { return strings.TrimSuffix(p.base.String(), "/") }

func (p place) keyName() string {
	origin := strings.ToLower(p.base.Scheme + "://" + p.base.Hostname() + ":" + domain.PortOf(p.base))
	return keyPrefix + base64.RawURLEncoding.EncodeToString([]byte(origin))
}

// hidesKey holds where nobody on the way reads a key: by TLS, on this computer, or in a network of one's own.
func (p place) hidesKey() bool {
	switch hosts.OfName(p.base.Hostname()) {
	case hosts.ThisComputer, hosts.SameNetwork, hosts.LinkLocal:
		return true
	default:
		return p.base.Scheme == "https"
	}
}
