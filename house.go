package main

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/api"
)

// product is what the window works on; see core.Host.
type product interface {
	http.Handler
	// Owns says whether the data folder is ours, so that the servers end with this window.
	Owns() bool
	// Stopped is closed when somebody asked the product to end.
	Stopped() <-chan struct{}
	Close(ctx context.Context) error
}

// house opens the product beside the window, so that the window never waits for a disk.
type house struct {
	opened  chan struct{}
	product product // nil when it could not be opened
	err     error
}

func openHouse(ctx context.Context, open func(context.Context) (product, error)) *house {
	h := &house{opened: make(chan struct{})}
	go func() {
		defer close(h.opened)
		h.product, h.err = open(ctx)
	}()
	return h
}

// ServeHTTP answers as the product does, once it is open; until then the page waits, and when it could not be opened
// the page gets the reason.
func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-h.opened:
	case <-r.Context().Done():
		return
	}
	if h.err != nil {
		api.WriteError(w, h.err)
		return
	}
	h.product.ServeHTTP(w, r)
}

// get is the product, or nil while it is not open or when it could not be opened.
func (h *house) get() product {
	select {
	case <-h.opened:
		return h.product
	default:
		return nil
	}
}

func (h *house) close(ctx context.Context) error {
	<-h.opened
	if h.product == nil {
		return nil
	}
	return h.product.Close(ctx)
}
