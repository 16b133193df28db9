package oauth

import (
	"net/netip"
	"strings"
	"unicode"
)

// class says how far inside an address is. A sign-in for a server must not reach further inside than the server itself
// is: else a server out in the world could make us ask a router, a neighbour or this computer.
type class int

// From the outside in. Forbidden is never reached: link-local addresses, which serve cloud metadata, and what is no
// address of one host.
const (
	public class = iota
	private
	loopback
	forbidden
)

func (c class) String() string { return [...]string{"public", "private", "loopback", "forbidden"}[c] }

// special is a range of addresses with a meaning of its own (RFC 6890 and its updates).
type special struct {
	prefix string
	class  class
}

func specials() []special {
	return []special{
		// Where clouds serve metadata and credentials outside of the link-local ranges.
		{"100.100.100.200/32", forbidden},
		{"168.63.129.16/32", forbidden},
		{"192.0.0.192/32", forbidden},
		{"fd00:ec2::254/128", forbidden},
		{"fd20:ce::254/128", forbidden},
		{"0.0.0.0/8", loopback}, // "this host" connects to itself
		{"127.0.0.0/8", loopback},
		{"169.254.0.0/16", forbidden},
		{"224.0.0.0/4", forbidden},
		{"240.0.0.0/4", forbidden},
		{"10.0.0.0/8", private},
		{"172.16.0.0/12", private},
		{"192.168.0.0/16", private},
		{"100.64.0.0/10", private},
		{"192.0.0.0/24", private},
		{"192.0.2.0/24", private},
		{"198.18.0.0/15", private},
		{"198.51.100.0/24", private},
		{"203.0.113.0/24", private},
		{"::/128", loopback},
		{"::1/128", loopback},
		{"fe80::/10", forbidden},
		{"ff00::/8", forbidden},
		{"fc00::/7", private},
		{"fec0::/10", private},
		{"100::/64", forbidden},
		{"2001::/32", forbidden}, // Teredo hides an address in a form that nobody needs any more
		{"2001:db8::/32", private},
		{"3fff::/20", private},
		{"5f00::/16", private},
	}
}

// carrier is a range of IPv6 whose addresses carry one of IPv4, and where it starts in them.
type carrier struct {
	prefix string
	at     int
}

func carriers() []carrier {
	return []carrier{
		{"64:ff9b::/96", 12},    // NAT64, RFC 6052
		{"64:ff9b:1::/48", 12},  // NAT64 of a local network, RFC 8215, in its usual length
		{"::ffff:0:0:0/96", 12}, // IPv4-translated, RFC 2765
		{"::/96", 12},           // IPv4-compatible, RFC 4291
		{"2002::/16", 2},        // 6to4, RFC 3056
	}
}

// classOf is the class of an address, that of the IPv4 address that it carries where it carries one.
func classOf(addr netip.Addr) class {
	addr = addr.Unmap().WithZone("")
	for _, s := range specials() {
		if netip.MustParsePrefix(s.prefix).Contains(addr) {
			return s.class
		}
	}
	for _, e := range carriers() {
		if netip.MustParsePrefix(e.prefix).Contains(addr) {
			raw := addr.As16()
			return classOf(netip.AddrFrom4([4]byte(raw[e.at : e.at+4])))
		}
	}
	return public
}

// innerSuffixes end the names that only a local network knows (RFC 6761, RFC 6762, RFC 8375).
func innerSuffixes() []string {
	return []string{".local", ".internal", ".intranet", ".lan", ".home", ".home.arpa", ".corp", ".private"}
}

// classOfName is what a host name says by itself, for those who cannot look it up: through a proxy.
func classOfName(host string) class {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return classOf(addr)
	}
	switch {
	case isNumeric(host[strings.LastIndexByte(host, '.')+1:]), host == "metadata.google.internal":
		return forbidden
	case !isASCII(host):
		return forbidden // who looks it up might read digits and dots in it; real names come as "xn--"
	case host == "localhost", strings.HasSuffix(host, ".localhost"), host == "localhost.localdomain", host == "ip6-localhost", host == "ip6-loopback":
		return loopback
	}
	if !strings.Contains(host, ".") {
		return private
	}
	for _, suffix := range innerSuffixes() {
		if strings.HasSuffix(host, suffix) {
			return private
		}
	}
	return public
}

// isNumeric reports whether the last label of a name makes it an IPv4 address in one of the old forms, such as 127.1 or
// 0x7f000001, which programs read differently.
func isNumeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

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
