package domain

import (
	"maps"
	"net/netip"
	"slices"
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

// Announcement is what the local network learns of one of a person's servers, and of this computer with it.
type Announcement struct {
	// Server is its id. Instance is the name that the network knows it by.
	Server    string       `json:"server"`
	Instance  string       `json:"instance"`
	Host      string       `json:"host"`
	Addresses []netip.Addr `json:"addresses"`
	Port      int          `json:"port"`
	Path      string       `json:"path"`
	Transport Transport    `json:"transport"`
	// Auth is what it asks of who connects: none, token or oauth.
	Auth string `json:"auth"`
	TLS  bool   `json:"tls"`
	// Problem says why it is not announced, though a person wants it to be.
	Problem *Error `json:"problem,omitempty"`
	// Since is when it became visible; zero while it is not.
	Since time.Time `json:"since,omitzero"`
}

// Equal reports whether the network learns the same, since the same time, or is kept from it by the same problem.
func (a Announcement) Equal(b Announcement) bool {
	same := a.Server == b.Server && a.Instance == b.Instance && a.Host == b.Host && slices.Equal(a.Addresses, b.Addresses) && a.Port == b.Port &&
		a.Path == b.Path && a.Transport == b.Transport && a.Auth == b.Auth && a.TLS == b.TLS && a.Since.Equal(b.Since)
	if a.Problem == nil || b.Problem == nil {
		return same && a.Problem == b.Problem
	}
	return same && a.Problem.Code == b.Problem.Code && maps.Equal(a.Problem.Args, b.Problem.Args)
}

// NetworkMove is another address that a server of the local network announces, under the name it was added by.
type NetworkMove struct {
	From string `json:"from"`
	To   string `json:"to"`
}
