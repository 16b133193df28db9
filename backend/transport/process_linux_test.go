package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// markOf finds the mark of a child by its pid.
func markOf(t *testing.T, pid int) string {
	t.Helper()
	environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		t.Fatal(err)
	}
	return variable(strings.Split(string(environ), "\x00"), markName, "linux")
}

func TestNothingOfAStubbornTreeIsLeft(t *testing.T) {
	tests := []struct {
		name   string
		behave []mcptest.Behaviour
	}{
		{"stubborn", []mcptest.Behaviour{mcptest.Stubborn, mcptest.Grandchild}},
		{"escapee", []mcptest.Behaviour{mcptest.Escapee}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, mcptest.Command(mcptest.Options{Behave: test.behave}), testOptions())
			initialize(t, l)
			mark := markOf(t, l.PID())
			mcptest.Eventually(t, "two processes", func() bool { return len(marked(mark)) == 2 })
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if left := marked(mark); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestCrashIsReportedWhileADescendantHoldsTheOutput(t *testing.T) {
	t.Parallel()
	l := dial(t, mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Grandchild}, Text: "out of luck"}), testOptions())
	initialize(t, l)
	mark := markOf(t, l.PID())
	mcptest.Eventually(t, "two processes", func() bool { return len(marked(mark)) == 2 })
	_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{"name":"crash"}`))
	if e := wantCode(t, err, domain.CodeServerExited); e.Proof != "out of luck" {
		t.Errorf("proof %q", e.Proof)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if left := marked(mark); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What keeps the output open would keep the calls in flight waiting, be it far away from the group of the child.
func TestOutputThatADescendantHoldsIsNotAwaited(t *testing.T) {
	child := exec.Command("true")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	mark := newMark()
	p := &process{cmd: child, family: newFamily(child.Process.Pid, "", mark)}
	away := exec.Command("sleep", "1000")
	away.Env = []string{markName + "=" + mark}
	ownSession(away)
	if err := away.Start(); err != nil {
		t.Fatal(err)
	}
	if got := p.drainTime(); got != drainGrace {
		t.Errorf("with an escapee it is awaited for %v", got)
	}
	if err := away.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = away.Wait() // it was killed
	if got := p.drainTime(); got != drainLimit {
		t.Errorf("without one it is awaited for %v", got)
	}
}

// holdName names the variable that turns the test program into a core which is about to be killed.
const holdName = "TRANSPORT_TEST_HOLD"

// holdIfAsked starts a server with a ledger in the given folder, says so, and waits for its end.
func holdIfAsked() {
	dir := os.Getenv(holdName)
	if dir == "" {
		return
	}
	d := mcptest.Command(mcptest.Options{Name: dir, Behave: []mcptest.Behaviour{mcptest.Stubborn, mcptest.Escapee, mcptest.Daemon}})
	l, err := Dial(context.Background(), "held", d, Options{Environ: os.Environ(), Ledger: NewLedger(dir)}, nil)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(strconv.Itoa(l.PID()) + "\n")
	select {}
}

func TestSweepEndsWhatAKilledCoreLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	core := exec.Command(os.Args[0])
	core.Env = append(os.Environ(), holdName+"="+dir)
	out, err := core.StdoutPipe()
	if err == nil {
		err = core.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, bad := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || bad != nil {
		t.Fatalf("the core said %q (%v)", line, err)
	}
	mark := markOf(t, pid)
	daemon := daemonOf(t, dir)
	mcptest.Eventually(t, "three processes", func() bool { return len(marked(mark)) == 3 })
	if err := core.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = core.Wait() // it was killed
	if alive := marked(mark); len(alive) != 3 || !isThere(daemon) {
		t.Fatalf("%d processes outlived the core, want 3", len(alive))
	}

	// Records that prove nothing: nobody is ended for them.
	bystander := exec.Command("sleep", "1000")
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = bystander.Process.Kill()
		_ = bystander.Wait()
	}()
	ledger := NewLedger(dir)
	ledger.record("reused pid", bystander.Process.Pid, newMark(), testLogger())
	for name, text := range map[string]string{"broken.json": "{", "init.json": `{"pid":1,"start":"1","mark":"` + newMark() + `"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	left, err := ledger.Sweep(mcptest.Within(t))
	if err != nil || len(left) != 1 || left[0] != (Leftover{Server: "held", PID: pid}) {
		t.Errorf("swept %v (%v), want the one of pid %d", left, err, pid)
	}
	mcptest.Eventually(t, "nothing left", func() bool { return len(marked(mark)) == 0 && !isThere(daemon) })
	if startTime(bystander.Process.Pid) == "" {
		t.Error("a bystander was ended")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("the ledger still holds %v (%v)", files, err)
	}
}

