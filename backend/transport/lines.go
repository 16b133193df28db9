package transport

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// How much is read at a time, in bytes: of the standard output of a program, which is read for hours, and of an event
// stream. Each answer over HTTP is such a stream, and the connection below it reads no more at a time.
const (
	outputChunk = 64 << 10
	eventChunk  = 4 << 10
)

// lineReader reads lines up to a limit. Of a longer line it keeps only the id of the message, so that the request
// it answers can be told, and reads on.
type lineReader struct {
	r     *bufio.Reader
	limit int64
}

func newLineReader(r io.Reader, limit int64, chunk int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, chunk), limit: limit}
}

// next returns a line without its end. For a line over the limit it returns oversize with what was learned of it
// instead. The error is io.EOF at the end; a last line without an end still counts.
func (l *lineReader) next() (line []byte, over *oversized, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		if over == nil && int64(len(line)+len(part)) > l.limit+1 {
			over = &oversized{}
			over.scan(line)
			line = nil
		}
		if over != nil {
			over.scan(part)
		} else {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && len(line) == 0 && over == nil {
			return nil, nil, err
		}
		return trimLineEnd(line), over, nil
	}
}

func trimLineEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// oversized scans a message that is too large to keep, a part at a time, for its top-level id.
type oversized struct {
	id      json.RawMessage
	request bool // it has a method, so it is no answer

	depth    int
	inString bool
	escaped  bool
	word     []byte // the top-level string or number being read
	key      string // the top-level key before the colon
	afterKey bool
}

const maxScannedWord = 128

func (o *oversized) scan(part []byte) {
	for _, c := range part {
		if o.inString {
			o.scanString(c)
			continue
		}
		o.scanPlain(c)
	}
}

func (o *oversized) scanString(c byte) {
	o.keep(c)
	switch {
	case o.escaped:
		o.escaped = false
	case c == '\\':
		o.escaped = true
	case c == '"':
		o.inString = false
	}
}

func (o *oversized) scanPlain(c byte) {
	switch c {
	case '"':
		o.inString = true
		o.keep(c)
	case '{', '[':
		o.depth++
	case ':':
		if o.depth == 1 && !o.afterKey {
			o.key, o.afterKey = string(o.word), true
			o.word = o.word[:0]
		}
	case ',', '}', ']':
		if o.depth == 1 {
			o.endMember()
		}
		if c != ',' {
			o.depth--
		}
	case ' ', '\t', '\r', '\n':
	default:
		o.keep(c)
	}
}

func (o *oversized) keep(c byte) {
	if o.depth == 1 && len(o.word) < maxScannedWord {
		o.word = append(o.word, c)
	}
}

func (o *oversized) endMember() {
	switch o.key {
	case `"id"`:
		o.id = append(json.RawMessage(nil), o.word...)
	case `"method"`:
		o.request = true
	}
	o.key, o.afterKey, o.word = "", false, o.word[:0]
}
