package transport

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// event is one event of a text/event-stream (WHATWG HTML §9.2).
type event struct {
	name  string
	data  []byte
	id    string
	retry string
	// hasID and hasRetry tell an empty field from an absent one: an empty id forgets the last one.
	hasID    bool
	hasRetry bool
	// over is set instead of data when the event was larger than the limit.
	over *skimmed
}

// eventReader reads a text/event-stream with a limit on the data of one event.
type eventReader struct {
	lines *lineReader
	limit int64
	first bool
}

func newEventReader(r io.Reader, limit int64) *eventReader {
	return &eventReader{lines: newLineReader(r, limit+int64(len("data: ")), eventChunk), limit: limit, first: true}
}

// next returns the next event that says anything. An event that the end of the stream cuts short still counts when
// it has data, since servers forget the last empty line.
func (r *eventReader) next() (event, error) {
	var e event
	some := false
	for {
		line, over, err := r.lines.next()
		if err != nil {
			if errors.Is(err, io.EOF) && (len(e.data) > 0 || e.over != nil) {
				return e, nil
			}
			return event{}, err
		}
		if r.first {
			line, r.first = bytes.TrimPrefix(line, []byte("\ufeff")), false
		}
		switch {
		case over != nil:
			// What came before in this event is not looked at: a message is on one line, or on lines that are short.
			e.over, e.data, some = over, nil, true
		case len(line) == 0 && some:
			return e, nil
		case len(line) > 0:
			some = r.field(&e, line) || some
		}
	}
}

// field adds one line to the event and reports whether it says anything.
func (r *eventReader) field(e *event, line []byte) bool {
	name, value, _ := strings.Cut(string(line), ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "data":
		r.addData(e, value)
	case "event":
		e.name = value
	case "id":
		if strings.ContainsRune(value, 0) {
			return false
		}
		e.id, e.hasID = value, true
	case "retry":
		e.retry, e.hasRetry = value, true
	default:
		return false // a comment, or a field that nobody knows
	}
	return true
}

func (r *eventReader) addData(e *event, value string) {
	if e.over == nil && int64(len(e.data)+len(value)) > r.limit {
		e.over = &skimmed{}
		e.over.scan(e.data)
		e.data = nil
	}
	if e.over != nil {
		e.over.scan([]byte(value))
		return
	}
	if e.data == nil {
		e.data = []byte{} // so that an empty line counts, too
	} else {
		e.data = append(e.data, '\n')
	}
	e.data = append(e.data, value...)
}
