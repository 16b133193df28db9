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

// Alone runs the test again in a network namespace of its own, where it may make links. It is true in there; outside, the test
// has ended with it.
func Alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(insideName) == t.Name() {
		IP(t, "link", "set", "lo", "up")
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

// IP changes the network by the program ip.
func IP(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// Peer is another computer on the same network: a process in a namespace of its own.
type Peer struct {
	t       *testing.T
	process *exec.Cmd
	orders  *json.Encoder
	answers *bufio.Scanner
}

// Connect makes a peer and joins it to this network by a pair of links. The end here is called us and has the first address;
// the peer has the others.
func Connect(t *testing.T, us string, addresses ...string) *Peer {
	t.Helper()
	p := start(t)
	IP(t, "link", "add", us, "type", "veth", "peer", "name", there, "netns", strconv.Itoa(p.process.Process.Pid))
	Up(t, us, addresses[0])
	p.Do(Order{Do: "up", Addresses: addresses[1:]})
	return p
}

// Up gives a link its address, which it loses when it goes down, and switches it on.
func Up(t *testing.T, link, address string) {
	t.Helper()
	IP(t, "addr", "replace", address, "dev", link, "nodad")
	IP(t, "link", "set", link, "up")
}

func start(t *testing.T) *Peer {
	t.Helper()
	p := &Peer{t: t, process: exec.Command(os.Args[0])}
	p.process.Env = append(os.Environ(), roleName+"="+roleValue)
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
