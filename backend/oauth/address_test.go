package oauth

import (
	"net"
	"net/netip"
	"testing"
)

func TestClassOf(t *testing.T) {
	for want, addresses := range map[class][]string{
		public: {
			"8.8.8.8", "1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.255.255",
			"2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
		},
		private: {
			"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255", "198.18.0.1", "192.0.2.1", "203.0.113.9",
			"fd00::1", "fc00::1", "fd12:3456::1%eth0", "fec0::1", "2001:db8::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "::192.168.0.1",
			"64:ff9b:1::a00:1", "::ffff:0:10.0.0.1",
		},
		loopback: {
			"127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0", "64:ff9b::7f00:1", "2002:7f00:1::",
			"::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b:1::7f00:1",
		},
		forbidden: {
			"169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1", "224.0.0.1", "239.1.2.3", "255.255.255.255", "240.0.0.1", "ff02::1",
			"::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "::169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16",
			"2001:0:1::1", "64:ff9b:1::a9fe:a9fe",
		},
	} {
		for _, address := range addresses {
			if got := classOf(netip.MustParseAddr(address)); got != want {
				t.Errorf("%s is %s, want %s", address, got, want)
			}
		}
	}
}

func TestClassOfName(t *testing.T) {
	for want, names := range map[class][]string{
		public:    {"example.com", "as.example.com.", "8.8.8.8", "[2606:4700::1111]", "xn--bcher-kva.example", "local.example", "0xdead.example", "1.example"},
		private:   {"router", "nas.local", "Printer.LAN", "db.internal", "host.home.arpa", "10.1.2.3", "[fd00::1]", "svc.cluster.local"},
		loopback:  {"localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1", "[::1]", "::1", "127.0.0.1.", "localhost.localdomain", "ip6-localhost"},
		forbidden: {"169.254.169.254", "[fe80::1]", "2130706433", "0x7f000001", "127.1", "0x7f.1", "017700000001", "１２７.0.0.1", "127。0。0。1", "metadata.google.internal"},
	} {
		for _, name := range names {
			if got := classOfName(name); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
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
