package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// fileName is audit-FIRST-DAY.jsonl: files sort by their first sequence number, whatever the clock did.
var fileName = regexp.MustCompile(`^audit-\d{16,20}-\d{4}-\d{2}-\d{2}\.jsonl$`)

func nameFor(first uint64, day string) string { return fmt.Sprintf("audit-%016d-%s.jsonl", first, day) }

func dayOf(name string) string {
	name = strings.TrimSuffix(name, ".jsonl")
	return name[len(name)-len(time.DateOnly):]
}

func listFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, domain.StorageError(dir, fmt.Errorf("list audit folder: %w", err))
	}
	var names []string
	for _, e := range entries {
		if fileName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// resume finds where the chain stands: at the last whole line, unless the head remembers a later or another one. Then
// lines were taken away or replaced, and the chain goes on from the head, so that Verify finds the break for ever.
func (l *Log) resume() error {
	var err error
	if l.files, err = listFiles(l.dir); err != nil {
		return err
	}
	if err := l.measure(); err != nil {
		return err
	}
	seq, sum, err := l.head.AuditHead()
	if err != nil {
		return fmt.Errorf("read head of audit log: %w", err)
	}
	remembered := link{seq, sum}
	found := remembered.seq == 0
	for line, err := range l.snapshot().backward() {
		if err != nil {
			return err
		}
		at, _, ok := readLink(line)
		if !ok {
			continue
		}
		if l.last.seq == 0 {
			l.last = at
		}
		if at.seq <= remembered.seq || found {
			found = found || at.seq == remembered.seq && bytes.Equal(at.hash, remembered.hash)
			break
		}
	}
	if !found {
		base, err := l.snapshot().base()
		if err != nil {
			return err
		}
		found = base.seq > remembered.seq || base.seq == remembered.seq && bytes.Equal(base.hash, remembered.hash)
	}
	if !found {
		l.options.Logger.Warn("the audit log does not reach to where it was", "seq", remembered.seq)
		l.last = link{max(l.last.seq, remembered.seq), remembered.hash}
	}
	return nil
}

// measure looks at the end of the last file.
func (l *Log) measure() error {
	if len(l.files) == 0 {
		return nil
	}
	path := filepath.Join(l.dir, l.files[len(l.files)-1])
	file, err := os.Open(path)
	if err != nil {
		return domain.StorageError(path, fmt.Errorf("open audit file: %w", err))
	}
	defer func() { _ = file.Close() }() // only read from
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("look at audit file: %w", err)
	}
	l.size = info.Size()
	if l.size == 0 {
		return nil
	}
	end := make([]byte, 1)
	if _, err := file.ReadAt(end, l.size-1); err != nil {
		return fmt.Errorf("read end of audit file: %w", err)
	}
	if l.torn = end[0] != '\n'; l.torn {
		l.options.Logger.Warn("the last line of the audit log was cut short; the log goes on after it", "file", path)
	}
	return nil
}

// snapshot is the log as it stood at one moment; what is appended later is not in it.
type snapshot struct {
	dir   string
	files []string
	size  int64 // of the last file, in bytes
	last  link
}

// snapshot is called with mu held, or before anybody else knows the log.
func (l *Log) snapshot() snapshot {
	return snapshot{dir: l.dir, files: slices.Clip(l.files), size: l.size, last: l.last}
}

func (l *Log) now() snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.snapshot()
}

// backward yields the lines from the last to the first. A line is only valid until the next one.
func (s snapshot) backward() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := range slices.Backward(s.files) {
			err := s.with(i, func(file io.ReaderAt, size int64) error { return linesBackward(file, size, yield) })
			if errors.Is(err, fs.ErrNotExist) {
				continue // somebody took a file away: Verify says so
			}
			if errors.Is(err, errStopped) || err != nil && !yield(nil, err) {
				return
			}
		}
	}
}

var errStopped = errors.New("stopped")

// with opens file number i and passes it on with its length.
func (s snapshot) with(i int, read func(io.ReaderAt, int64) error) error {
	path := filepath.Join(s.dir, s.files[i])
	file, err := os.Open(path)
	if err != nil {
		return domain.StorageError(path, fmt.Errorf("open audit file: %w", err))
	}
	defer func() { _ = file.Close() }() // only read from
	size := s.size
	if i < len(s.files)-1 {
		info, err := file.Stat()
		if err != nil {
			return fmt.Errorf("look at audit file: %w", err)
		}
		size = info.Size()
	}
	return read(file, size)
}

const blockSize = 64 << 10

// linesBackward reads blocks from the end and yields their lines; errStopped when yield has enough.
func linesBackward(file io.ReaderAt, size int64, yield func([]byte, error) bool) error {
	var rest []byte // the end of a line whose beginning is in an earlier block
	for end := size; end > 0; {
		n := min(blockSize, end)
		block := make([]byte, n, n+int64(len(rest)))
		if _, err := file.ReadAt(block, end-n); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read audit file: %w", err)
		}
		end -= n
		block = append(block, rest...)
		for {
			i := bytes.LastIndexByte(block, '\n')
			if i < 0 {
				break
			}
			if len(block) > i+1 && !yield(block[i+1:], nil) {
				return errStopped
			}
			block = block[:i]
		}
		if rest = block; len(rest) > maxLine {
			return errors.New("read audit file: a line is too long to be ours")
		}
	}
	if len(rest) > 0 && !yield(rest, nil) {
		return errStopped
	}
	return nil
}
