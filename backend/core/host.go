package core

import (
	"context"
	"net/http"
	"sync"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

// retryAttach is how often a window without an owner looks again: far below the three seconds it has to take over.
const retryAttach = 200 * time.Millisecond

// Host is what a window works on: a core of its own, or the one of an owner that runs already. When that owner ends,
// the host takes the data folder over.
type Host struct {
	options Options
	notify  func(domain.Event)
	stopped chan struct{} // closed when somebody asked the window, as the owner, to end
	end     context.CancelFunc
	done    chan struct{}

	mu     sync.RWMutex
	own    *Core
	remote *remote
}

// OpenHost opens a core or attaches to a running one. notify hears every event until Close. Errors as Open, and
// CodeOtherVersion when another version runs.
func OpenHost(ctx context.Context, o Options, notify func(domain.Event)) (*Host, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	h := &Host{options: o, notify: notify, stopped: make(chan struct{}), end: end, done: make(chan struct{})}
	if err := h.attach(ctx); err != nil {
		end()
		return nil, err
	}
	go h.run(life)
	return h, nil
}

// attach finds something to work on, once. An owner that listens is asked first, without waiting for its lock.
func (h *Host) attach(ctx context.Context) error {
	instance, err := owner.Find(h.options.Home)
	if err == nil && instance.URL != "" {
		remote, err := newRemote(ctx, instance, h.options.Version)
		if err == nil {
			h.set(nil, remote)
		}
		return err
	}
	core, err := Open(ctx, h.options)
	if err != nil {
		return err
	}
	// A busy port is no reason not to open the window: Problems tells it, and the gateway shows as unavailable.
	_ = core.Listen(ctx, core.Address(""))
	h.set(core, nil)
	return nil
}

func (h *Host) set(own *Core, remote *remote) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.own, h.remote = own, remote
}

func (h *Host) current() (*Core, *remote) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.own, h.remote
}

// run forwards events, and attaches again whenever the owner is gone.
func (h *Host) run(ctx context.Context) {
	defer close(h.done)
	for ctx.Err() == nil {
		own, remote := h.current()
		switch {
		case own != nil:
			h.follow(ctx, own)
			return
		case remote != nil:
			remote.follow(ctx, h.notify)
			h.set(nil, nil)
			h.notify(domain.Event{Topic: domain.TopicStatus})
		default:
			h.again(ctx)
		}
	}
}

// follow forwards the events of our own core until the host or the core ends.
func (h *Host) follow(ctx context.Context, own *Core) {
	events, cancel := own.Subscribe()
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return
		case <-own.Stopped():
			close(h.stopped)
			return
		case event := <-events:
			h.notify(event)
		}
	}
}

func (h *Host) again(ctx context.Context) {
	if h.attach(ctx) == nil {
		for _, topic := range []domain.Topic{domain.TopicStatus, domain.TopicServers, domain.TopicInbox, domain.TopicActivity} {
			h.notify(domain.Event{Topic: topic})
		}
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(retryAttach):
	}
}

// ServeHTTP serves the API to the window, from our own core or from the owner's.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	own, remote := h.current()
	switch {
	case own != nil:
		own.Handler(api.WindowPrincipal()).ServeHTTP(w, r)
	case remote != nil:
		remote.ServeHTTP(w, r)
	default:
		api.WriteError(w, &domain.Error{
			Code: domain.CodeNotRunning, Message: "the core is starting again", Hint: "Wait a moment.",
		})
	}
}

// Owns says whether the window owns the data folder, so that closing it stops the servers.
func (h *Host) Owns() bool {
	own, _ := h.current()
	return own != nil
}

// Stopped is closed when a command asked the window, as the owner, to end.
func (h *Host) Stopped() <-chan struct{} { return h.stopped }

// Close ends our own core, or only lets go of the owner's.
func (h *Host) Close(ctx context.Context) error {
	h.end()
	<-h.done
	own, remote := h.current()
	if remote != nil {
		remote.close()
	}
	if own != nil {
		return own.Close(ctx)
	}
	return nil
}
