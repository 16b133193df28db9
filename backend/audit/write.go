package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// draftName is where a file is made until its first line is on disk. No name of the log's own files is like it.
const draftName = "next.draft"

// writeLine appends a line to the file of its day: the last one as long as it is of that day and not full, else a new one,
// which a line that begins one always gets. The caller holds mu.
func (l *Log) writeLine(line []byte, at time.Time, begins bool) error {
	day := at.Format(time.DateOnly)
	name := nameFor(l.last.seq+1, day)
	last := ""
	if n := len(l.files); n > 0 {
		last = l.files[n-1]
	}
	if l.size < l.options.MaxBytes && !begins && last != "" && dayOf(last) == day {
		name = last
	}
	if name != last { // a last file of this name has no whole line: the beginning of one, or somebody blanked it
		return l.begin(name, line)
	}
	if err := l.open(name); err != nil {
		return err
	}
	return l.appendLine(line)
}

// begin makes a file that is there with its first line or not at all, whenever we are killed.
func (l *Log) begin(name string, line []byte) error {
	draft := filepath.Join(l.dir, draftName)
	if err := writeDurably(draft, line); err != nil {
		return errors.Join(err, ignoreMissing(os.Remove(draft)))
	}
	if err := l.closeFile(); err != nil {
		return err
	}
	if err := os.Rename(draft, filepath.Join(l.dir, name)); err != nil {
		return errors.Join(err, ignoreMissing(os.Remove(draft)))
	}
	l.files, l.size, l.torn = append(l.files, name), int64(len(line)), false
	if err := syncFolder(l.dir); err != nil { // the line is there for all but a power failure, and must not be written twice
		l.options.Logger.Warn("make the name of an audit file safe", "file", name, "error", err)
	}
	return nil
}

func writeDurably(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// syncFolder makes the names in a folder safe from a power failure. Windows has no such thing, and needs none.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// open opens one of the files to append to it.
func (l *Log) open(name string) error {
	if l.file != nil {
		return nil // it is the last one, and the only one that is ever written to
	}
	file, err := os.OpenFile(filepath.Join(l.dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	l.file = file
	return nil
}

// appendLine appends to the open file. What a failed write leaves behind is taken back, or, when that fails too, closed by
// a line feed before the next line.
func (l *Log) appendLine(line []byte) error {
	if l.torn {
		line = append([]byte{'\n'}, line...)
	}
	n, err := l.file.Write(line)
	if err == nil {
		l.size += int64(n)
		l.torn = false
		return nil
	}
	if n == 0 {
		return err
	}
	if cutErr := l.file.Truncate(l.size); cutErr != nil {
		l.size += int64(n)
		l.torn = true
		return errors.Join(err, cutErr)
	}
	return err
}

// sync makes what was appended safe on disk; a file that was just begun is.
func (l *Log) sync() error {
	if l.file == nil {
		return nil
	}
	return l.file.Sync()
}

// closeFile makes the file safe and closes it.
func (l *Log) closeFile() error {
	if l.file == nil {
		return nil
	}
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("sync audit file: %w", err)
	}
	file := l.file
	l.file = nil
	return file.Close()
}
