package servers

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/hosts"
	"apollia.fr/connexions/backend/lan"
)

// Announcement is what the local network would learn of a server. Errors: CodeUnknownServer, and CodeInvalidInput for one
// that the network cannot reach: a program, one of another computer, one that listens on this computer only.
func (s *Service) Announcement(ctx context.Context, idOrName string) (domain.Announcement, error) {
	server, err := s.find(idOrName)
	if err != nil {
		return domain.Announcement{}, err
	}
	if server.Transport == domain.Stdio {
		return domain.Announcement{}, invalid("announce_program", server.Name+" is a program of this computer, which no other one can reach",
			"Announce a server that is reached by an address.")
	}
	u, err := url.Parse(server.URL)
	if err == nil && holdsSecret(u) {
		return domain.Announcement{}, invalid("announce_secret",
			"the address of "+server.Name+" holds what looks like a key, and all of the network would read it",
			"Give the key in a header instead, then announce the server.")
	}
	if err != nil || u.Hostname() == "" || config.HasReference(server.URL) {
		return domain.Announcement{}, invalid("announce_elsewhere",
			"the address of "+server.Name+" is not known before it starts", "Write its address without variables.")
	}
	host, own, err := s.Own()
	if err != nil {
		return domain.Announcement{}, fmt.Errorf("announce %s: %w", server.Name, err)
	}
	if len(own) == 0 {
		return domain.Announcement{}, invalid("announce_no_network", "this computer has no network to announce a server on", "Connect it to one.")
	}
	addr, _ := netip.ParseAddr(u.Hostname())
	if hosts.OfName(u.Hostname()) != hosts.ThisComputer && !slices.Contains(own, addr) {
		return domain.Announcement{}, invalid("announce_elsewhere", server.Name+" is on another computer: "+u.Hostname(),
			"Announce it from there.").With("host", u.Hostname())
	}
	a := domain.Announcement{
		Server: server.ID, Instance: lan.InstanceOf(server.Name), Host: host, Port: portOf(u), Path: u.RequestURI(), Transport: server.Transport,
		Auth: authOf(server.Definition), TLS: u.Scheme == "https",
	}
	if !lan.UsablePath(a.Path) {
		return domain.Announcement{}, invalid("announce_path", "the path of "+server.Name+" is too long, or not one that others would take",
			"Give it a path of at most 250 characters, without braces and double slashes.")
	}
	for _, addr := range own {
		if at, answers := s.Reach(ctx, []netip.AddrPort{netip.AddrPortFrom(addr, uint16(a.Port))}); answers {
			a.Addresses = append(a.Addresses, at.Addr())
		}
	}
	if len(a.Addresses) == 0 {
		return domain.Announcement{}, invalid("announce_unreachable",
			server.Name+" does not answer at the addresses by which the network reaches this computer",
			"Start it, and let it listen on all addresses (0.0.0.0), not on 127.0.0.1 alone.")
	}
	return a, nil
}

// endAnnouncement takes back a person's word to announce a server: another one that gets its id was never meant.
func (s *Service) endAnnouncement(id string) error {
	settings, err := s.Store.Settings()
	if err != nil {
		return fmt.Errorf("read what is announced: %w", err)
	}
	all := config.ListOf(settings[config.AnnounceKey])
	left := slices.DeleteFunc(slices.Clone(all), func(one string) bool { return one == id })
	if len(left) == len(all) {
		return nil
	}
	return s.Store.SetSetting(config.AnnounceKey, strings.Join(left, ","))
}

// holdsSecret reports whether the path or the query of an address has what looks like a key.
func holdsSecret(u *url.URL) bool {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return true // nobody can tell what is in it
	}
	for name, values := range query {
		if slices.ContainsFunc(values, func(value string) bool { return LooksSecret(name, value) }) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Split(u.Path, "/"), func(part string) bool { return LooksSecret("", part) })
}

// portOf is the port of an address, by its scheme where it names none.
func portOf(u *url.URL) int {
	if port, err := strconv.Atoi(u.Port()); err == nil {
		return port
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// authOf is what a server asks of who connects, as far as its definition tells.
func authOf(d domain.Definition) string {
	switch {
	case d.Auth != nil:
		return "oauth"
	case slices.ContainsFunc(d.Headers, func(v domain.Variable) bool { return v.Secret }):
		return "token"
	default:
		return "none"
	}
}
