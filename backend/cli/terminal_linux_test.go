package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal with what a program wrote to it.
type terminal struct {
	t    *testing.T
	ours *os.File

	mu      sync.Mutex
	written bytes.Buffer
	changed chan struct{} // closed and replaced at each write
}

// openTerminal makes a pseudo-terminal and gives the end that a program gets; see pts(4).
func openTerminal(t *testing.T) (term *terminal, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ours.Close() })
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	term = &terminal{t: t, ours: ours, changed: make(chan struct{})}
	go term.read() // ends when the other end is closed
	return term, theirs
}

func (term *terminal) read() {
	_, _ = io.Copy(term, term.ours) // EIO when the program has ended
}

// Write keeps what the program wrote.
func (term *terminal) Write(data []byte) (int, error) {
	term.mu.Lock()
	defer term.mu.Unlock()
	close(term.changed)
	term.changed = make(chan struct{})
	return term.written.Write(data)
}

// text is what the program wrote so far.
func (term *terminal) text() (string, <-chan struct{}) {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.written.String(), term.changed
}

// expect waits until the program wrote something that matches.
func (term *terminal) expect(pattern string) {
	term.t.Helper()
	ctx, cancel := context.WithTimeout(term.t.Context(), eventLimit)
	defer cancel()
	for {
		text, changed := term.text()
		if regexp.MustCompile(pattern).MatchString(text) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			term.t.Fatalf("the terminal never showed %q:\n%s", pattern, text)
		}
	}
}

func (term *terminal) enter(line string) {
	term.t.Helper()
	if _, err := term.ours.WriteString(line + "\n"); err != nil {
		term.t.Fatal(err)
	}
}

// desk is a data folder with one server, at which a person works.
type desk struct {
	t   *testing.T
	env []string
}

func newDesk(t *testing.T) desk {
	t.Helper()
	folder := t.TempDir()
	d := desk{t, []string{
		"HOME=" + folder, "APOLLIA_HOME=" + filepath.Join(folder, "data"), "APOLLIA_LISTEN=127.0.0.1:0",
		"PATH=" + programs + ":" + os.Getenv("PATH"), "TERM=xterm",
	}}
	d.run("mcp", "add-server", "--name", "fake", "--command", "mcpfake")
	return d
}

// home is the data folder.
func (d desk) home() string { return strings.TrimPrefix(d.env[1], "APOLLIA_HOME=") }

func (d desk) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(d.t.Context(), filepath.Join(programs, "apollia"), args...)
	cmd.Env = d.env
	return cmd
}

func (d desk) run(args ...string) string {
	d.t.Helper()
	out, err := d.command(args...).Output()
	if err != nil {
		d.t.Fatalf("apollia %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// at starts a command at a terminal. Its standard output goes to out.
func (d desk) at(out io.Writer, args ...string) (*terminal, *exec.Cmd) {
	d.t.Helper()
	term, theirs := openTerminal(d.t)
	cmd := d.command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, out, theirs
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	if err := theirs.Close(); err != nil {
		d.t.Fatal(err)
	}
	return term, cmd
}

func TestPersonApprovesAtTheTerminal(t *testing.T) {
	d := newDesk(t)
	var out bytes.Buffer
	term, cmd := d.at(&out, "mcp", "call", "fake", "echo", "--args", `{"message":"bonjour"}`)
	term.expect(`cli wants to call echo of fake`)
	term.expect(`"message": "bonjour"`)
	term.expect(`\[o\]nce`)
	term.enter("o")
	if err := cmd.Wait(); err != nil || out.String() != "bonjour\n" {
		text, _ := term.text()
		t.Fatalf("%v, %q\n%s", err, out.String(), text)
	}
	if list := d.run("inbox", "list", "--json"); list != `{"requests":[]}`+"\n" {
		t.Errorf("something still waits: %s", list)
	}
}

func TestProgressIsShownAtTheTerminal(t *testing.T) {
	d := newDesk(t)
	term, cmd := d.at(io.Discard, "mcp", "call", "fake", "slow", "--args", `{"ms":8000}`)
	term.expect(`\[o\]nce`)
	term.enter("o")
	term.expect(`slow: \d of 4, busy`)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v, want exit 1", err)
	}
}

func TestPersonDeniesAtTheTerminal(t *testing.T) {
	d := newDesk(t)
	term, cmd := d.at(io.Discard, "mcp", "call", "fake", "echo")
	term.expect(`\[d\]eny`)
	term.enter("perhaps")
	term.expect(`(?s)\[d\]eny.*\[d\]eny`)
	term.enter("d")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 4 {
		t.Fatalf("%v, want exit 4", err)
	}
	term.expect(`error: `)
}

func TestInterruptLeavesTheQuestion(t *testing.T) {
	d := newDesk(t)
	term, cmd := d.at(io.Discard, "mcp", "call", "fake", "echo")
	term.expect(`\[d\]eny`)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v, want exit 1", err)
	}
	if list := d.run("inbox", "list", "--json"); !strings.Contains(list, `"tool":"echo"`) {
		t.Errorf("the request is gone: %s", list)
	}
}

func TestRightsAreWidenedOnlyAtATerminal(t *testing.T) {
	d := newDesk(t)
	if err := d.command("policy", "allow", "fake.echo").Run(); err == nil {
		t.Error("a rule was added without a terminal")
	}
	var out bytes.Buffer
	_, cmd := d.at(&out, "policy", "allow", "fake.echo")
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "allow") {
		t.Fatalf("%v, %q", err, out.String())
	}
	if got := d.run("mcp", "call", "fake", "echo", "--args", `{"message":"x"}`); got != "x\n" {
		t.Errorf("got %q", got)
	}
}

func TestRemovingAsksAtATerminal(t *testing.T) {
	d := newDesk(t)
	term, cmd := d.at(io.Discard, "mcp", "remove", "fake")
	term.expect(`Remove fake\? \[y/N\]`)
	term.enter("")
	if err := cmd.Wait(); err == nil {
		t.Error("removed without a yes")
	}
	term, cmd = d.at(io.Discard, "mcp", "remove", "fake")
	term.expect(`Remove fake\?`)
	term.enter("yes")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	term.expect(`apollia mcp restore fake`)
	if list := d.run("mcp", "list", "--json"); list != `{"servers":[]}`+"\n" {
		t.Errorf("still there: %s", list)
	}
}

func TestNewKeySaysWhatItCostsAtATerminal(t *testing.T) {
	d := newDesk(t)
	key := filepath.Join(d.home(), "server.key")
	d.run("mcp", "add-server", "--name", "keeper", "--command", "mcpfake", "--env", "API_TOKEN=s3cr3t-v4lue")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	term, cmd := d.at(io.Discard, "doctor", "--new-key")
	term.expect(`lost: the values of keeper/env.API_TOKEN`)
	term.expect(`Make a new key\? \[y/N\]`)
	term.enter("")
	if err := cmd.Wait(); err == nil {
		t.Error("a key was made without a yes")
	}
	if _, err := os.Stat(key); err == nil {
		t.Error("there is a key after a no")
	}
	var out bytes.Buffer
	term, cmd = d.at(&out, "doctor", "--new-key")
	term.expect(`Make a new key\?`)
	term.enter("yes")
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "keeper/env.API_TOKEN") {
		t.Fatalf("%v, %q", err, out.String())
	}
	if report := d.run("audit", "verify", "--json"); !strings.Contains(report, `"ok":true`) {
		t.Errorf("%s", report)
	}
}
