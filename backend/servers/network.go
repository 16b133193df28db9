package servers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/hosts"
)

// trustIn is how far a new server is trusted.
func trustIn(d domain.Definition) domain.Trust {
	if d.Instance != "" {
		return domain.Community
	}
	return domain.Custom
}

// DraftFound makes a draft of a server of the local network, at the first of its addresses that accepts a connection: a person
// has chosen to look at it. One that cannot be used becomes a draft all the same, and its test says why.
// Errors: CodeUnknownItem if it is not there any more.
func (s *Service) DraftFound(ctx context.Context, id string) (domain.Definition, error) {
	sight := s.Network()
	i := slices.IndexFunc(sight.Servers, func(n domain.NetworkServer) bool { return n.ID == id })
	if i < 0 {
		return domain.Definition{}, &domain.Error{
			Code: domain.CodeUnknownItem, Message: "this server is not on the network any more",
			Hint: "See what is there with: apollia mcp discover", Args: map[string]string{"id": id, "reason": "network_gone"},
		}
	}
	found := sight.Servers[i]
	at, answers := s.Reach(ctx, usable(found))
	if !answers {
		at = firstOf(found)
	}
	return domain.Definition{
		Name: s.freeName(found.Name), Transport: cmp.Or(found.Transport, domain.StreamableHTTP), URL: addressOf(found, at), Instance: found.Instance,
	}, nil
}

// freeName is a name that no server has, as near to the wanted one as may be.
func (s *Service) freeName(wanted string) string {
	for n := 1; ; n++ {
		name := wanted
		if n > 1 {
			name = fmt.Sprint(wanted, " ", n)
		}
		if _, err := s.find(name); err != nil {
			return name
		}
	}
}

// usable are the addresses of a server that may be tried.
func usable(found domain.NetworkServer) []netip.AddrPort {
	var at []netip.AddrPort
	for _, a := range found.Addresses {
		if a.Refused == "" && found.Port > 0 {
			at = append(at, netip.AddrPortFrom(a.Addr, uint16(found.Port)))
		}
	}
	return at
}

// firstOf is the address to show of a server of which none answers.
func firstOf(found domain.NetworkServer) netip.AddrPort {
	if len(found.Addresses) == 0 {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(found.Addresses[0].Addr, uint16(found.Port))
}

// addressOf is the URL of a server at one of its addresses, or at the name of its host where it has none. Nothing in it is
// filled in by what this computer knows, such as ${HOME}: a stranger wrote it.
func addressOf(found domain.NetworkServer, at netip.AddrPort) string {
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(found.Host, strconv.Itoa(found.Port))}
	if found.TLS {
		u.Scheme = "https"
	}
	if at.IsValid() {
		u.Host = at.String()
	}
	path, query, _ := strings.Cut(found.Path, "?")
	u.RawQuery = strings.ReplaceAll(query, "${", "%24{")
	if unescaped, err := url.PathUnescape(path); err == nil {
		u.Path, u.RawPath = unescaped, path
	}
	return u.String()
}

// checkNetwork refuses what was found on the local network and leads elsewhere, or announces what cannot be used.
func (s *Service) checkNetwork(check *Check, d domain.Definition) {
	u, err := url.Parse(d.URL)
	if d.Instance == "" || err != nil {
		return
	}
	elsewhere := []hosts.Place{hosts.ThisComputer, hosts.Metadata, hosts.Unspecified, hosts.Multicast, hosts.Reserved, hosts.Unclear}
	if place := hosts.OfName(u.Hostname()); slices.Contains(elsewhere, place) {
		check.add("url", invalid("network_address", "the server announces an address at which nothing of the network is reached: "+u.Hostname(),
			"Ask whoever runs it what it is. If you know better, add its address by hand.").With("host", u.Hostname()).With("place", place.String()))
	}
	for _, found := range s.Network().Servers {
		if found.Instance == d.Instance && len(found.Faults) > 0 && slices.ContainsFunc(urlsOf(found), func(at string) bool { return at == d.URL }) {
			check.add("url", invalid(found.Faults[0], "what the server announces of itself cannot be used",
				"Ask whoever runs it to mend its announcement. If you know better, add its address by hand."))
		}
	}
}

// urlsOf are the URLs at which a server is announced.
func urlsOf(found domain.NetworkServer) []string {
	all := []string{addressOf(found, netip.AddrPort{})}
	for _, a := range found.Addresses {
		all = append(all, addressOf(found, netip.AddrPortFrom(a.Addr, uint16(found.Port))))
	}
	return all
}

// NetworkChanged tells of servers if some of them are elsewhere on the network than when it was called last. One goroutine
// calls it.
func (s *Service) NetworkChanged() {
	all, err := s.all()
	if err != nil {
		return // the next change may tell
	}
	moves := make(map[string]domain.NetworkMove)
	for _, server := range all {
		if moved := s.moved(server); moved != nil {
			moves[server.ID] = *moved
		}
	}
	if !maps.Equal(moves, s.moves) {
		s.moves = moves
		s.Publish(domain.Event{Topic: domain.TopicServers})
	}
}

// moved says where the local network has a server now, if it is not where it was. One that is still announced there, or
// announced by several, has not moved.
func (s *Service) moved(server domain.Server) *domain.NetworkMove {
	if server.Instance == "" {
		return nil
	}
	var to []string
	for _, found := range s.Network().Servers {
		switch {
		case found.Instance != server.Instance:
		case slices.Contains(urlsOf(found), server.URL):
			return nil
		case mayBe(server, found):
			to = append(to, addressOf(found, usable(found)[0]))
		}
	}
	if len(to) != 1 {
		return nil
	}
	return &domain.NetworkMove{From: server.URL, To: to[0]}
}

// mayBe reports whether what is announced under the name of a server may be that server: nothing speaks against it, it has the
// same transport, and what went encrypted would not go in the clear.
func mayBe(server domain.Server, found domain.NetworkServer) bool {
	return len(found.Faults) == 0 && found.Transport == server.Transport && (found.TLS || !strings.HasPrefix(server.URL, "https:"))
}

// FollowMove takes the address that a person saw for the one of a server. Errors: CodeInvalidInput if the network has it
// elsewhere by now.
func (s *Service) FollowMove(ctx context.Context, idOrName, to string, before Before) (View, error) {
	server, err := s.findEditable(idOrName)
	if err != nil {
		return View{}, err
	}
	moved := s.moved(server)
	if moved == nil || moved.To != to {
		return View{}, invalid("moved_again", "the network has "+server.Name+" at another address by now", "Look at where it is now.")
	}
	d := server.Clone()
	d.URL = to
	return s.Update(ctx, server.ID, Change{Definition: d, SkipTest: true, Before: before, Unseen: true})
}
