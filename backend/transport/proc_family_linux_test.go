package transport

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/mcptest"
)

// marked lists the processes that carry a mark, zombies left out.
func marked(mark string) (pids []int) {
	for _, pid := range processes() {
		if isThere(pid) && hasMark(pid, mark) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func isThere(pid int) bool {
	s, ok := readStat(pid)
	return ok && !s.zombie
}

// environOf is the environment of a process; empty for one that is gone.
func environOf(pid int) string {
	environ, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	return string(environ)
}

// daemonOf waits for the daemon of the fake server of that name: nothing of our environment is left to it, nor its
// parent.
func daemonOf(t *testing.T, name string) (daemon int) {
	t.Helper()
	name = strconv.Quote(name) // as it is among the flags of a fake server
	mcptest.Eventually(t, "a daemon without a parent", func() bool {
		for _, pid := range processes() {
			environ := environOf(pid)
			if !strings.Contains(environ, name) || strings.Contains(environ, markName) {
				continue
			}
			s, _ := readStat(pid)
			if parent := environOf(s.parent); parent != "" && !strings.Contains(parent, name) {
				daemon = pid
				return true
			}
		}
		return false
	})
	return daemon
}

// dialDaemon starts a server and waits for its daemon.
func dialDaemon(t *testing.T) (l *Link, daemon int) {
	t.Helper()
	name := newMark()
	l = dial(t, mcptest.Command(mcptest.Options{Name: name, Behave: []mcptest.Behaviour{mcptest.Daemon}}), testOptions())
	initialize(t, l)
	return l, daemonOf(t, name)
}

func TestNothingOfADaemonIsLeft(t *testing.T) {
	for name, end := range map[string]func(*Link){
		"closed":  func(*Link) {},
		"crashed": func(l *Link) { _, _ = l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{"name":"crash"}`)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, daemon := dialDaemon(t)
			end(l)
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if s, ok := readStat(daemon); ok {
				t.Errorf("the daemon is left behind: %+v", s)
			}
		})
	}
}

// A server may run for months, and each zombie holds a pid. Those of others are not ours to take.
func TestOrphansThatEndAreReapedAndNothingElse(t *testing.T) {
	t.Parallel()
	_, daemon := dialDaemon(t)
	if s, ok := readStat(daemon); !ok || s.parent != os.Getpid() {
		t.Errorf("an orphan has the parent %d, want us", s.parent)
	}
	other := exec.Command("sh", "-c", "exit 3")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	mcptest.Eventually(t, "a zombie", func() bool { return !isThere(other.Process.Pid) })
	signalPID(daemon, true)
	mcptest.Eventually(t, "no zombie", func() bool { _, ok := readStat(daemon); return !ok })
	if err := other.Wait(); other.ProcessState.ExitCode() != 3 {
		t.Errorf("the child of somebody else ended with %v", err)
	}
}

// Where a process cannot be given the number of its mark, those that it starts are known as its children.
func TestFamilyIsKnownByItsParents(t *testing.T) {
	adoptOrphans()
	head := exec.Command("sh", "-c", "env -i sleep 1000 & echo started; wait")
	out, err := head.StdoutPipe()
	if err == nil {
		err = head.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	pid := head.Process.Pid
	f := newFamily(pid, startTime(pid), newMark())
	f.known[pid] = f.born
	if members := f.look(); len(members) != 2 {
		t.Fatalf("found %v, want a parent and its child", members)
	}
	signalPID(pid, true)
	mcptest.Eventually(t, "only the child", func() bool { return len(f.look()) == 1 })
	if err := head.Wait(); exitSignal(head.ProcessState) != "killed" {
		t.Errorf("the parent ended with %v", err)
	}
	var child int
	for member := range f.look() {
		child = member
	}
	f.signal(true)
	mcptest.Eventually(t, "nobody", func() bool { return !f.alive() })
	if s, ok := readStat(child); ok {
		t.Errorf("the child is left behind: %+v", s)
	}
}

func TestStrangerWithThePidOfAMemberIsNoMember(t *testing.T) {
	stranger := exec.Command("sleep", "1000")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	pid := stranger.Process.Pid
	s, ok := readStat(pid)
	f := newFamily(pid, "", newMark())
	f.known[pid] = s.start - 1
	f.signal(true)
	if !ok || f.alive() || !isThere(pid) {
		t.Error("a stranger was taken for a member")
	}
	_ = stranger.Process.Kill()
	_ = stranger.Wait() // it was killed
}
