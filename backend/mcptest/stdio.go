package mcptest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

const dieCode = 3

// ServeStdio runs a server over the given streams until in ends, and returns the code to exit with.
func ServeStdio(o Options, in io.Reader, out, complaints io.Writer) int {
	if o.Echo != "" {
		fmt.Fprintln(complaints, "started with", o.echoes())
	}
	if o.is(Die) {
		fmt.Fprintln(complaints, o.saying("fatal: cannot read the configuration"))
		return dieCode
	}
	if o.is(Stubborn) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	}
	if err := o.startChildren(); err != nil {
		fmt.Fprintln(complaints, "grandchild:", err)
		return 1
	}
	if o.is(Forker) {
		return 0
	}
	serveLines(o, in, &lineWriter{w: out, banner: o.is(Banner), garbage: o.is(Garbage), text: o.saying("Server starting, please wait")})
	if o.is(Stubborn) {
		time.Sleep(time.Hour)
	}
	return 0
}

func (o Options) saying(otherwise string) string {
	if o.Text != "" {
		otherwise = o.Text
	}
	if echo := o.echoes(); echo != "" {
		otherwise += " " + echo
	}
	return otherwise
}

// startChildren starts the processes that outlive us unless they are killed. They bear our name.
func (o Options) startChildren() error {
	var errs []error
	start := func(b Behaviour, environ []string, away bool) {
		errs = append(errs, startChild(append(environ, argsEnv(Options{Name: o.Name, Behave: []Behaviour{b}})), away))
	}
	if o.is(Grandchild) || o.is(Escapee) {
		start(Stubborn, os.Environ(), o.is(Escapee))
	}
	if o.is(Daemon) {
		start(Forker, os.Environ(), true)
	}
	if o.is(Forker) {
		start(Stubborn, nil, false)
	}
	return errors.Join(errs...)
}

func startChild(environ []string, away bool) error {
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = environ
	cmd.Stderr = os.Stderr
	if away {
		detach(cmd)
	}
	in, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	cmd.Stdin = in
	return errors.Join(cmd.Start(), in.Close())
}

func serveLines(o Options, in io.Reader, w *lineWriter) {
	ctx, cancel := context.WithCancel(context.Background())
	var calls sync.WaitGroup
	defer calls.Wait()
	defer cancel()
	lines := bufio.NewReader(in)
	if o.is(DieOnProbe) {
		dieUnlessInitialize(lines)
	}
	s := newSession(o, w.send)
	s.echo = o.echoes()
	s.crash = func() {
		fmt.Fprintln(os.Stderr, o.saying("panic: out of luck"))
		os.Exit(dieCode)
	}
	w.start()
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			calls.Go(func() { s.take(ctx, line, w.send) })
		}
		if err != nil {
			return
		}
	}
}

// dieUnlessInitialize ends the process, as some servers do, when the first message is another one.
func dieUnlessInitialize(lines *bufio.Reader) {
	const enough = 64 // of a message to see its method, which comes first
	start, err := lines.Peek(enough)
	if err == nil && !bytes.Contains(start, []byte(`"initialize"`)) {
		fmt.Fprintln(os.Stderr, "expected initialize first")
		os.Exit(dieCode)
	}
}

// lineWriter writes one message a line, and what does not belong there when it should.
type lineWriter struct {
	w       io.Writer
	banner  bool
	garbage bool
	text    string

	mu sync.Mutex
}

func (l *lineWriter) start() {
	if l.banner || l.garbage {
		fmt.Fprintln(l.w, l.text)
	}
}

func (l *lineWriter) send(m message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.garbage {
		fmt.Fprintln(l.w, l.text)
		return
	}
	m.JSONRPC = "2.0"
	if err := json.NewEncoder(l.w).Encode(m); err != nil {
		return // the client is gone, and so will we be
	}
	if l.banner {
		fmt.Fprintln(l.w, "["+l.text+"]")
	}
}
