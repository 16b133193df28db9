package lan

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/grandcat/zeroconf"
)

// maxInstance is the longest name of an instance in bytes: it is one label of DNS.
const maxInstance = 63

// Announcement is a server that a person wants found. The network also learns the name and the addresses of this computer.
type Announcement struct {
	// Instance is the name on the network, of at most 63 bytes; a longer one is cut.
	Instance string
	Port     int
	Record   Record
}

// Announcer publishes servers on the local network. It holds no socket but while Run runs and announces something.
type Announcer struct {
	log   *slog.Logger
	wants chan []Announcement
}

// NewAnnouncer makes an announcer that announces nothing yet.
func NewAnnouncer(log *slog.Logger) *Announcer {
	return &Announcer{log: log, wants: make(chan []Announcement, 1)}
}

// Announce replaces what is announced; nothing takes all of it back. Only one goroutine may call it.
func (a *Announcer) Announce(list []Announcement) {
	select {
	case <-a.wants: // what nobody has taken yet is out of date
	default:
	}
	a.wants <- list
}

// Run announces until ctx ends, and then has said goodbye and closed all sockets. It goes on by itself when the network
// changes.
func (a *Announcer) Run(ctx context.Context) {
	var (
		list    []Announcement
		was     string
		current []*zeroconf.Server
	)
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	defer func() { a.end(current) }()
	for {
		select {
		case <-ctx.Done():
			return
		case list = <-a.wants:
			was = ""
		case <-poll.C:
		}
		ls, err := links()
		if err != nil {
			continue // the next look may tell
		}
		if now := signature(ls); now != was {
			a.end(current)
			current, was = a.start(list, ls), now
		}
	}
}

// start registers what it can; on no network that is nothing.
func (a *Announcer) start(list []Announcement, ls []link) (started []*zeroconf.Server) {
	if len(ls) == 0 {
		return nil
	}
	interfaces := make([]net.Interface, len(ls))
	for i, l := range ls {
		interfaces[i] = l.Interface
	}
	for _, announcement := range list {
		server, err := register(announcement, interfaces)
		if err != nil {
			a.log.Warn("a server could not be announced on the network", "instance", announcement.Instance, "error", err)
			continue
		}
		started = append(started, server)
	}
	return started
}

// register hands one announcement to the library, and makes an error of its panics.
func register(a Announcement, interfaces []net.Interface) (server *zeroconf.Server, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("announce %s: %v", a.Instance, cause)
		}
	}()
	return zeroconf.Register(escape(cut(a.Instance, maxInstance)), ServiceType, domainLocal, a.Port, a.Record.strings(), interfaces)
}

// end says goodbye for each and closes its sockets.
func (a *Announcer) end(servers []*zeroconf.Server) {
	for _, s := range servers {
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					a.log.Warn("an announcement did not end cleanly", "cause", cause)
				}
			}()
			s.Shutdown()
		}()
	}
}
