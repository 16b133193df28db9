package oauth

import (
	"context"
	"errors"
	"net"
	"sync"
)

// way is the road to the authorization server, which a test closes and opens.
type way struct {
	mu      sync.Mutex
	cut     bool
	dials   int
	arrived chan struct{} // gets a value for each that waits
	pass    chan struct{} // nil: nobody waits
}

func newWay() *way { return &way{arrived: make(chan struct{}, 100)} }

func (y *way) dial(ctx context.Context, network, address string) (net.Conn, error) {
	y.mu.Lock()
	cut, pass := y.cut, y.pass
	y.dials++
	y.mu.Unlock()
	if cut {
		return nil, errors.New("the network is down")
	}
	if pass != nil {
		y.arrived <- struct{}{}
		<-pass
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

func (y *way) setCut(cut bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.cut = cut
}

func (y *way) dialed() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.dials
}

// hold has all who come from now on wait until they are let pass.
func (y *way) hold() (letPass func()) {
	y.mu.Lock()
	defer y.mu.Unlock()
	pass := make(chan struct{})
	y.pass = pass
	return func() {
		y.mu.Lock()
		y.pass = nil
		y.mu.Unlock()
		close(pass)
	}
}

// over has the client reach authorization servers by a way.
func over(y *way) func(*world) {
	return func(w *world) { w.options.Network.Dial = y.dial }
}
