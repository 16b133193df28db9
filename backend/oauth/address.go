package oauth

import (
	"net/netip"

	"apollia.fr/connexions/backend/hosts"
)

// class says how far inside an address is. A sign-in for a server must not reach further inside than the server itself
// is: else a server out in the world could make us ask a router, a neighbour or this computer.
type class int

// From the outside in. Forbidden is never reached: link-local addresses and others that serve cloud metadata, and what is
// no address of one host.
const (
	public class = iota
	private
	loopback
	forbidden
)

func (c class) String() string { return [...]string{"public", "private", "loopback", "forbidden"}[c] }

// classAt is the class of a host of this place.
func classAt(place hosts.Place) class {
	switch place {
	case hosts.Public:
		return public
	case hosts.SameNetwork, hosts.Unrouted:
		return private
	case hosts.ThisComputer, hosts.Unspecified:
		return loopback
	default:
		return forbidden
	}
}

func classOf(addr netip.Addr) class { return classAt(hosts.OfAddress(addr)) }

// classOfName is what a host name says by itself, for those who cannot look it up: through a proxy.
func classOfName(host string) class { return classAt(hosts.OfName(host)) }

// ofServer is how far inside a server with an address of this class is. Who is where we never go is a neighbour at best,
// and no part of this computer.
func (c class) ofServer() class {
	if c == forbidden {
		return private
	}
	return c
}

// outermost is the class of whoever may stand behind a name with these addresses.
func outermost(addresses []netip.Addr) class {
	c := loopback
	for _, addr := range addresses {
		c = min(c, classOf(addr).ofServer())
	}
	return c
}
