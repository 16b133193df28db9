package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// maxServeLog is when the log of detached owners starts anew, in bytes.
const maxServeLog = 1 << 20

// starting is a program that was started and left to itself. Its log is where it says why it could not go on.
type starting struct {
	name string
	log  string
	from int64 // where its own words begin in the log
	// ended gets the end of the process, if that comes while this command lives. Nobody waits for the goroutine that
	// sends it: a detached program is meant to outlive us.
	ended chan error
}

// startOwner starts a detached serve that ends by itself when nobody needs it any more.
func (in *invocation) startOwner(home string) (*starting, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find our own program: %w", err)
	}
	return in.startDetached(home, "serve", program, "serve", "--idle-exit", "--detached", "--json")
}

// startDetached starts a program in a session of its own, so that neither the end of this command nor Ctrl C in its
// terminal reaches it. It works in the data folder: it must not keep the caller's folder busy.
func (in *invocation) startDetached(home, name, program string, args ...string) (*starting, error) {
	s := &starting{name: name, log: filepath.Join(home, "logs", name+".log"), ended: make(chan error, 1)}
	file, err := s.openLog()
	if err != nil {
		return nil, domain.StorageError(s.log, err)
	}
	defer func() { _ = file.Close() }()
	// It outlives this command, and so the context of this command.
	cmd := exec.CommandContext(context.Background(), program, args...)
	cmd.Dir, cmd.Env = home, append(slices.Clone(in.Environ), "APOLLIA_HOME="+home) // ours may be relative
	cmd.Stdout, cmd.Stderr = file, file
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() { s.ended <- cmd.Wait() }()
	return s, nil
}

func (s *starting) openLog() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(s.log), 0o700); err != nil {
		return nil, err
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	info, err := os.Stat(s.log)
	switch {
	case err == nil && info.Size() > maxServeLog:
		mode |= os.O_TRUNC
	case err == nil:
		s.from = info.Size()
	}
	return os.OpenFile(s.log, mode, 0o600)
}

// end reports whether the program has ended, and why if it did not end well.
func (s *starting) end() (ended bool, err error) {
	select {
	case err := <-s.ended:
		if err != nil {
			return true, s.reason(err)
		}
		return true, nil
	default:
		return false, nil
	}
}

// reason is the error that the program itself told, else the end of what it wrote.
func (s *starting) reason(cause error) error {
	text, err := os.ReadFile(s.log)
	if err != nil || int64(len(text)) < s.from {
		text = nil
	} else {
		text = text[s.from:]
	}
	for line := range bytes.Lines(text) {
		var told failure
		if json.Unmarshal(line, &told) == nil && told.Error != nil && told.Error.Code != "" {
			return told.Error
		}
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return &domain.Error{
		Code: domain.CodeNotRunning, Message: s.name + " ended right after its start: " + cause.Error(),
		Hint: "See " + s.log, Proof: strings.Join(lines[max(0, len(lines)-8):], "\n"), Cause: cause,
		Args: map[string]string{"log": s.log},
	}
}
