package lan

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"
)

// dialWait is how long one address may take to accept a connection.
const dialWait = 2 * time.Second

// OwnAddresses are those by which the local network reaches this computer.
func OwnAddresses() ([]netip.Addr, error) {
	ls, err := links()
	if err != nil {
		return nil, err
	}
	var own []netip.Addr
	for _, l := range ls {
		for _, p := range l.prefixes {
			if !p.Addr().IsLinkLocalUnicast() || p.Addr().Is4() {
				own = append(own, p.Addr())
			}
		}
	}
	return own, nil
}

// HostName is what the local network calls this computer.
func HostName() (string, error) {
	name, err := os.Hostname()
	if err != nil {
		return "", fmt.Errorf("find the name of this computer: %w", err)
	}
	return localName(name), nil
}

// localName is a host's name in the domain of the network, which some systems write behind it themselves.
func localName(host string) string {
	return strings.TrimSuffix(strings.TrimSuffix(host, "."), ".local") + ".local"
}

// Answering tries addresses in turn and returns the first that accepts a connection, over which nothing is sent.
func Answering(ctx context.Context, addrs []netip.AddrPort) (netip.AddrPort, bool) {
	dialer := net.Dialer{Timeout: dialWait}
	for _, addr := range addrs {
		c, err := dialer.DialContext(ctx, "tcp", addr.String())
		if err != nil {
			continue
		}
		_ = c.Close() // nothing was sent that could be lost
		return addr, true
	}
	return netip.AddrPort{}, false
}
