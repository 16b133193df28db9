package lantest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// insideName is set to the test that runs in a network of its own.
const insideName = "APOLLIA_LAN_INSIDE"

// Alone runs the test or benchmark again in a network namespace of its own, where it may make links. It is true in there;
// outside, the test has ended with it, and what a benchmark reports is in the log.
func Alone(tb testing.TB) bool {
	tb.Helper()
	if os.Getenv(insideName) == tb.Name() {
		IP(tb, "link", "set", "lo", "up")
		return true
	}
	only, passed := []string{"-test.run=^" + tb.Name() + "$", "-test.v"}, "--- PASS: "+tb.Name()
	if _, measures := tb.(*testing.B); measures {
		only, passed = []string{"-test.run=^$", "-test.bench=^" + tb.Name() + "$", "-test.benchtime=1x"}, "PASS"
	}
	inside := exec.CommandContext(tb.Context(), os.Args[0], only...)
	inside.Env = append(os.Environ(), insideName+"="+tb.Name())
	inside.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	out, err := inside.CombinedOutput()
	if err != nil || !strings.Contains(string(out), passed) {
		tb.Fatalf("in a network of its own: %v\n%s", err, out)
	}
	if _, measures := tb.(*testing.B); measures {
		tb.Logf("in a network of its own:\n%s", out)
	}
	return false
}

// IP changes the network by the program ip.
func IP(tb testing.TB, args ...string) {
	tb.Helper()
	if out, err := exec.CommandContext(tb.Context(), "ip", args...).CombinedOutput(); err != nil {
		tb.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// Peer is another computer on the same network: a process in a namespace of its own.
type Peer struct {
	t       testing.TB
	process *exec.Cmd
	orders  *json.Encoder
	answers *bufio.Scanner
}

// Connect makes a peer and joins it to this network by a pair of links. The end here is called us and has the first address;
// the peer has the others.
func Connect(tb testing.TB, us string, addresses ...string) *Peer {
	tb.Helper()
	p := start(tb)
	IP(tb, "link", "add", us, "type", "veth", "peer", "name", there, "netns", strconv.Itoa(p.process.Process.Pid))
	Up(tb, us, addresses[0])
	p.Do(Order{Do: "up", Addresses: addresses[1:]})
	return p
}

// Up gives a link its address, which it loses when it goes down, and switches it on.
func Up(tb testing.TB, link, address string) {
	tb.Helper()
	IP(tb, "addr", "replace", address, "dev", link, "nodad")
	IP(tb, "link", "set", link, "up")
}

func start(tb testing.TB) *Peer {
	tb.Helper()
	p := &Peer{t: tb, process: exec.Command(os.Args[0])}
	p.process.Env = append(os.Environ(), roleName+"="+roleValue)
	p.process.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	p.process.Stderr = os.Stderr
	in, err := p.process.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := p.process.Start(); err != nil {
		tb.Fatal(err)
	}
	p.orders, p.answers = json.NewEncoder(in), bufio.NewScanner(out)
	tb.Cleanup(func() {
		_ = in.Close()
		_ = p.process.Wait()
	})
	p.Do(Order{Do: "hello"})
	return p
}

// Do has the peer do something and returns what it answers.
func (p *Peer) Do(o Order) string {
	p.t.Helper()
	if err := p.orders.Encode(o); err != nil {
		p.t.Fatal(err)
	}
	if !p.answers.Scan() {
		p.t.Fatalf("the other computer gave no answer to %q", o.Do)
	}
	answer := p.answers.Text()
	if problem, failed := strings.CutPrefix(answer, failure); failed {
		p.t.Fatalf("the other computer, told to %s: %s", o.Do, problem)
	}
	return answer
}

// Kill ends the peer without a goodbye.
func (p *Peer) Kill() {
	p.t.Helper()
	if err := p.process.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
}
