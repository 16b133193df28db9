package transport

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"apollia.fr/connexions/backend/domain"
)

// stdio carries frames over the standard input and output of a child.
type stdio struct {
	*lineFrames
	proc    *process
	logFrom uint64 // the log's last line before this process
	readers sync.WaitGroup
	reaper  sync.WaitGroup
	heard   chan struct{} // closed when both outputs were read to their end
	gone    chan struct{} // closed when nothing of the child is left
	forget  func()
}

func dialStdio(ctx context.Context, serverID string, d domain.Definition, o Options, step StepFunc) (*Link, error) {
	cmd, mark, err := buildCommand(d, o)
	if err != nil {
		return nil, err
	}
	step(domain.StepResolve, cmd.Path)
	if err := ctx.Err(); err != nil {
		return nil, &domain.Error{Code: domain.CodeCanceled, Message: "The start was cancelled.", Cause: err}
	}
	before := o.Log.Last()
	proc, err := spawn(cmd, mark)
	if err != nil {
		return nil, spawnFailed(d.Command, cmd.Dir, err)
	}
	forget := o.Ledger.record(serverID, proc.cmd.Process.Pid, mark, o.Logger)
	step(domain.StepSpawn, strconv.Itoa(proc.cmd.Process.Pid))

	l := newLink(o)
	s := &stdio{
		lineFrames: newLineFrames(l, o.Log, d.MaxMessage()), proc: proc, logFrom: before, forget: forget,
		heard: make(chan struct{}), gone: make(chan struct{}),
	}
	l.carrier, l.pid = s, proc.cmd.Process.Pid
	s.log.Add(StreamLifecycle, "started "+cmd.Path+", pid "+strconv.Itoa(l.pid))
	s.run()
	return l, nil
}

// buildCommand resolves the program and builds its environment.
func buildCommand(d domain.Definition, o Options) (*exec.Cmd, string, error) {
	mark := newMark()
	environ := processEnviron(o.Environ, d, mark, runtime.GOOS)
	cwd := d.Cwd
	if cwd == "" {
		cwd = variable(environ, homeVariable(), runtime.GOOS)
	}
	if info, err := os.Stat(cwd); cwd != "" && (err != nil || !info.IsDir()) {
		return nil, "", folderMissing(cwd, err)
	}
	get := func(name string) string { return variable(environ, name, runtime.GOOS) }
	file, err := findProgram(d.Command, cwd, get("PATH"), get("PATHEXT"))
	if err != nil {
		return nil, "", err
	}
	cmd := &exec.Cmd{Path: file, Args: append([]string{file}, d.Args...), Env: environ, Dir: cwd}
	if err := commandLine(cmd, environ); err != nil {
		return nil, "", spawnFailed(d.Command, cwd, err)
	}
	return cmd, mark, nil
}

func homeVariable() string {
	if runtime.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// run starts the goroutines of the child. The last of them to end closes gone.
func (s *stdio) run() {
	go s.proc.wait()
	s.reaper.Go(func() { s.proc.family.reapUntil(s.proc.exited) })
	s.writer.Go(func() {
		if s.writeFrames(s.proc.stdin) != nil {
			s.closedByServer("input")
		}
	})
	s.readers.Go(func() {
		if err := s.readFrames(s.proc.stdout); errors.Is(err, io.EOF) {
			s.closedByServer("output")
		}
	})
	s.readers.Go(s.readErrors)
	go func() {
		s.readers.Wait()
		close(s.heard)
	}()
	go s.watch()
}

// watch waits for the end of the child, by itself or by close, and clears up after it.
func (s *stdio) watch() {
	defer close(s.gone)
	select {
	case <-s.proc.exited:
	case <-s.link.done: // closed by us, or what it says is no use
		s.proc.end()
	}
	s.drain()
	s.link.fail(s.exitError())
	s.proc.endRest()
	<-s.heard
	s.proc.closePipes()
	s.writer.Wait()
	s.reaper.Wait()
	s.log.Add(StreamLifecycle, "ended, "+s.proc.state.String())
	s.forget()
}

// drain reads what the child wrote before it ended. The output ends with it, unless a descendant keeps it open.
func (s *stdio) drain() {
	if !waitFor(s.heard, s.proc.drainTime()) {
		s.proc.giveUpReading(0)
	}
}

// closedByServer handles a server that closes its input or output. Usually it is ending, and its exit code says more.
func (s *stdio) closedByServer(stream string) {
	if !waitFor(s.proc.exited, closeGrace) {
		s.link.fail(&domain.Error{
			Code: domain.CodeConnClosed, Message: "The server closed its " + stream + " but keeps running.", Hint: restartHint,
			Proof: s.stderrTail(),
		})
	}
}

func (s *stdio) readErrors() {
	mask := s.link.mask
	reader := bufio.NewReaderSize(carriage{s.proc.stderr}, max(maxLogLine-mask.longest(), maxLogLine/2))
	held := ""
	for {
		line, err := reader.ReadSlice('\n')
		part := errors.Is(err, bufio.ErrBufferFull)
		text := mask.Hide(held + strings.TrimRight(strings.ToValidUTF8(string(line), "\uFFFD"), "\n"))
		held = ""
		if part { // of a long line, which may end in the first half of a secret: it goes with the next part
			end := max(0, len(text)-mask.longest())
			text, held = text[:end], text[end:]
		}
		if text != "" {
			s.log.Add(StreamStderr, text)
		}
		if err != nil && !part {
			return
		}
	}
}

// carriage gives the carriage return of a progress display, which goes on in the same line, as the end of a line.
type carriage struct{ io.Reader }

// Read reads on.
func (c carriage) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	for i := range p[:n] {
		if p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

func (s *stdio) close() error {
	<-s.gone
	return nil
}

func (s *stdio) stderrTail() string {
	return strings.Join(s.log.since(s.logFrom, StreamStderr, stderrTail), "\n")
}

// exitError says how the child ended. One that ended well but only printed something else was no MCP server.
func (s *stdio) exitError() *domain.Error {
	proof := s.stderrTail()
	babble := s.link.silence.onlyBabble()
	if babble != nil && s.proc.state.Success() {
		return babble
	}
	if babble != nil && proof == "" {
		proof = babble.Proof
	}
	e := &domain.Error{
		Code: domain.CodeServerExited, Message: "The server ended: " + s.proc.state.String() + ".", Hint: restartHint, Proof: proof,
	}
	if signal := exitSignal(s.proc.state); signal != "" {
		return e.With("signal", signal)
	}
	return e.With("exit_code", strconv.Itoa(s.proc.state.ExitCode()))
}

func folderMissing(folder string, cause error) *domain.Error {
	return &domain.Error{
		Code: domain.CodeSpawnFailed, Message: "The working folder \"" + folder + "\" does not exist.",
		Hint: "Choose another working folder.", Args: map[string]string{"folder": folder, "reason": "no_folder"}, Cause: cause,
	}
}

func spawnFailed(command, folder string, cause error) *domain.Error {
	e := &domain.Error{
		Code: domain.CodeSpawnFailed, Message: "The program \"" + command + "\" could not be started.",
		Hint: "Check that it is a program for this system.", Args: map[string]string{"program": command, "folder": folder},
		Proof: cause.Error(), Cause: cause,
	}
	switch {
	case errors.Is(cause, syscall.ENOEXEC):
		e.Hint = "A script needs a first line such as #!/bin/sh, or name its interpreter as the command."
	case errors.Is(cause, fs.ErrPermission):
		e.Hint = "Make the file executable, or choose another program."
	}
	return e
}
