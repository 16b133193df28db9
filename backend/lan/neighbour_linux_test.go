package lan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/exec"
	"strings"
	"time"

	"github.com/grandcat/zeroconf"
	"github.com/miekg/dns"
)

// neighbour is the other computer: it announces and looks by the library alone, but for "announce", which is ours.
func neighbour(in io.Reader, out io.Writer) error {
	n := &neighbourhood{servers: make(map[string]*zeroconf.Server)}
	orders := json.NewDecoder(in)
	for {
		var o order
		if err := orders.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer, err := n.do(o)
		reply(out, err, answer)
	}
}

type neighbourhood struct {
	servers map[string]*zeroconf.Server
	end     func()
}

func (n *neighbourhood) do(o order) (answer string, err error) {
	answer = "done"
	switch o.Do {
	case "hello":
	case "up":
		err = n.up(o.Addresses)
	case "register":
		err = n.register(o)
	case "text":
		n.servers[o.Name].SetText(o.Text)
	case "leave":
		n.servers[o.Name].Shutdown()
	case "packet":
		err = send(o.Packet)
	case "announce":
		n.announce(o.Announce)
	case "silence":
		n.end()
	case "find":
		answer, err = find(o.Name)
	default:
		err = errors.New("unknown order")
	}
	return answer, err
}

func (n *neighbourhood) up(addresses []string) error {
	lines := [][]string{{"link", "set", "lo", "up"}}
	for _, a := range addresses {
		lines = append(lines, []string{"addr", "add", a, "dev", "there", "nodad"})
	}
	for _, args := range append(lines, []string{"link", "set", "there", "up"}) {
		if out, err := exec.CommandContext(context.Background(), "ip", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// register announces one server, or Count of them with a number each.
func (n *neighbourhood) register(o order) error {
	for i := range max(o.Count, 1) {
		name := o.Name
		if o.Count > 0 {
			name = fmt.Sprintf("%s %d", o.Name, i)
		}
		s, err := zeroconf.RegisterProxy(escape(name), ServiceType, domainLocal, o.Port+i, o.Host, o.Addresses, o.Text, nil)
		if err != nil {
			return err
		}
		n.servers[name] = s
	}
	return nil
}

func (n *neighbourhood) announce(list []Announcement) {
	a := NewAnnouncer(slog.New(slog.DiscardHandler))
	a.Announce(list)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.Run(ctx)
	}()
	n.end = func() {
		cancel()
		<-ended
	}
}

// find looks for an instance by the library, and says what it found.
func find(instance string) (string, error) {
	resolver, err := zeroconf.NewResolver(zeroconf.SelectIPTraffic(zeroconf.IPv4))
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	entries := make(chan *zeroconf.ServiceEntry)
	if err := resolver.Browse(ctx, ServiceType, domainLocal, entries); err != nil {
		return "", err
	}
	found := ""
	for e := range entries {
		if unescape(e.Instance) == instance && found == "" {
			found = fmt.Sprintf("port %d, text %q, addresses %v", e.Port, e.Text, e.AddrIPv4)
			cancel() // the library closes entries
		}
	}
	if found == "" {
		return "", errors.New("not found: " + instance)
	}
	return found, nil
}

// send puts bytes on the network, from the port that answers come from.
func send(packet []byte) error {
	there, err := net.InterfaceByName("there")
	if err != nil {
		return err
	}
	c, err := net.ListenMulticastUDP("udp4", there, &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: mdnsPort})
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(patience))
	_, err = c.WriteToUDP(packet, &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: mdnsPort})
	return err
}

// answer packs an answer of records, written as in a zone file.
func answer(records ...string) ([]byte, error) {
	m := dns.Msg{MsgHdr: dns.MsgHdr{Response: true}, Compress: true}
	for _, line := range records {
		rr, err := dns.NewRR(line)
		if err != nil {
			return nil, fmt.Errorf("record %q: %w", line, err)
		}
		m.Answer = append(m.Answer, rr)
	}
	return m.Pack()
}
