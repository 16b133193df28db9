package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// maxValue is the longest value of a variable that is read from standard input, in bytes.
const maxValue = 1 << 20

// value asks for the value of a variable, so that a secret need not stand on the command line where every program can
// read it: at a terminal without showing it, otherwise as one line of standard input.
func (in *invocation) value(ctx context.Context, flag, name string) (string, error) {
	value, err := in.typed(ctx, name)
	if err != nil {
		return "", err
	}
	if value == "" {
		return "", invalidFlag(flag, "the value of "+name+" is missing", "Type it when asked, or give it as a line of standard input.")
	}
	return value, nil
}

func (in *invocation) typed(ctx context.Context, name string) (string, error) {
	file, isFile := in.Stdin.(*os.File)
	if in.Terminal && isFile {
		return in.unseen(ctx, file, name)
	}
	if in.lines == nil {
		in.lines = readLines(io.LimitReader(in.Stdin, maxValue))
	}
	select {
	case <-ctx.Done():
		return "", canceled(ctx.Err())
	case line := <-in.lines:
		return trimLine(line), nil
	}
}

// unseen reads a line of a terminal that does not show it. What is being read when ctx ends belongs to nobody.
func (in *invocation) unseen(ctx context.Context, file *os.File, name string) (string, error) {
	before, err := term.GetState(int(file.Fd()))
	if err != nil {
		return "", fmt.Errorf("read the state of the terminal: %w", err)
	}
	_, _ = fmt.Fprintf(in.Stderr, "Value of %s (not shown): ", printable(name))
	type typed struct {
		text []byte
		err  error
	}
	read := make(chan typed, 1)
	go func() {
		text, err := term.ReadPassword(int(file.Fd()))
		read <- typed{text, err}
	}()
	select {
	case <-ctx.Done():
		in.say("")
		return "", errors.Join(canceled(ctx.Err()), term.Restore(int(file.Fd()), before))
	case line := <-read:
		in.say("")
		return string(line.text), line.err
	}
}

func trimLine(line string) string { return strings.TrimRight(line, "\r\n") }
