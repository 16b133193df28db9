//go:build unix

package store

import (
	"os"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestFolderOfAnotherUserIsRefused(t *testing.T) {
	dir := "/usr" // root's, so another user's for anyone else
	if os.Geteuid() == 0 {
		dir = t.TempDir()
		must(t, os.Chown(dir, 65534, -1))
	}
	_, err := Open(dir, Options{})
	wantCode(t, err, domain.CodeFolderForeign)
}
