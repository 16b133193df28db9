package hosts

// span is a range of addresses with a meaning of its own.
type span struct {
	prefix string
	place  Place
}

// ranges lists those of RFC 6890 and its updates, and those that clouds took: the first one that holds counts.
func ranges() []span {
	return []span{
		{"169.254.169.0/24", Metadata},
		{"169.254.170.0/24", Metadata},
		{"100.100.100.200/32", Metadata},
		{"168.63.129.16/32", Metadata},
		{"192.0.0.192/32", Metadata},
		{"fd00:ec2::/32", Metadata},
		{"fd20:ce::254/128", Metadata},
		{"0.0.0.0/8", Unspecified},
		{"127.0.0.0/8", ThisComputer},
		{"169.254.0.0/16", LinkLocal},
		{"224.0.0.0/4", Multicast},
		{"255.255.255.255/32", Multicast},
		{"240.0.0.0/4", Reserved},
		{"10.0.0.0/8", SameNetwork},
		{"172.16.0.0/12", SameNetwork},
		{"192.168.0.0/16", SameNetwork},
		{"100.64.0.0/10", SameNetwork}, // inner networks of providers (RFC 6598), and of many overlay networks
		{"192.0.0.0/24", Unrouted},
		{"192.0.2.0/24", Unrouted},
		{"198.18.0.0/15", Unrouted},
		{"198.51.100.0/24", Unrouted},
		{"203.0.113.0/24", Unrouted},
		{"::/128", Unspecified},
		{"::1/128", ThisComputer},
		{"fe80::/10", LinkLocal},
		{"ff00::/8", Multicast},
		{"fc00::/7", SameNetwork},
		{"fec0::/10", SameNetwork},
		{"100::/64", Reserved},
		{"2001::/32", Reserved}, // Teredo
		{"2001:db8::/32", Unrouted},
		{"3fff::/20", Unrouted},
		{"5f00::/16", Unrouted},
	}
}

// carrier is a range of IPv6 whose addresses carry one of IPv4, and where it starts in them.
type carrier struct {
	prefix string
	at     int // byte
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
