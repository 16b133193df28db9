package oauth

import (
	"errors"
	"slices"
	"strings"
	"time"
)

// strayLife is how long tokens are kept that no server uses: one of config.toml may come back, a change may be taken back.
const strayLife = 30 * 24 * time.Hour

// strayPrefix begins the names under which it is kept since when a credential is a stray.
const strayPrefix = "stray/"

// Servers names those for which there are credentials.
func (c *Client) Servers() ([]string, error) {
	names, err := c.options.Store.Names(tokenPrefix)
	var servers []string
	for _, name := range names {
		servers = append(servers, serverOf(name))
	}
	slices.Sort(servers)
	return slices.Compact(servers), err
}

// serverOf is the server in the name of a credential.
func serverOf(name string) string {
	server, _, _ := strings.Cut(strings.TrimPrefix(name, tokenPrefix), "/")
	return server
}

// Sweep forgets the credentials that have been strays for 30 days: those of drafts that were never saved, of definitions
// that changed, of servers that went without being removed. current are the servers as they are defined now; those that
// spared holds for are left alone. Nothing is revoked.
func (c *Client) Sweep(current []Target, spared func(server string) bool) error {
	names, err := c.options.Store.Names(tokenPrefix)
	if err != nil {
		return err
	}
	var failures []error
	for _, name := range names {
		server := serverOf(name)
		used := spared(server) || slices.ContainsFunc(current, func(t Target) bool {
			return t.Server == server && strings.HasSuffix(name, "/"+t.digest())
		})
		failures = append(failures, c.sweepOne(name, used))
	}
	return errors.Join(failures...)
}

func (c *Client) sweepOne(name string, used bool) error {
	mark := strayPrefix + name
	since, marked, err := read[time.Time](c.options.Store, mark)
	switch now := c.options.Now(); {
	case used && marked:
		return c.options.Store.Delete(mark)
	case used:
		return nil
	case err != nil || !marked:
		return write(c.options.Store, mark, now)
	case now.Sub(since) < strayLife:
		return nil
	}
	return c.forgetNamed(name)
}

// ForgetServer drops what is kept for a server, of every user. Nothing is revoked.
func (c *Client) ForgetServer(server string) error {
	err := c.forgetAll(tokenPrefix + server + "/")
	bound, failure := c.options.Store.Names(boundPrefix + server + "/")
	err = errors.Join(err, failure)
	for _, name := range bound {
		err = errors.Join(err, c.options.Store.Delete(name))
	}
	return err
}

func (c *Client) forgetAll(prefix string) error {
	names, err := c.options.Store.Names(prefix)
	for _, name := range names {
		err = errors.Join(err, c.forgetNamed(name))
	}
	return err
}

// forgetNamed drops a credential, for those that use it now too.
func (c *Client) forgetNamed(name string) error {
	c.mu.Lock()
	a := c.accounts[name]
	c.mu.Unlock()
	if a == nil {
		return errors.Join(c.options.Store.Delete(name), c.options.Store.Delete(strayPrefix+name))
	}
	_, _, err := a.forget()
	return errors.Join(err, c.options.Store.Delete(strayPrefix+name))
}
