package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"
	"time"
)

// prior says what was before the first entry under a new key, written at a moment: nil when this is not it, or nothing
// was. The caller holds mu.
func (l *Log) prior(at time.Time) (*Prior, error) {
	if !l.fresh || l.last.seq == 0 {
		return nil, nil //nolint:nilnil // most entries have none
	}
	s := l.snapshot()
	digest := sha256.New()
	own := nameFor(s.last.seq+1, at.Format(time.DateOnly)) // there already when its first line was cut short
	for i := range s.files {
		if s.files[i] == own {
			continue
		}
		err := s.with(i, func(file io.ReaderAt, size int64) error {
			_, err := io.Copy(digest, io.NewSectionReader(file, 0, size))
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("digest the entries under the old key: %w", err)
		}
	}
	return &Prior{Entries: s.last.seq, SHA256: hexOf(digest)}, nil
}

// recorded tells the key that an entry under it is on disk. The caller holds mu.
func (l *Log) recorded() {
	if !l.fresh {
		return
	}
	l.fresh = false
	if err := l.key.Recorded(); err != nil {
		// The next run says once more what was before, which costs only that this entry then counts as before.
		l.options.Logger.Warn("remember that the journal has a new key", "error", err)
	}
}

// underKey is the number of the file from which on the entries are sealed with the present key: the last one that begins
// with a Prior, which Verify then holds to its seal; 0 when none does.
func (s snapshot) underKey() (int, error) {
	for i := range slices.Backward(s.files) {
		var begins bool
		err := s.with(i, func(file io.ReaderAt, size int64) error {
			first, err := firstEntry(io.NewSectionReader(file, 0, size))
			begins = first.Prior != nil
			return err
		})
		switch {
		case errors.Is(err, fs.ErrNotExist): // Verify says so when it comes to it
		case err != nil || begins:
			return i, err
		}
	}
	return 0, nil
}

// firstEntry reads the first whole line, the zero entry when there is none.
func firstEntry(r io.Reader) (Entry, error) {
	lines := linesOf(r)
	for lines.Scan() {
		if _, _, ok := readLink(lines.Bytes()); ok {
			e, _ := decode(lines.Bytes()) // one that cannot be decoded breaks the chain where it stands
			return e, nil
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return Entry{}, fmt.Errorf("read audit file: %w", err)
	}
	return Entry{}, nil
}

// says reports whether the line says that the entries before it are these.
func says(line []byte, digest hash.Hash, last uint64) bool {
	e, err := decode(bytes.Clone(line))
	return err == nil && e.Prior != nil && e.Prior.SHA256 == hexOf(digest) && e.Prior.Entries == last
}

func hexOf(digest hash.Hash) string { return hex.EncodeToString(digest.Sum(nil)) }
