package audit

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Head remembers, outside of the log's own files, where the chain stands, so that a cut end is noticed.
type Head interface {
	AuditHead() (seq uint64, sum []byte, err error)
	SetAuditHead(seq uint64, sum []byte) error
}

// Key gives what seals the log.
type Key interface {
	// Key is 32 bytes or more, the same every time until the key is lost and another one takes its place.
	Key() ([]byte, error)
	// Unrecorded reports whether the key is new and no entry was sealed with it yet.
	Unrecorded() (bool, error)
	// Recorded is told once an entry is on disk that is sealed with the new key.
	Recorded() error
}

// Options of a Log; the zero value is right for the product.
type Options struct {
	// Now tells the time; nil means time.Now.
	Now func() time.Time
	// MaxBytes is the length at which a file is full; 0 means 8 MiB.
	MaxBytes int64
	// FlushAfter is how long an entry may wait to be safe on disk and remembered by the head; 0 means one second.
	FlushAfter time.Duration
	// FlushLines is how many entries may wait for it; 0 means 256.
	FlushLines int
	// KeepDays says for how many days files are kept; 0 keeps them for ever, and so does nil.
	KeepDays func() int
	// Logger hears what went wrong in the background; nil means nobody.
	Logger *slog.Logger
}

// Log is the audit log of a data folder: JSON lines in files, one file a day or more, each line sealed with a key over
// all lines before it. It is safe for concurrent use.
type Log struct {
	dir     string
	head    Head
	key     Key
	options Options

	mu     sync.Mutex
	mac    hash.Hash    // nil until the key was fetched
	fresh  bool         // no entry was sealed with the key yet
	entry  Entry        // that is written
	buffer bytes.Buffer // of its line
	last   link
	files  []string // names, oldest first; the last one is written to
	file   *os.File // nil while nothing was appended to the last of files
	size   int64    // of the last of files
	torn   bool     // the last of files ends in the middle of a line
	unsafe int      // entries that the head does not remember
	closed bool

	reading  sync.RWMutex // held for writing while a file is removed
	keptFrom string       // the day that tidy last looked from; of the worker alone

	nudge  chan struct{} // holds one token: there is something to flush
	worker sync.WaitGroup
	stop   context.CancelFunc

	tally tally
}

// Open opens the log in dir, which is created when missing. It goes on after the last whole line, whatever a kill left
// behind, and does not ask for the key: the first entry does. Errors carry CodeReadOnly or CodeDiskFull. Close the log when done.
func Open(dir string, head Head, key Key, o Options) (*Log, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 8 << 20
	}
	if o.FlushAfter == 0 {
		o.FlushAfter = time.Second
	}
	if o.FlushLines == 0 {
		o.FlushLines = 256
	}
	if o.KeepDays == nil {
		o.KeepDays = func() int { return 0 }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, domain.StorageError(dir, fmt.Errorf("create audit folder: %w", err))
	}
	l := &Log{dir: dir, head: head, key: key, options: o, nudge: make(chan struct{}, 1)}
	if err := l.resume(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	l.worker.Go(func() { l.flushLoop(ctx) })
	return l, nil
}

// Append writes e with the next number, the time and its hash, and returns it so. The line is in the file when Append
// returns; that of a refusal, of a person's answer, of a change of what is allowed or of a new key is on disk. When it fails nothing counts as written.
// Errors carry CodeDiskFull, CodeReadOnly or those of the key.
func (l *Log) Append(e Entry) (Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return e, errors.New("append to audit log: it is closed")
	}
	if err := l.unlock(); err != nil {
		return e, err
	}
	var err error
	e.At = l.options.Now().UTC()
	if e.Prior, err = l.prior(e.At); err != nil {
		return e, err
	}
	e.bound()
	l.entry = e
	line, next, err := l.last.write(l.mac, &l.buffer, &l.entry)
	if err != nil {
		return e, err
	}
	e = l.entry
	if err := l.writeLine(line, e.At, e.Prior != nil); err != nil {
		return e, domain.StorageError(l.dir, fmt.Errorf("append to audit log: %w", err))
	}
	l.last = next
	l.unsafe++
	if l.unsafe == 1 || l.unsafe%l.options.FlushLines == 0 {
		l.wake()
	}
	if !e.urgent() && !l.fresh {
		return e, nil
	}
	if err := l.sync(); err != nil {
		return e, domain.StorageError(l.dir, fmt.Errorf("sync audit log: %w", err))
	}
	l.recorded()
	return e, nil
}

// unlock fetches the key once. The caller holds mu.
func (l *Log) unlock() error {
	if l.mac != nil {
		return nil
	}
	key, fresh, err := l.fetch()
	if err != nil {
		return err
	}
	l.mac, l.fresh = hmac.New(sha256.New, key), fresh
	return nil
}

func (l *Log) fetch() (key []byte, fresh bool, err error) {
	if key, err = l.key.Key(); err == nil {
		fresh, err = l.key.Unrecorded()
	}
	if err != nil {
		return nil, false, fmt.Errorf("fetch audit key: %w", err)
	}
	return key, fresh, nil
}

// Close makes everything safe on disk, remembers the head and closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	closed := l.closed
	l.closed = true
	l.mu.Unlock()
	if closed {
		return nil
	}
	l.stop()
	l.worker.Wait()
	err := l.flush()
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
	}
	return err
}

// Format keeps the key out of whatever a log is printed into.
func (l *Log) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "audit log "+l.dir) }
