// Package hosts says where a host is, as far as its address or its name tells.
//
// What a stranger names must reach no router, neighbour, metadata service or part of this computer on its behalf, and a
// person who is shown an address wants to know whether it is one of theirs. Both ask the one table here.
package hosts

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
)

// Place is where a host is.
type Place int

// The places.
const (
	Public       Place = iota
	SameNetwork        // private, or of a provider's inner network (RFC 1918, RFC 4193, RFC 6598)
	ThisComputer       // it answers to itself
	LinkLocal          // on the same cable or radio, where nobody gave out addresses (RFC 3927, RFC 4291)
	Metadata           // where a cloud tells its machines their credentials
	Unspecified        // no host; connecting to it reaches this computer (RFC 1122 section 3.2.1.3)
	Multicast          // many hosts, or all of a network
	Unrouted           // for documentation, measuring and protocols: nobody out in the world has it, some near may
	Reserved           // set aside, or hides an address in a form that nobody needs any more
	Unclear            // a name that programs read as one address or another, or not at all
)

// String is the word of a place in errors and logs.
func (p Place) String() string {
	return [...]string{
		"public", "same_network", "this_computer", "link_local", "metadata", "unspecified", "multicast", "unrouted", "reserved", "unclear",
	}[p]
}

// IsOwn reports whether a host is this computer or one that only its network reaches, whoever asks from there.
func (p Place) IsOwn() bool {
	switch p {
	case SameNetwork, ThisComputer, LinkLocal, Metadata, Unspecified:
		return true
	default:
		return false
	}
}

// OfAddress is where an address is; of one that carries an address of IPv4 it is the place of that one. The zero address is
// Unclear.
func OfAddress(addr netip.Addr) Place {
	if !addr.IsValid() {
		return Unclear
	}
	addr = addr.Unmap().WithZone("")
	for _, r := range ranges() {
		if netip.MustParsePrefix(r.prefix).Contains(addr) {
			return r.place
		}
	}
	for _, c := range carriers() {
		if netip.MustParsePrefix(c.prefix).Contains(addr) {
			raw := addr.As16()
			return OfAddress(netip.AddrFrom4([4]byte(raw[c.at : c.at+4])))
		}
	}
	return Public
}

// OfName is what a host says by itself, without looking it up: an address, in brackets or not, or a name. A name that says
// nothing is Public, and so may be one whose addresses are elsewhere: who connects asks OfAddress too.
func OfName(host string) Place {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")); err == nil {
		return OfAddress(addr)
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case last == "", isNumeric(last), !isASCII(host): // who looks it up might read digits and dots in it; real names come as "xn--"
		return Unclear
	case slices.Contains([]string{"metadata.google.internal", "metadata.goog", "metadata", "instance-data"}, host):
		return Metadata
	case slices.Contains([]string{"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"}, host), last == "localhost":
		return ThisComputer
	case !strings.Contains(host, "."), slices.Contains([]string{"local", "internal", "intranet", "lan", "home", "corp", "private"}, last):
		return SameNetwork
	case strings.HasSuffix("."+host, ".home.arpa"):
		return SameNetwork
	}
	return Public
}

// isNumeric reports whether the last label of a name makes it an IPv4 address in one of the old forms, such as 127.1 or
// 0x7f000001, which programs read differently.
func isNumeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}
