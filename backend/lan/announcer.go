package lan

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/grandcat/zeroconf"
)

// maxInstance is the longest name of an instance in bytes: it is one label of DNS.
const maxInstance = 63

// Announcement is a server that a person wants found, and what the network learns of this computer with it.
type Announcement struct {
	// Instance is the name on the network, as InstanceOf makes it.
	Instance string
	// Host is the name of this computer in domainLocal, and Addresses are those that are announced, no others.
	Host      string
	Addresses []netip.Addr
	Port      int
	Record    Record
}

// InstanceOf is what the network calls a server: its name, cut to what one label of DNS takes.
func InstanceOf(name string) string { return cut(name, maxInstance) }

// Announcer publishes servers on the local network. It holds no socket but while Run runs and announces something.
type Announcer struct {
	log   *slog.Logger
	moved func()
	wants chan []Announcement
}

// NewAnnouncer makes an announcer that announces nothing yet. It calls moved, from one goroutine, when the network became
// another one while something was announced: the addresses may be others now.
func NewAnnouncer(log *slog.Logger, moved func()) *Announcer {
	return &Announcer{log: log, moved: moved, wants: make(chan []Announcement, 1)}
}

// Announce replaces what is announced; nothing takes all of it back. Only one goroutine may call it at a time.
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
	s := &speaking{log: a.log, servers: make(map[string]*zeroconf.Server)}
	defer s.silence()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case s.list = <-a.wants:
		case <-poll.C:
		}
		ls, err := links()
		if err != nil {
			continue // the next look may tell
		}
		moved := s.moveTo(ls)
		s.say()
		if moved && len(s.list) > 0 {
			a.moved()
		}
	}
}

// speaking is what is announced on one set of links.
type speaking struct {
	log     *slog.Logger
	list    []Announcement // what is to be said
	servers map[string]*zeroconf.Server
	links   []link
	was     string // signature of the links, empty before the first
}

// moveTo ends all that is said on other links, and is true if there were others before.
func (s *speaking) moveTo(ls []link) bool {
	now := signature(ls)
	if now == s.was {
		return false
	}
	had := s.was != ""
	s.silence()
	s.links, s.was = ls, now
	return had
}

// silence ends all that is said.
func (s *speaking) silence() {
	for key, server := range s.servers {
		s.end(server)
		delete(s.servers, key)
	}
}

// say ends what is not in the list and begins what is new in it: one that stays is never gone for a moment. On no network
// nothing is said.
func (s *speaking) say() {
	wanted := make(map[string]Announcement, len(s.list))
	for _, announcement := range s.list {
		wanted[fmt.Sprint(announcement)] = announcement
	}
	for key, server := range s.servers {
		if _, stays := wanted[key]; !stays {
			s.end(server)
			delete(s.servers, key)
		}
	}
	if len(s.links) == 0 {
		return
	}
	for key, announcement := range wanted {
		if s.servers[key] != nil {
			continue
		}
		server, err := register(announcement, s.links)
		if err != nil {
			s.log.Warn("a server could not be announced on the network", "instance", announcement.Instance, "error", err)
			continue
		}
		s.servers[key] = server
	}
}

// register hands one announcement to the library, and makes an error of its panics.
func register(a Announcement, ls []link) (server *zeroconf.Server, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("announce %s: %v", a.Instance, cause)
		}
	}()
	interfaces := make([]net.Interface, len(ls))
	for i, l := range ls {
		interfaces[i] = l.Interface
	}
	addresses := make([]string, len(a.Addresses))
	for i, addr := range a.Addresses {
		addresses[i] = addr.WithZone("").String()
	}
	host := strings.TrimSuffix(localName(a.Host), ".local") // the library writes the domain behind it
	return zeroconf.RegisterProxy(escape(a.Instance), ServiceType, domainLocal, a.Port, host, addresses, a.Record.strings(), interfaces)
}

// end says goodbye and closes the sockets of one.
func (s *speaking) end(server *zeroconf.Server) {
	defer func() {
		if cause := recover(); cause != nil {
			s.log.Warn("an announcement did not end cleanly", "cause", cause)
		}
	}()
	server.Shutdown()
}
