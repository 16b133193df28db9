package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"apollia.fr/connexions/backend/domain"
)

// ask puts a question to the person at the terminal and reads one line. It returns early when ctx ends: the line that
// is then still being read belongs to nobody, and the reading ends with the process.
func (in *invocation) ask(ctx context.Context, question string) (string, error) {
	_, _ = fmt.Fprint(in.Stderr, question)
	if in.lines == nil {
		in.lines = readLines(in.Stdin)
	}
	select {
	case <-ctx.Done():
		in.say("")
		return "", canceled(ctx.Err())
	case line, ok := <-in.lines:
		if !ok {
			in.say("")
			return "", &domain.Error{Code: domain.CodeCanceled, Message: "the question was not answered", Cause: io.EOF}
		}
		return line, nil
	}
}

// readLines reads ahead of the questions, since a read of a terminal cannot be interrupted.
func readLines(from io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		reader := bufio.NewReader(from)
		for {
			line, err := reader.ReadString('\n')
			if line != "" {
				lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// unanswered reports whether a question ended because nobody was there to answer it any more.
func unanswered(err error) bool { return errors.Is(err, io.EOF) }
