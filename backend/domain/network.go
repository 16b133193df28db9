package domain

import (
	"net/netip"
	"time"
)

// NetworkServer is an MCP server that announces itself on the local network by DNS-SD (RFC 6763). All of it is what the
// network says: bounded and free of characters that are not seen, but true only as far as its sender is. Nothing connects
// to it before a person adds it.
type NetworkServer struct {
	// ID is made of instance, host and port.
	ID string `json:"id"`
	// Instance is the name that it has on the network, and by which it is known again at another address.
	Instance string `json:"instance"`
	// Name is what its announcement calls it, or the instance.
	Name string `json:"name"`
	// Host is its host name, without the final dot.
	Host string `json:"host"`
	Port int    `json:"port"`
	// Addresses are those of its host, the likeliest first. Those that nothing is sent to stand at the end.
	Addresses []NetworkAddress `json:"addresses"`
	// Transport is StreamableHTTP or SSE; empty if it announces another.
	Transport Transport `json:"transport,omitempty"`
	Path      string    `json:"path"`
	// Auth is what it says that it asks for: none, token or oauth; empty if it does not say, or says something else.
	Auth string `json:"auth,omitempty"`
	TLS  bool   `json:"tls,omitempty"`
	// Faults say what in the announcement cannot be used, in codes that the window has words for.
	Faults []string  `json:"faults,omitempty"`
	Since  time.Time `json:"since"`
	Seen   time.Time `json:"seen"`
}

// NetworkAddress is one address of a host on the network.
type NetworkAddress struct {
	Addr netip.Addr `json:"addr"`
	// Refused says why nothing is sent to it; empty if nothing speaks against it.
	Refused string `json:"refused,omitempty"`
}

// NetworkSight is what is seen of the local network.
type NetworkSight struct {
	// Off is a search that a person has not switched on.
	Off bool `json:"off,omitempty"`
	// NoNetwork is a computer without a network that servers could be found in. The search goes on by itself.
	NoNetwork bool `json:"no_network,omitempty"`
	// Looked is when the network was last asked.
	Looked time.Time `json:"looked,omitzero"`
	// More are servers beyond the most that are listed.
	More bool `json:"more,omitempty"`
	// Servers are sorted by name.
	Servers []NetworkServer `json:"servers"`
}
