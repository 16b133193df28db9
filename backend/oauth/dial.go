package oauth

import (
	"context"
	"errors"
	"net"
	"time"
)

// nextAddress is after how long without an answer the next address of a name is tried too (RFC 8305 section 5).
const nextAddress = 250 * time.Millisecond

// connect connects to the first of several addresses that answers: one that nobody hears, as on networks whose IPv6 leads
// nowhere, holds the others up for a moment only.
func (n Network) connect(ctx context.Context, network string, addresses []string) (net.Conn, error) {
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	type answer struct {
		conn net.Conn
		err  error
	}
	answers := make(chan answer)
	try := func(address string) {
		conn, err := n.Dial(ctx, network, address)
		select {
		case answers <- answer{conn, err}:
		case <-ctx.Done():
			if err == nil {
				_ = conn.Close() // another one was faster
			}
		}
	}
	var failed error
	for rest, pending := addresses, 0; len(rest) > 0 || pending > 0; {
		var next <-chan time.Time
		switch {
		case len(rest) > 0 && pending == 0:
			next = time.After(0)
		case len(rest) > 0:
			next = time.After(nextAddress)
		}
		select {
		case <-next:
			go try(rest[0])
			rest, pending = rest[1:], pending+1
		case a := <-answers:
			if a.err == nil {
				return a.conn, nil
			}
			failed, pending = errors.Join(failed, a.err), pending-1
		case <-ctx.Done():
			return nil, errors.Join(failed, ctx.Err())
		}
	}
	return nil, failed
}
