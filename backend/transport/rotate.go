package transport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// RotatingFile is a log file that makes room for itself: above its size it becomes NAME.1, the former NAME.1 goes. Where
// it cannot be moved it grows on. It is safe for concurrent use.
type RotatingFile struct {
	path  string
	limit int64

	mu     sync.Mutex
	file   *os.File
	size   int64
	closed bool
}

// NewRotating names the file, which holds at most limit bytes. It is opened, or made readable by nobody else, when the
// first line comes.
func NewRotating(path string, limit int64) *RotatingFile {
	return &RotatingFile{path: path, limit: limit}
}

func (r *RotatingFile) open() error {
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	file, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(fmt.Errorf("open log: %w", err), file.Close())
	}
	r.file, r.size = file, info.Size()
	return nil
}

// Write appends p, after making room if need be. It never splits p over two files.
func (r *RotatingFile) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return 0, fs.ErrClosed
	}
	if r.file == nil {
		if err := r.open(); err != nil {
			return 0, err
		}
	}
	if r.size > 0 && r.size+int64(len(p)) > r.limit {
		if err := r.rotate(); err != nil {
			return 0, err
		}
	}
	n, err := r.file.Write(p)
	r.size += int64(n)
	return n, err
}

// rotate moves the file aside. Where that fails, the one there is goes on: a log above its size is better than none.
func (r *RotatingFile) rotate() error {
	if err := r.file.Close(); err != nil {
		return err
	}
	r.file = nil
	_ = os.Rename(r.path, r.former())
	return r.open()
}

func (r *RotatingFile) former() string { return r.path + ".1" }

// Remove closes the file and removes it with the former one. A later Write fails.
func (r *RotatingFile) Remove() error {
	errs := []error{r.Close()}
	for _, path := range []string{r.path, r.former()} {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Close closes the file. A later Write fails.
func (r *RotatingFile) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.file == nil {
		return nil
	}
	file := r.file
	r.file = nil
	return file.Close()
}
