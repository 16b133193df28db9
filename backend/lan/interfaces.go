package lan

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// maxLinks is at how many interfaces one listens and speaks at most: virtual machines bring dozens.
const maxLinks = 32

// link is an interface to a network where servers can be found.
type link struct {
	net.Interface
	prefixes []netip.Prefix
}

// links are the interfaces that are up, reach more than this computer, and have an address.
func links() ([]link, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list network interfaces: %w", err)
	}
	var found []link
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagMulticast == 0 || i.Flags&net.FlagLoopback != 0 || len(found) == maxLinks {
			continue
		}
		// One that went away meanwhile has no addresses and is left out.
		addrs, _ := i.Addrs()
		l := link{Interface: i}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				l.prefixes = append(l.prefixes, p)
			}
		}
		if len(l.prefixes) > 0 {
			found = append(found, l)
		}
	}
	return found, nil
}

// signature is another text whenever another set of links would be listened at.
func signature(ls []link) string {
	lines := make([]string, len(ls))
	for i, l := range ls {
		lines[i] = fmt.Sprint(l.Index, l.Name, l.prefixes)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// has reports whether an address is one of the link's own network, as RFC 6762 section 11 wants the sender of an answer to be.
func (l link) has(addr netip.Addr) bool {
	if addr.Is6() && addr.IsLinkLocalUnicast() {
		return addr.Zone() == "" || addr.Zone() == l.Name
	}
	return slices.ContainsFunc(l.prefixes, func(p netip.Prefix) bool { return p.Contains(addr.WithZone("")) })
}
