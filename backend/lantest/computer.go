package lantest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/grandcat/zeroconf"
)

const (
	there       = "there" // the link of another computer to ours
	failure     = "error: "
	serviceType = "_apollia-mcp._tcp"
	domainLocal = "local."
	mdnsPort    = 5353
	patience    = 60 * time.Second   // for what must come, however slow the machine
	roleName    = "APOLLIA_LAN_ROLE" // what a child is, in place of a test
	roleValue   = "neighbour"
)

// ServeIfAsked makes this process another computer if a test started it as one, and ends it then. The first line of TestMain
// calls it.
func ServeIfAsked() {
	if os.Getenv(roleName) != roleValue {
		return
	}
	if err := Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Order is one line to another computer, which does it and answers with one line.
type Order struct {
	// Do is hello, up, register, text, leave, packet or find.
	Do string
	// Name is an instance in presentation form (RFC 1035 section 5.1).
	Name string
	Host string
	Port int
	// Addresses are those of the link for up, of the host for register.
	Addresses []string
	Text      []string
	// Count registers so many servers, with a number after the name and added to the port.
	Count  int
	Packet []byte
}

// Serve does what it is told, a line of JSON each, until in ends.
func Serve(in io.Reader, out io.Writer) error {
	c := &computer{servers: make(map[string]*zeroconf.Server)}
	orders := json.NewDecoder(in)
	for {
		var o Order
		if err := orders.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer, err := c.do(o)
		if err != nil {
			answer = failure + strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
}

// computer is what one announces.
type computer struct{ servers map[string]*zeroconf.Server }

func (c *computer) do(o Order) (answer string, err error) {
	answer = "done"
	switch o.Do {
	case "hello":
	case "up":
		err = up(o.Addresses)
	case "register":
		err = c.register(o)
	case "text":
		c.servers[o.Name].SetText(o.Text)
	case "leave":
		c.servers[o.Name].Shutdown()
	case "packet":
		err = send(o.Packet)
	case "find":
		answer, err = find(o.Name)
	default:
		err = errors.New("unknown order")
	}
	return answer, err
}

func up(addresses []string) error {
	lines := [][]string{{"link", "set", "lo", "up"}}
	for _, a := range addresses {
		lines = append(lines, []string{"addr", "add", a, "dev", there, "nodad"})
	}
	for _, args := range append(lines, []string{"link", "set", there, "up"}) {
		if out, err := exec.CommandContext(context.Background(), "ip", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// register announces one server, or Count of them with a number each.
func (c *computer) register(o Order) error {
	for i := range max(o.Count, 1) {
		name := o.Name
		if o.Count > 0 {
			name = fmt.Sprintf(`%s\ %d`, o.Name, i)
		}
		s, err := zeroconf.RegisterProxy(name, serviceType, domainLocal, o.Port+i, o.Host, o.Addresses, o.Text, nil)
		if err != nil {
			return err
		}
		c.servers[name] = s
	}
	return nil
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
	if err := resolver.Browse(ctx, serviceType, domainLocal, entries); err != nil {
		return "", err
	}
	found := ""
	for e := range entries {
		if e.Instance == instance && found == "" {
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
	there, err := net.InterfaceByName(there)
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
