package lan

import (
	"cmp"
	"net/netip"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/hosts"
)

// judge sorts addresses, the likeliest to be meant and to answer first, and marks those that nothing is sent to: a stranger on
// the network must not make this computer talk to itself, to a cloud's metadata or to the world. An address is there once for
// each who says it: one that a stranger alone adds comes after those that all agree on.
func judge(said []netip.Addr, near func(netip.Addr) bool) []domain.NetworkAddress {
	by := make(map[netip.Addr]int)
	for _, addr := range said {
		by[addr]++
	}
	judged := make([]domain.NetworkAddress, 0, len(by))
	for addr := range by {
		judged = append(judged, domain.NetworkAddress{Addr: addr, Refused: refusal(addr, near)})
	}
	slices.SortFunc(judged, func(a, b domain.NetworkAddress) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(by[b.Addr], by[a.Addr]), a.Addr.Compare(b.Addr))
	})
	return judged[:min(len(judged), maxAddrs)]
}

// refusal is the place that speaks against an address, empty for one of the same network. Some networks give out addresses of
// the world: such a one is of the same network if it is near.
func refusal(addr netip.Addr, near func(netip.Addr) bool) string {
	switch place := hosts.OfAddress(addr); {
	case place == hosts.SameNetwork, place == hosts.LinkLocal, place == hosts.Public && near(addr):
		return ""
	default:
		return place.String()
	}
}

// rank puts addresses of given networks before those that only a link knows, and refused ones last.
func rank(a domain.NetworkAddress) int {
	switch {
	case a.Refused != "":
		return 2
	case a.Addr.IsLinkLocalUnicast():
		return 1
	default:
		return 0
	}
}