// leaveStubborn starts a process as a killed core leaves it, recorded in the ledger, that does not end when asked but
// says so. asked is closed when it is gone.
func leaveStubborn(t *testing.T, ledger *Ledger, name string) (asked <-chan string, cmd *exec.Cmd) {
	t.Helper()
	mark := newMark()
	cmd = exec.Command("sh", "-c", "trap 'echo asked' TERM; echo ready; while :; do sleep 1000 & wait; done")
	cmd.Env = append(os.Environ(), markName+"="+mark)
	ownGroup(cmd)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 10)
	ended := make(chan struct{})
	t.Cleanup(func() {
		signalPID(-cmd.Process.Pid, true)
		<-ended
	})
	said := bufio.NewScanner(out)
	if !said.Scan() {
		t.Fatalf("%s said nothing: %v", name, said.Err())
	}
	go func() {
		defer close(ended)
		defer close(lines)
		for said.Scan() {
			lines <- said.Text()
		}
		_ = cmd.Wait() // how it ended is in its state
	}()
	ledger.record(name, cmd.Process.Pid, mark, testLogger())
	return lines, cmd
}

// A second one that is only asked once the first was killed would never be asked here: nobody is killed before both
// were asked.
func TestSweepAsksAllBeforeItKillsAny(t *testing.T) {
	t.Parallel()
	ledger := NewLedger(t.TempDir())
	asked, commands := map[string]<-chan string{}, map[string]*exec.Cmd{}
	for _, name := range []string{"one", "two", "three"} {
		asked[name], commands[name] = leaveStubborn(t, ledger, name)
	}
	patience, runOut := context.WithCancel(mcptest.Within(t))
	swept := make(chan int, 1)
	go func() {
		left, err := ledger.sweep(patience)
		if err != nil {
			t.Errorf("sweep: %v", err)
		}
		swept <- len(left)
	}()
	for name, lines := range asked {
		if line := <-lines; line != "asked" {
			t.Errorf("%s said %q", name, line)
		}
	}
	select {
	case <-swept:
		t.Error("the sweep ended before its patience")
	default:
	}
	runOut()
	if n := <-swept; n != len(commands) {
		t.Errorf("ended %d, want %d", n, len(commands))
	}
	for name, lines := range asked {
		for range lines { // asked through its group and by its mark
		}
		if state := commands[name].ProcessState.Sys().(syscall.WaitStatus); state.Signal() != syscall.SIGKILL {
			t.Errorf("%s ended by %v", name, state.Signal())
		}
	}
}

func TestLedgerForgetsAServerThatEnded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run", "children")
	o := testOptions()
	o.Ledger = NewLedger(dir)
	if left, err := o.Ledger.Sweep(mcptest.Within(t)); err != nil || left != nil {
		t.Errorf("an empty ledger: %v, %v", left, err)
	}
	l := dial(t, mcptest.Command(mcptest.Options{}), o)
	initialize(t, l)
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("while it runs: %v, %v", files, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("after it ended: %v, %v", files, err)
	}
}

func TestMalformedAnswersFailOnlyTheirRequest(t *testing.T) {
	tests := []struct{ name, answer, proof string }{
		{"not UTF-8", `{"jsonrpc":"2.0","id":1,"result":{"text":"\377"}}`, "UTF-8"},
		{"two results", `{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, "duplicate"},
		{"cut short", `{"jsonrpc":"2.0","id":1,"result":{"a":}}`, "JSON"},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`, "both"},
		{"an error that is none", `{"jsonrpc":"2.0","id":1,"error":"no"}`, "error"},
		{"in another case", `{"jsonrpc":"2.0","id":1,"Result":{},"result":{}}`, "case"},
		{"nested without end", `{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`, "deep"},
	}
	for _, test := range tests {
		script := "read line; printf '" + test.answer + "\\n'; read line; " +
			`printf '{"jsonrpc":"2.0","id":2,"result":{"fine":true}}\n'; read line`
		l := dial(t, domain.Definition{Transport: domain.Stdio, Command: "sh", Args: []string{"-c", script}}, testOptions())
		_, err := l.Request(mcptest.Within(t), "initialize", json.RawMessage(`{}`))
		if e := wantCode(t, err, domain.CodeProtocol); !strings.Contains(e.Proof, test.proof) {
			t.Errorf("%s: proof %q", test.name, e.Proof)
		}
		if result, err := l.Request(mcptest.Within(t), "ping", nil); err != nil || string(result) != `{"fine":true}` {
			t.Errorf("%s: the next answer is %s, %v", test.name, result, err)
		}
	}
}
