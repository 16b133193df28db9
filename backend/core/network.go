package core

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/lan"
)

// settleIn is how long after its start a search has heard of those who answer at all.
const settleIn = 3 * time.Second

// network is what the settings switch on of the local network.
type network struct {
	browser   *lan.Browser
	announcer *lan.Announcer

	mu        sync.Mutex
	search    running
	announce  running
	began     time.Time // when the search was switched on
	announced []domain.Announcement
	// moved takes a value when this computer may have other addresses.
	moved chan struct{}
}

// running is something that runs until it is ended.
type running struct{ end func() }

// want starts or ends run, as it is wanted, and is true if that was a change. Ending waits.
func (r *running) want(ctx context.Context, wanted bool, run func(context.Context)) bool {
	if wanted == (r.end != nil) {
		return false
	}
	if !wanted {
		r.end()
		r.end = nil
		return true
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var wait sync.WaitGroup
	wait.Go(func() { run(ctx) })
	r.end = func() {
		cancel()
		wait.Wait()
	}
	return true
}

func (c *Core) newNetwork() *network {
	changed := func() {
		c.hub.Publish(domain.Event{Topic: domain.TopicNetwork})
		c.servers.NetworkChanged()
	}
	n := &network{browser: lan.NewBrowser(c.options.Logger, 0, changed), moved: make(chan struct{}, 1)}
	n.announcer = lan.NewAnnouncer(c.options.Logger, func() {
		select {
		case n.moved <- struct{}{}:
		default: // somebody will look anyway
		}
	})
	return n
}

// followNetwork does as the settings say until ctx ends.
func (c *Core) followNetwork(ctx context.Context) {
	changes, stop := c.hub.Subscribe()
	defer stop()
	// A server that begins to listen, or that no longer does, tells nobody.
	again := time.NewTicker(30 * time.Second)
	defer again.Stop()
	c.applyNetwork(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		case <-c.network.moved:
		case e, open := <-changes:
			if !open {
				return
			}
			if e.Topic != domain.TopicSettings && e.Topic != domain.TopicServers {
				continue
			}
		}
		c.applyNetwork(ctx)
	}
}

// applyNetwork makes the search and the announcement what the settings say. Only one goroutine calls it.
func (c *Core) applyNetwork(ctx context.Context) {
	c.search(ctx)
	ids := config.ListOf(c.setting(config.AnnounceKey))
	list := make([]domain.Announcement, 0, len(ids))
	for _, id := range ids {
		a, err := c.servers.Announcement(ctx, id)
		if err != nil {
			a = domain.Announcement{Server: id, Instance: id, Problem: domain.AsError(err)}
		}
		list = append(list, a)
	}
	n := c.network
	n.mu.Lock()
	changed := n.take(list, c.options.Now())
	visible := announcements(n.announced)
	n.announce.want(ctx, len(visible) > 0, n.announcer.Run)
	n.mu.Unlock()
	if changed {
		n.announcer.Announce(visible)
		c.hub.Publish(domain.Event{Topic: domain.TopicNetwork})
	}
}

// search switches the search on or off, as the setting says.
func (c *Core) search(ctx context.Context) {
	n := c.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.search.want(ctx, c.setting("network.search") == "true", n.browser.Run) {
		n.began = time.Now()
	}
}

// take makes a list the announced one, and is true if the network is to see something else now. The caller holds mu.
func (n *network) take(list []domain.Announcement, now time.Time) bool {
	for i := range list {
		if list[i].Problem != nil {
			continue
		}
		list[i].Since = now
		for _, before := range n.announced {
			if before.Server == list[i].Server && before.Problem == nil {
				list[i].Since = before.Since
			}
		}
	}
	changed := !slices.EqualFunc(list, n.announced, domain.Announcement.Equal)
	n.announced = list
	return changed
}

// announcements are those that the network gets to see.
func announcements(list []domain.Announcement) []lan.Announcement {
	var visible []lan.Announcement
	for _, a := range list {
		if a.Problem == nil {
			record := lan.Record{Transport: a.Transport, Path: a.Path, Auth: a.Auth, TLS: a.TLS}
			visible = append(visible, lan.Announcement{Instance: a.Instance, Host: a.Host, Addresses: a.Addresses, Port: a.Port, Record: record})
		}
	}
	return visible
}

// sight is what is seen of the network, without what is announced from here. A short command searches from when it first
// asks. settle waits until those who answer have answered.
func (c *Core) sight(ctx context.Context, settle bool) domain.NetworkSight {
	if c.options.Role == Command {
		c.search(ctx)
	}
	n := c.network
	n.mu.Lock()
	began, on, announced := n.began, n.search.end != nil, n.announced
	n.mu.Unlock()
	if settle && on {
		select {
		case <-time.After(settleIn - time.Since(began)):
		case <-ctx.Done():
		}
	}
	sight := n.browser.Sight()
	sight.Servers = slices.DeleteFunc(sight.Servers, func(found domain.NetworkServer) bool {
		return slices.ContainsFunc(announced, func(a domain.Announcement) bool {
			return a.Problem == nil && a.Instance == found.Instance && a.Port == found.Port && strings.EqualFold(a.Host, found.Host)
		})
	})
	return sight
}

// announced is what the network gets to see, and what a person wants it to see and why it does not.
func (c *Core) announced() []domain.Announcement {
	c.network.mu.Lock()
	defer c.network.mu.Unlock()
	return slices.Clone(c.network.announced)
}

// own is how the local network reaches this computer.
func own() (host string, addrs []netip.Addr, err error) {
	if host, err = lan.HostName(); err != nil {
		return "", nil, err
	}
	addrs, err = lan.OwnAddresses()
	return host, addrs, err
}

// close ends the search and the announcement.
func (n *network) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, r := range []*running{&n.search, &n.announce} {
		if r.end != nil {
			r.end()
			r.end = nil
		}
	}
}
