//go:build unix

package config

import (
	"path/filepath"
	"syscall"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestPipeInPlaceOfTheFileIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); domain.CodeOf(err) != domain.CodeConfigInvalid {
		t.Fatalf("got %v, want %s", err, domain.CodeConfigInvalid)
	}
}
