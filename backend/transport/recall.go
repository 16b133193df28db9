package transport

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Recall begins a log with the newest lines that its file holds from before, so that a reader finds out why a server of
// yesterday ended. It must be called before Add.
func (l *Log) Recall(file *RotatingFile) error {
	text, err := file.tail(logBytes)
	if err != nil {
		return err
	}
	lines := parseLog(text)
	l.mu.Lock()
	for _, line := range lines {
		line.Seq = l.lines.next()
		l.lines.add(line, len(line.Text)+64)
	}
	l.mu.Unlock()
	if l.changed != nil && len(lines) > 0 {
		l.changed()
	}
	return nil
}

// parseLog reads what Add wrote. A text of several lines has them under its first one; what the tail begins with may be
// the rest of one, and is left out.
func parseLog(text string) []LogLine {
	var lines []LogLine
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		moment, rest, _ := strings.Cut(line, " ")
		at, err := time.Parse(lineTimeForm, moment)
		stream, words, ok := strings.Cut(rest, " ")
		switch {
		case err == nil && ok:
			lines = append(lines, LogLine{At: at, Stream: stream, Text: words})
		case len(lines) > 0:
			lines[len(lines)-1].Text += "\n" + line
		}
	}
	return lines
}

// tail reads at most the last limit bytes of what was written, of the former file too.
func (r *RotatingFile) tail(limit int64) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	newest, err := endOf(r.path, limit)
	if err != nil || int64(len(newest)) == limit {
		return newest, err
	}
	former, err := endOf(r.former(), limit-int64(len(newest)))
	return former + newest, err
}

// endOf reads at most the last limit bytes of a file; nothing when there is none.
func endOf(path string, limit int64) (string, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-limit), limit))
	return string(text), err
}
