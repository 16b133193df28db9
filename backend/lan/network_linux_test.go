package lan

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

const (
	insideName = "APOLLIA_LAN_INSIDE" // the test that runs in a network of its own
	roleName   = "APOLLIA_LAN_ROLE"   // what a child is, in place of a test
	patience   = 60 * time.Second     // for what must come, however slow the machine
	usHere     = "10.99.7.1"
	themThere  = "10.99.7.2"
)

func TestMain(m *testing.M) {
	if os.Getenv(roleName) == "neighbour" {
		if err := neighbour(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// alone runs the test again in a network namespace of its own, where it may make links and whatever is sent reaches nobody
// else. It is true in there; outside the test has ended with it.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(insideName) == t.Name() {
		ip(t, "link", "set", "lo", "up")
		return true
	}
	inside := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	inside.Env = append(os.Environ(), insideName+"="+t.Name())
	inside.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	out, err := inside.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("in a network of its own: %v\n%s", err, out)
	}
	return false
}

func ip(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// peer is another computer on the same network: a process in a namespace of its own.
type peer struct {
	t       *testing.T
	process *exec.Cmd
	orders  *json.Encoder
	answers *bufio.Scanner
}

// order is one line to a peer, which does it and answers with one line.
type order struct {
	Do        string
	Name      string
	Host      string
	Port      int
	Addresses []string
	Text      []string
	Count     int
	Packet    []byte
	Announce  []Announcement
}

// connect makes a peer and joins it to this network by a pair of links, ours named us.
func connect(t *testing.T, us string, addresses ...string) *peer {
	t.Helper()
	p := start(t)
	ip(t, "link", "add", us, "type", "veth", "peer", "name", "there", "netns", strconv.Itoa(p.process.Process.Pid))
	up(t, us, addresses[0])
	p.do(order{Do: "up", Addresses: addresses[1:]})
	return p
}

// up gives our end of a pair of links its address, which it loses when it goes down, and switches it on.
func up(t *testing.T, link, address string) {
	t.Helper()
	ip(t, "addr", "replace", address, "dev", link, "nodad")
	ip(t, "link", "set", link, "up")
}

func start(t *testing.T) *peer {
	t.Helper()
	p := &peer{t: t, process: exec.Command(os.Args[0])}
	p.process.Env = append(os.Environ(), roleName+"=neighbour")
	p.process.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	p.process.Stderr = os.Stderr
	in, err := p.process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	p.orders, p.answers = json.NewEncoder(in), bufio.NewScanner(out)
	t.Cleanup(func() {
		_ = in.Close()
		_ = p.process.Wait()
	})
	p.do(order{Do: "hello"})
	return p
}

// do has the peer do something and returns what it answers.
func (p *peer) do(o order) string {
	p.t.Helper()
	if err := p.orders.Encode(o); err != nil {
		p.t.Fatal(err)
	}
	if !p.answers.Scan() {
		p.t.Fatalf("the other computer gave no answer to %q", o.Do)
	}
	answer := p.answers.Text()
	if problem, failed := strings.CutPrefix(answer, "error: "); failed {
		p.t.Fatalf("the other computer, told to %s: %s", o.Do, problem)
	}
	return answer
}

func (p *peer) kill() {
	p.t.Helper()
	if err := p.process.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
}

// eye is a browser that runs, and tells when what it sees changes.
type eye struct {
	*Browser
	t       *testing.T
	changes chan struct{}
	end     func()
}

// browse runs a browser that asks each second, until the test ends or end is called.
func browse(t *testing.T) *eye {
	t.Helper()
	e := &eye{t: t, changes: make(chan struct{}, 1)}
	e.Browser = NewBrowser(slog.New(slog.DiscardHandler), time.Second, func() {
		select {
		case e.changes <- struct{}{}:
		default:
		}
	})
	e.end = running(t, e.Run)
	return e
}

// running runs something until the returned function is called, which waits for its end, or the test ends.
func running(t *testing.T, run func(context.Context)) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(ctx)
	}()
	end = func() {
		cancel()
		<-ended
	}
	t.Cleanup(end)
	return end
}

// until waits for a sight that a test wants, and returns it.
func (e *eye) until(what string, wanted func(domain.NetworkSight) bool) domain.NetworkSight {
	e.t.Helper()
	late := time.After(patience)
	for {
		sight := e.Sight()
		if wanted(sight) {
			return sight
		}
		select {
		case <-e.changes:
		case <-late:
			seen, _ := json.MarshalIndent(sight, "", " ")
			e.t.Fatalf("%s: waited in vain, and saw %s", what, seen)
		}
	}
}

// sees waits for exactly so many servers.
func (e *eye) sees(count int) []domain.NetworkServer {
	e.t.Helper()
	return e.until(fmt.Sprint(count, " servers"), func(s domain.NetworkSight) bool {
		return !s.NoNetwork && !s.Looked.IsZero() && len(s.Servers) == count
	}).Servers
}

func reply(out io.Writer, err error, answer string) {
	if err != nil {
		answer = "error: " + strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	fmt.Fprintln(out, answer)
}
