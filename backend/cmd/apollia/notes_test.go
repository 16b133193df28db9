package main

import (
	"bytes"
	"errors"
	"testing"
)

func TestNotesAreSentencesSaidOnce(t *testing.T) {
	var out bytes.Buffer
	log := newNotes(&out)
	for range 2 {
		log.Error("flush audit log", "error", errors.New("no space left on device"), "file", "a")
	}
	log.With("server", "x").WithGroup("g").Warn("something else")
	log.Info("nothing for a person")
	if want := "note: flush audit log: no space left on device\nnote: something else\n"; out.String() != want {
		t.Errorf("said %q, want %q", out.String(), want)
	}
}
