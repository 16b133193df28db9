package core

import (
	"net/url"

	"apollia.fr/connexions/backend/model"
	"apollia.fr/connexions/backend/transport"
)

func (c *Core) modelOptions() model.Options {
	return model.Options{
		BaseURL: func() string { return c.setting("model.base_url") }, Name: func() string { return c.setting("model.name") },
		Keys: c.vault.Kept(), Proxy: c.proxyOf, Authorities: c.authorities, Now: c.options.Now,
	}
}

// proxyOf names the proxy that our environment has for an address; nil for none.
func (c *Core) proxyOf(u *url.URL) (*url.URL, error) { return transport.ProxyOf(u, c.options.Environ) }
