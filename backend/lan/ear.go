package lan

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"

	"github.com/miekg/dns"
	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

const (
	mdnsPort = 5353
	// maxPacket is the longest answer that is read, in bytes. RFC 6762 section 17 allows 9000; one who sends a little more is
	// shown with that fault. Names that point at each other (RFC 1035 section 4.1.4) make a hundred times as much of it.
	maxPacket = 16 << 10
	// maxHeard is how many answers wait at most; the sockets keep more of them packed.
	maxHeard = 16
	onLink   = 255 // hops that every packet has left, RFC 6762 section 11
)

// heard is one answer, who sent it, and the name of the link that it came by.
type heard struct {
	sender netip.Addr
	link   string
	msg    *dns.Msg
}

// ear is a socket for each link and each version of IP, joined to the group that answers go to. Close it.
type ear struct {
	log     *slog.Logger
	sockets []socket
	heard   chan heard
	failed  chan struct{} // takes one value when a socket ends by itself
	done    chan struct{}
	readers sync.WaitGroup
}

// socket is one of an ear.
type socket struct {
	*net.UDPConn
	link  link
	group *net.UDPAddr
}

// listen opens an ear. One socket suffices, since many computers have only one version of IP; none is an error.
func listen(ls []link, log *slog.Logger) (*ear, error) {
	e := &ear{log: log, heard: make(chan heard, maxHeard), failed: make(chan struct{}, 1), done: make(chan struct{})}
	var errs []error
	for _, l := range ls {
		for _, open := range []func(link) (socket, error){open4, open6} {
			s, err := open(l)
			if err != nil {
				errs = append(errs, fmt.Errorf("listen on %s: %w", l.Name, err))
				continue
			}
			e.sockets = append(e.sockets, s)
		}
	}
	if len(e.sockets) == 0 {
		return nil, errors.Join(errs...)
	}
	for _, s := range e.sockets {
		e.readers.Go(func() { e.read(s) })
	}
	return e, nil
}

func open4(l link) (s socket, err error) {
	s = socket{link: l, group: &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: mdnsPort}}
	if s.UDPConn, err = net.ListenMulticastUDP("udp4", &l.Interface, s.group); err != nil {
		return s, err
	}
	// Answers of this computer's own programs count too, which a socket for a group leaves out unless it is told.
	p := ipv4.NewPacketConn(s.UDPConn)
	err = errors.Join(p.SetMulticastInterface(&l.Interface), p.SetMulticastTTL(onLink), p.SetMulticastLoopback(true))
	if err != nil {
		err = errors.Join(err, s.Close())
	}
	return s, err
}

func open6(l link) (s socket, err error) {
	s = socket{link: l, group: &net.UDPAddr{IP: net.ParseIP("ff02::fb"), Port: mdnsPort, Zone: l.Name}}
	if s.UDPConn, err = net.ListenMulticastUDP("udp6", &l.Interface, s.group); err != nil {
		return s, err
	}
	p := ipv6.NewPacketConn(s.UDPConn)
	err = errors.Join(p.SetMulticastInterface(&l.Interface), p.SetMulticastHopLimit(onLink), p.SetMulticastLoopback(true))
	if err != nil {
		err = errors.Join(err, s.Close())
	}
	return s, err
}

// ask sends questions to each link. It fails only if none of them took it.
func (e *ear) ask(questions ...dns.Question) error {
	m := dns.Msg{Question: questions}
	packet, err := m.Pack()
	if err != nil {
		return fmt.Errorf("write question: %w", err)
	}
	var errs []error
	for _, s := range e.sockets {
		if _, err := s.WriteToUDP(packet, s.group); err != nil {
			errs = append(errs, fmt.Errorf("ask on %s: %w", s.link.Name, err))
		}
	}
	if len(errs) == len(e.sockets) {
		return errors.Join(errs...)
	}
	return nil
}

// read passes on what a socket hears, until it is closed.
func (e *ear) read(s socket) {
	packet := make([]byte, maxPacket)
	for {
		n, from, err := s.ReadFromUDPAddrPort(packet)
		if err != nil {
			select {
			case e.failed <- struct{}{}:
			default:
			}
			return
		}
		sender := from.Addr().Unmap()
		if from.Port() != mdnsPort || !s.link.has(sender) {
			continue
		}
		if m := e.parse(packet[:n]); m != nil {
			select {
			case e.heard <- heard{sender, s.link.Name, m}:
			case <-e.done:
				return
			}
		}
	}
}

// parse reads an answer; nil if it is none. No packet of a stranger ends the program, whatever the parser makes of it.
func (e *ear) parse(packet []byte) (m *dns.Msg) {
	defer func() {
		if cause := recover(); cause != nil {
			e.log.Warn("a packet of the network could not be read", "cause", cause)
			m = nil
		}
	}()
	var msg dns.Msg
	if err := msg.Unpack(packet); err != nil || !msg.Response || msg.Opcode != dns.OpcodeQuery {
		return nil
	}
	return &msg
}

// Close ends all sockets and waits for their readers.
func (e *ear) Close() error {
	close(e.done)
	var errs []error
	for _, s := range e.sockets {
		errs = append(errs, s.Close())
	}
	e.readers.Wait()
	return errors.Join(errs...)
}
