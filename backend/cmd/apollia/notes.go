package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
)

// notes is the log of a short command, for the person who typed it: a sentence for each thing, said once.
type notes struct {
	out  io.Writer
	mu   *sync.Mutex
	said map[string]bool
}

func newNotes(out io.Writer) *slog.Logger {
	return slog.New(notes{out, &sync.Mutex{}, make(map[string]bool)})
}

// Enabled leaves out what is only for whoever looks for a fault.
func (n notes) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle writes the message and its error.
func (n notes) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			line += ": " + a.Value.String()
		}
		return true
	})
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.said[line] {
		return nil
	}
	n.said[line] = true
	_, err := fmt.Fprintf(n.out, "note: %s\n", line)
	return err
}

// WithAttrs leaves the attributes out: they are for a log that is kept.
func (n notes) WithAttrs([]slog.Attr) slog.Handler { return n }

// WithGroup is as WithAttrs.
func (n notes) WithGroup(string) slog.Handler { return n }
