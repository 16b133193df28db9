package native

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Nothing waits for the other end of a pipe or reads a device.
func TestSpecialFilesDoNotBlock(t *testing.T) {
	s := newSpace(t)
	must(t, syscall.Mkfifo(filepath.Join(s.allowed, "pipe"), 0o600))
	must(t, os.Symlink("pipe", filepath.Join(s.allowed, "to_pipe")))
	t.Chdir(s.allowed) // the address of a socket is short
	socket, err := net.Listen("unix", "socket")
	must(t, err)
	defer socket.Close()
	f := s.files(t)
	for path, words := range map[string]string{"pipe": "is pipe", "to_pipe": "is pipe", "socket": "is socket"} {
		fails(t, f, "read", args{"path": path}, words)
		fails(t, f, "grep", args{"path": path, "pattern": "."}, words)
		fails(t, f, "ls", args{"path": path}, "is no folder")
	}
	_, facts := works[grepFacts](t, f, "grep", args{"pattern": "."})
	if facts.Files != 0 || !facts.Complete {
		t.Errorf("%+v", facts)
	}
	_, listed := works[listFacts](t, f, "ls", args{})
	for i, kind := range []string{"pipe", "socket", "link"} {
		if listed.Entries[i].Kind != kind {
			t.Errorf("%+v", listed.Entries[i])
		}
	}
	// Even where the pipe takes the place of a file that was looked at before, opening it returns.
	at, err := f.allowed.open("pipe")
	must(t, err)
	defer at.Close()
	file, err := at.openNow("pipe")
	must(t, err)
	must(t, file.Close())
}
