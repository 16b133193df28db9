package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"apollia.fr/connexions/backend/domain"
)

// database is one bbolt file. bbolt maps it into memory and panics, or faults, on pages that make no sense; here that
// becomes an error with CodeDBDamaged.
type database struct {
	path string
	bolt *bbolt.DB
	file *os.File // the file under bolt, to close it when bolt cannot
	// damaged is set once bbolt has panicked: it may hold its locks forever, so it is not entered again.
	damaged atomic.Pointer[domain.Error]
}

func openDatabase(path string, lockWait time.Duration) (*database, error) {
	return openWith(path, bbolt.Options{Timeout: lockWait})
}

// openReadOnly opens a database that must not change.
func openReadOnly(path string, lockWait time.Duration) (*database, error) {
	return openWith(path, bbolt.Options{Timeout: lockWait, ReadOnly: true})
}

func openWith(path string, o bbolt.Options) (*database, error) {
	d := &database{path: path}
	o.NoStatistics = true
	o.OpenFile = d.openFile
	err := d.guard(func() (err error) {
		d.bolt, err = bbolt.Open(path, 0o600, &o)
		return err
	})
	if err != nil {
		return nil, errors.Join(d.explainOpen(err), d.close())
	}
	return d, nil
}

func (d *database) openFile(name string, flag int, mode os.FileMode) (*os.File, error) {
	var err error
	d.file, err = os.OpenFile(name, flag, mode)
	return d.file, err
}

// explainOpen tells the reasons why bbolt does not open a file apart. What the system did not refuse is damage.
func (d *database) explainOpen(err error) error {
	var known *domain.Error
	var system syscall.Errno
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, bolterrors.ErrTimeout):
		return &domain.Error{
			Code: domain.CodeFolderBusy, Message: "another process uses " + d.path, Cause: err,
			Hint: "Stop the other Apollia, or wait until its command has ended.",
			Args: map[string]string{"path": d.path},
		}
	case errors.Is(err, bolterrors.ErrVersionMismatch):
		return d.newer()
	case errors.As(err, &system):
		return domain.StorageError(d.path, fmt.Errorf("open %s: %w", d.path, err))
	default:
		return d.damage(err)
	}
}

func (d *database) newer() *domain.Error {
	return &domain.Error{
		Code: domain.CodeDBNewer, Message: d.path + " was written by a newer version of Apollia; it was left untouched",
		Hint: "Install the newer version again, or set APOLLIA_HOME to another folder.",
		Args: map[string]string{"path": d.path},
	}
}

func (d *database) damage(cause error) *domain.Error {
	return &domain.Error{
		Code: domain.CodeDBDamaged, Message: d.path + " is damaged", Cause: cause,
		Hint: "Restart Apollia: it moves the damaged file aside and says where. Restore a backup if you have one.",
		Args: map[string]string{"path": d.path, "cause": cause.Error()},
	}
}

// view runs fn in a read transaction. Values are only valid inside fn.
func (d *database) view(fn func(*bbolt.Tx) error) error {
	return d.guard(func() error { return d.bolt.View(fn) })
}

// update runs fn in the write transaction: all of it is on disk when update returns nil, none of it otherwise.
func (d *database) update(fn func(*bbolt.Tx) error) error {
	err := d.guard(func() error { return d.bolt.Update(fn) })
	return domain.StorageError(d.path, withCause(err))
}

// withCause gives an error of bbolt its cause back: of the reason why a file could not grow it keeps only the words.
func withCause(err error) error {
	if err == nil {
		return nil
	}
	for _, cause := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if !errors.Is(err, cause) && strings.HasSuffix(err.Error(), cause.Error()) {
			return fmt.Errorf("%w (%w)", err, cause)
		}
	}
	return err
}

// guard turns a panic or a memory fault inside fn into an error.
func (d *database) guard(fn func() error) (err error) {
	if broken := d.damaged.Load(); broken != nil {
		return broken
	}
	// A file that was cut faults when a lost page is read. The setting is of this goroutine.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			broken := d.damage(fmt.Errorf("read %s: %v", filepath.Base(d.path), p))
			d.damaged.Store(broken)
			err = broken
		}
	}()
	return fn()
}

func (d *database) close() error {
	var err error
	switch {
	case d.damaged.Load() != nil && d.file != nil:
		err = d.file.Close()
	case d.bolt != nil:
		err = d.bolt.Close()
	}
	if err != nil {
		return fmt.Errorf("close %s: %w", d.path, err)
	}
	return nil
}
