package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// lines is an output of which the lines are counted.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write keeps what is written.
func (l *lines) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

func (l *lines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), "bonjour\n")
}

// follows insists that a resource that is followed is shown at once, and again when the server says that it changed.
func follows(ts *testscript.TestScript, server string) {
	var out lines
	cmd := exec.Command(ts.Getenv("APOLLIA"), "mcp", "read", server, "test://text", "--follow")
	cmd.Env = []string{
		"HOME=" + ts.Getenv("HOME"), "APOLLIA_HOME=" + ts.Getenv("APOLLIA_HOME"), "APOLLIA_LISTEN=" + ts.Getenv("APOLLIA_LISTEN"), "PATH=" + ts.Getenv("PATH"),
	}
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	ts.Check(cmd.Start())
	reaches := func(count int) {
		for deadline := time.Now().Add(eventLimit); out.count() < count; pause() {
			if time.Now().After(deadline) {
				_ = cmd.Process.Kill()
				ts.Fatalf("a resource that is followed was shown %d times, want %d", out.count(), count)
			}
		}
	}
	reaches(1)
	says(ts, `^$`, "call", server, "change", "--args", `{"message":"test://text"}`)
	reaches(2)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	ts.Check(cmd.Wait())
}
