package audit

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// tidy removes the files whose day is longer ago than they are kept, oldest first, but never the one that is written to.
// Before a file goes, a sealed line says where it ended: that tells its removal from a cut, and Verify begins there. It looks
// once for each day from which files are kept.
func (l *Log) tidy() error {
	days := l.options.KeepDays()
	keptFrom := l.options.Now().UTC().AddDate(0, 0, -days).Format(time.DateOnly)
	if days <= 0 || keptFrom == l.keptFrom {
		return nil
	}
	l.keptFrom = keptFrom
	for {
		s := l.now()
		count, err := s.old(keptFrom)
		if err != nil || count == 0 {
			return ignoreMissing(err) // of a file that somebody took away Verify says so
		}
		end, ok, err := s.endOf(count - 1)
		if err != nil || !ok {
			return ignoreMissing(err)
		}
		_, err = l.Append(Entry{
			Kind: KindJournal, Outcome: DidRemove, Name: s.files[count-1], Removed: &Removed{Entries: end.seq, Last: hex.EncodeToString(end.hash)},
		})
		if err != nil {
			return err
		}
		for range count {
			if err := l.dropFirst(); err != nil {
				return err
			}
		}
	}
}

// old is how many files go next: the first one, or all that were sealed with a lost key, which one digest holds together.
func (s snapshot) old(keptFrom string) (count int, err error) {
	under, err := s.underKey()
	count = max(under, 1)
	if err != nil || count >= len(s.files) || dayOf(s.files[count-1]) >= keptFrom {
		return 0, err
	}
	return count, nil
}

// endOf is the last entry of a file; ok is false when it has none.
func (s snapshot) endOf(i int) (end link, ok bool, err error) {
	err = s.with(i, func(file io.ReaderAt, size int64) error {
		return linesBackward(file, size, func(line []byte, _ error) bool {
			end, _, ok = readLink(line)
			return !ok
		})
	})
	if errors.Is(err, errStopped) {
		err = nil
	}
	return end, ok, err
}

func (l *Log) dropFirst() error {
	l.reading.Lock()
	defer l.reading.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	path := filepath.Join(l.dir, l.files[0])
	if err := os.Remove(path); err != nil {
		return domain.StorageError(path, fmt.Errorf("remove old audit file: %w", err))
	}
	l.files = l.files[1:]
	return nil
}

// base is where the entries that are there go on from: the zero link for the first ones, or when no line says that those
// before were removed. The line itself is checked like any other when Verify comes to it.
func (s snapshot) base() (base link, err error) {
	if len(s.files) == 0 {
		return link{}, nil
	}
	var first Entry
	err = s.with(0, func(file io.ReaderAt, size int64) error {
		first, err = firstEntry(io.NewSectionReader(file, 0, size))
		return err
	})
	if err != nil || first.Seq <= 1 {
		return link{}, ignoreMissing(err)
	}
	for line, err := range s.backward() {
		if err != nil {
			return link{}, err
		}
		if !bytes.Contains(line, []byte(`"removed":{`)) {
			continue
		}
		e, err := decode(line)
		if err != nil || e.Removed == nil || e.Removed.Entries != first.Seq-1 {
			continue
		}
		if last, err := hex.DecodeString(e.Removed.Last); err == nil {
			return link{e.Removed.Entries, last}, nil
		}
	}
	return link{}, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
