package oauth

import (
	"net"
	"net/netip"
	"testing"
)

func TestAClassForEachPlace(t *testing.T) {
	for want, names := range map[class][]string{
		public:    {"8.8.8.8", "[2606:4700::1111]", "64:ff9b::808:808", "as.example.com."},
		private:   {"10.0.0.1", "100.64.0.1", "fd12:3456::1%eth0", "::ffff:10.0.0.1", "198.18.0.1", "2001:db8::1", "router", "Printer.LAN"},
		loopback:  {"127.0.0.1", "0.0.0.0", "::", "[::1]", "64:ff9b::7f00:1", "localhost", "a.localhost"},
		forbidden: {"169.254.169.254", "169.254.0.1", "fe80::1%eth0", "224.0.0.1", "240.0.0.1", "100.100.100.200", "2001:0:1::1", "127.1", "metadata.google.internal"},
	} {
		for _, name := range names {
			if got := classOfName(name); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
			if addr, err := netip.ParseAddr(name); err == nil && classOf(addr) != want {
				t.Errorf("the address %s is %s, want %s", name, classOf(addr), want)
			}
		}
	}
}

func TestOutermost(t *testing.T) {
	for want, names := range map[class][][]string{
		public:   {{"127.0.0.1", "8.8.8.8"}, {"169.254.1.1", "8.8.8.8"}},
		private:  {{"10.0.0.1", "127.0.0.1"}, {"169.254.169.254"}, {"fe80::1%eth0", "127.0.0.1"}, {"fe80::1%eth0", "192.168.0.2"}},
		loopback: {{"127.0.0.1", "::1"}},
	} {
		for _, name := range names {
			var addresses []netip.Addr
			for _, text := range name {
				addresses = append(addresses, netip.MustParseAddr(text))
			}
			if got := outermost(addresses); got != want {
				t.Errorf("%v: %s, want %s", addresses, got, want)
			}
		}
	}
}

func TestAServerThatWasSeenAtAnAddressWeNeverGoToIsANeighbour(t *testing.T) {
	a := &account{seen: loopback}
	a.sawAt(net.TCPAddrFromAddrPort(netip.MustParseAddrPort("169.254.7.7:80")))
	if a.seenAt() != private {
		t.Errorf("it counts as %s", a.seenAt())
	}
}
