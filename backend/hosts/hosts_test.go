package hosts

import (
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOfAddress(t *testing.T) {
	for want, addresses := range map[Place][]string{
		Public: {
			"8.8.8.8", "1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.255.255", "168.63.129.15",
			"2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "fb00::1",
		},
		SameNetwork: {
			"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255",
			"fd00::1", "fc00::1", "fd12:3456::1%eth0", "fec0::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "::192.168.0.1",
			"64:ff9b:1::a00:1", "::ffff:0:10.0.0.1",
		},
		ThisComputer: {
			"127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b:1::7f00:1",
		},
		Unspecified: {"0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"},
		LinkLocal:   {"169.254.0.1", "169.254.168.255", "169.254.171.0", "fe80::1", "fe80::1%eth0", "febf::1", "::ffff:169.254.1.1"},
		Metadata: {
			"169.254.169.254", "169.254.170.2", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "::169.254.169.254", "64:ff9b:1::a9fe:a9fe",
			"fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192",
		},
		Multicast: {"224.0.0.1", "239.1.2.3", "255.255.255.255", "ff02::1"},
		Unrouted:  {"198.18.0.1", "192.0.2.1", "203.0.113.9", "192.0.0.1", "2001:db8::1", "64:ff9b::c000:201"},
		Reserved:  {"240.0.0.1", "100::1", "2001:0:1::1"},
	} {
		for _, address := range addresses {
			if got := OfAddress(netip.MustParseAddr(address)); got != want {
				t.Errorf("%s is %s, want %s", address, got, want)
			}
		}
	}
	if got := OfAddress(netip.Addr{}); got != Unclear {
		t.Errorf("no address is %s, want %s", got, Unclear)
	}
}

func TestOfName(t *testing.T) {
	for want, names := range map[Place][]string{
		Public: {
			"example.com", "as.example.com.", "8.8.8.8", "[2606:4700::1111]", "xn--bcher-kva.example", "local.example", "0xdead.example", "1.example",
			"homearpa.example", "myhome.arpa", "metadata.example",
		},
		SameNetwork:  {"router", "nas.local", "Printer.LAN", "db.internal", "host.home.arpa", "home.arpa", "local", "10.1.2.3", "[fd00::1]", "svc.cluster.local"},
		ThisComputer: {"localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1", "[::1]", "::1", "127.0.0.1.", "localhost.localdomain", "ip6-localhost"},
		LinkLocal:    {"[fe80::1]", "fe80::1%eth0", "169.254.3.4"},
		Metadata:     {"169.254.169.254", "metadata.google.internal", "Metadata.Google.Internal.", "metadata", "[fd00:ec2::254]"},
		Unspecified:  {"0.0.0.0", "[::]"},
		Unclear: {
			"2130706433", "0x7f000001", "127.1", "0x7f.1", "017700000001", "0x", "a.0x", "１２７.0.0.1", "127。0。0。1", "bücher.example", "", ".", "a..",
		},
	} {
		for _, name := range names {
			if got := OfName(name); got != want {
				t.Errorf("%q is %s, want %s", name, got, want)
			}
		}
	}
}

func TestOwnPlaces(t *testing.T) {
	for place, own := range map[Place]bool{
		Public: false, SameNetwork: true, ThisComputer: true, LinkLocal: true, Metadata: true, Unspecified: true, Multicast: false, Unrouted: false, Reserved: false, Unclear: false,
	} {
		if place.IsOwn() != own {
			t.Errorf("%s is one's own: %t, want %t", place, place.IsOwn(), own)
		}
	}
}

// No dress of an address of IPv4 takes it elsewhere.
func TestAnAddressIsWhereItIsInEachOfItsForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := [4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "address"))
		if rapid.Bool().Draw(t, "from the table") {
			prefix := netip.MustParsePrefix(rapid.SampledFrom(ranges()).Draw(t, "range").prefix)
			if prefix.Addr().Is4() {
				raw = prefix.Addr().As4()
			}
		}
		addr := netip.AddrFrom4(raw)
		want := OfAddress(addr)
		dressed := []netip.Addr{netip.AddrFrom16(addr.As16())}
		for _, c := range carriers() {
			carried := netip.MustParsePrefix(c.prefix).Addr().As16()
			copy(carried[c.at:], raw[:])
			dressed = append(dressed, netip.AddrFrom16(carried))
		}
		for _, d := range dressed {
			// These two are addresses of their own: no address, and this computer.
			if d == netip.IPv6Unspecified() || d == netip.IPv6Loopback() {
				continue
			}
			if got := OfAddress(d); got != want {
				t.Fatalf("%s is %s, and %s is %s", addr, want, d, got)
			}
			if got := OfName("[" + d.String() + "]"); got != want {
				t.Fatalf("as a name %s is %s, want %s", d, got, want)
			}
		}
	})
}

// The case of a name and a dot at its end take it nowhere else, and what reads as an address is where the address is.
func FuzzOfName(f *testing.F) {
	for _, seed := range []string{"example.com", "127.1", "[::1]", "fe80::1%eth0", "A.LOCAL", "64:ff9b::a9fe:a9fe", "metadata", "..", "[", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		got := OfName(host)
		if got < Public || got > Unclear || got.String() == "" {
			t.Fatalf("%q is %d", host, got)
		}
		if addr, err := netip.ParseAddr(host); err == nil && OfAddress(addr) != got {
			t.Errorf("%q is %s, its address %s", host, got, OfAddress(addr))
		}
		if isASCII(host) && !strings.HasSuffix(host, ".") {
			for _, same := range []string{strings.ToUpper(host), host + "."} {
				if other := OfName(same); other != got {
					t.Errorf("%q is %s, %q is %s", host, got, same, other)
				}
			}
		}
	})
}
