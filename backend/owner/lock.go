package owner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"apollia.fr/connexions/backend/domain"
)

// retryEvery is how often a waiting process tries the lock again.
const retryEvery = 20 * time.Millisecond

// Lock is the ownership of a data folder. The operating system gives it up when the process dies, however it dies.
type Lock struct {
	home string
	file *flock.Flock
}

// Take makes this process the owner of the data folder, waiting up to the given time for another one to end, and clears
// away what a killed owner published. CodeFolderBusy says that somebody else still owns it.
func Take(ctx context.Context, home string, wait time.Duration) (*Lock, error) {
	if err := os.MkdirAll(runFolder(home), 0o700); err != nil {
		return nil, folderError(home, err)
	}
	l := &Lock{home: home, file: flock.New(lockFile(home), flock.SetPermissions(0o600))}
	ok, err := l.file.TryLock()
	if err == nil && !ok && wait > 0 {
		bounded, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		ok, err = l.file.TryLockContext(bounded, retryEvery)
		if bounded.Err() != nil && ctx.Err() == nil {
			err = nil // our own bound, not the caller's end
		}
	}
	if err != nil {
		return nil, folderError(home, err)
	}
	if !ok {
		return nil, &domain.Error{
			Code: domain.CodeFolderBusy, Message: "another Apollia owns the data folder",
			Hint: "See which with: apollia status", Args: map[string]string{"folder": home},
		}
	}
	if err := l.forgetInstance(); err != nil {
		return nil, errors.Join(folderError(home, err), l.file.Close())
	}
	return l, nil
}

// Release gives the ownership up, after forgetting the instance.
func (l *Lock) Release() error { return errors.Join(l.forgetInstance(), l.file.Close()) }

// forgetInstance removes the instance file. One that a killed owner left behind would send the clients of the next owner
// to an address that is somebody else's by now.
func (l *Lock) forgetInstance() error {
	if err := os.Remove(instanceFile(l.home)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("remove the instance file: %w", err)
	}
	return nil
}

// held says whether some process holds the lock. A file that was never made is not held.
func held(home string) (bool, error) {
	if _, err := os.Stat(lockFile(home)); os.IsNotExist(err) {
		return false, nil
	}
	probe := flock.New(lockFile(home), flock.SetPermissions(0o600))
	free, err := probe.TryRLock()
	if err != nil {
		return false, folderError(home, err)
	}
	return !free, probe.Close()
}

func folderError(home string, err error) error {
	args := map[string]string{"folder": home}
	if os.IsPermission(err) {
		return &domain.Error{
			Code: domain.CodeFolderForeign, Message: "the data folder " + home + " may not be written by this user", Args: args,
			Hint: "Give it back to yourself, or choose another folder with APOLLIA_HOME.", Cause: err,
		}
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return &domain.Error{
			Code: domain.CodeReadOnly, Message: home + " cannot be the data folder: a file stands in its way", Args: args,
			Hint: "Move the file, or choose another folder with APOLLIA_HOME.", Cause: err,
		}
	}
	if told, ok := errors.AsType[*domain.Error](domain.StorageError(home, err)); ok {
		return told
	}
	return fmt.Errorf("lock the data folder %s: %w", home, err)
}

func runFolder(home string) string    { return filepath.Join(home, "run") }
func lockFile(home string) string     { return filepath.Join(runFolder(home), "owner.lock") }
func instanceFile(home string) string { return filepath.Join(runFolder(home), "instance.json") }
