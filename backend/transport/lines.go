package transport

import (
	"bufio"
	"errors"
	"io"
)

// How much is read at a time, in bytes: of the standard output of a program, which is read for hours, and of an event
// stream. Each answer over HTTP is such a stream, and the connection below it reads no more at a time.
const (
	outputChunk = 64 << 10
	eventChunk  = 4 << 10
)

// lineReader reads lines up to a limit. Of a longer line it keeps only what the message is about, so that those
// whom it concerns can be told, and reads on.
type lineReader struct {
	r     *bufio.Reader
	limit int64
}

func newLineReader(r io.Reader, limit int64, chunk int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, chunk), limit: limit}
}

// next returns a line without its end. For a line over the limit it returns over with what was learned of it
// instead. The error is io.EOF at the end; a last line without an end still counts.
func (l *lineReader) next() (line []byte, over *skimmed, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		if over == nil && int64(len(line)+len(part)) > l.limit+1 {
			over = &skimmed{}
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
