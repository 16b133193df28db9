package oauth

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// names is a Resolver that knows what a test says. Of several answers each look-up takes the next, and the last one stays.
type names map[string][][]string

var looked sync.Mutex // guards all of them

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	looked.Lock()
	defer looked.Unlock()
	answers := n[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	var all []netip.Addr
	for _, text := range answers[0] {
		all = append(all, netip.MustParseAddr(text))
	}
	return all, nil
}
