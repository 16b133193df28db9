package transport

import (
	"io"
	"sync"
	"time"
)

// The streams of a log.
const (
	StreamStderr    = "stderr"    // what the process wrote to its standard error
	StreamStdout    = "stdout"    // lines on standard output that are not JSON-RPC
	StreamServer    = "server"    // notifications/message of the server
	StreamLifecycle = "lifecycle" // what we did with the server and what became of it
)

const (
	logLines     = 1000
	logBytes     = 256 << 10
	maxLogLine   = 8 << 10 // bytes; the rest of a longer line is cut
	cutMark      = " […]"
	lineTimeForm = "2006-01-02T15:04:05.000Z07:00"
)

// LogLine is one line of a server's log. Seq counts from 1 and has no gaps while the line is still kept.
type LogLine struct {
	Seq    uint64    `json:"seq"`
	At     time.Time `json:"at"`
	Stream string    `json:"stream"`
	Text   string    `json:"text"`
}

// Log keeps the last lines that a server wrote. The lines come with their secrets already masked. It is safe for
// concurrent use and outlives the sessions of its server.
type Log struct {
	now     func() time.Time
	file    io.Writer
	changed func()

	mu    sync.Mutex
	lines ring[LogLine]
}

// NewLog makes an empty log. Lines are also written to file unless it is nil; changed, unless nil, is called after
// each line, on the goroutine that wrote it.
func NewLog(file io.Writer, changed func()) *Log {
	return &Log{now: time.Now, file: file, changed: changed, lines: newRing[LogLine](logLines, logBytes)}
}

// Add appends one line. Its text must not hold a secret.
func (l *Log) Add(stream, text string) {
	if len(text) > maxLogLine {
		text = text[:maxLogLine] + cutMark
	}
	l.mu.Lock()
	line := LogLine{Seq: l.lines.next(), At: l.now(), Stream: stream, Text: text}
	l.lines.add(line, len(text)+64)
	if l.file != nil {
		// A log file that cannot be written must not stop the server it is about; the ring still has the line.
		_, _ = io.WriteString(l.file, line.At.Format(lineTimeForm)+" "+stream+" "+text+"\n")
	}
	l.mu.Unlock()
	if l.changed != nil {
		l.changed()
	}
}

// After returns at most limit lines that follow the sequence number seq, oldest first; a limit of 0 means all.
func (l *Log) After(seq uint64, limit int) []LogLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.after(seq, limit)
}

// Page is After with the number to go on from. Where seq is of a log before this one, it gives the first lines.
func (l *Log) Page(seq uint64, limit int) (lines []LogLine, next uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.page(seq, limit)
}

// Last is the sequence number of the newest line, 0 for an empty log.
func (l *Log) Last() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.next() - 1
}

// Tail returns the newest n texts of one stream, oldest first.
func (l *Log) Tail(stream string, n int) []string { return l.since(0, stream, n) }

// since returns the newest n texts of one stream among the lines after seq.
func (l *Log) since(seq uint64, stream string, n int) []string {
	var texts []string
	for _, line := range l.After(seq, 0) {
		if line.Stream == stream {
			texts = append(texts, line.Text)
		}
	}
	return texts[max(0, len(texts)-n):]
}
