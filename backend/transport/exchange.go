package transport

import (
	"context"
	"encoding/json"
	"sync"
)

// exchange is one request of ours and what its answer turned out to be.
type exchange struct {
	id     string
	call   string             // as InCall named it
	cancel context.CancelFunc // lets whoever carries the request stop waiting

	ended chan struct{} // closed by settle

	mu       sync.Mutex
	settled  bool
	accepted bool
	result   json.RawMessage
	err      error
}

func newExchange(ctx context.Context, id string, cancel context.CancelFunc) *exchange {
	return &exchange{id: id, call: callOf(ctx), cancel: cancel, ended: make(chan struct{})}
}

// settle notes how the request ended; the first outcome counts.
func (x *exchange) settle(result json.RawMessage, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.settled {
		x.settled, x.result, x.err = true, result, err
		close(x.ended)
	}
}

func (x *exchange) outcome() (result json.RawMessage, settled bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.result, x.settled, x.err
}

// accept notes that the server took the request: from then on it may have run, whatever happens to its answer.
func (x *exchange) accept() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.accepted = true
}

func (x *exchange) wasAccepted() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.accepted
}
