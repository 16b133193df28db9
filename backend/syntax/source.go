package syntax

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// MaxSize is the longest text that is read, in bytes.
const MaxSize = 16 << 20

// maxDepth bounds how deep values may nest. Files of people nest a handful of levels.
const maxDepth = 200

const byteOrderMark = "\ufeff"

// Error says where a text stops making sense. Message is one clause in lower case, without the position.
type Error struct {
	Position
	Message string
}

// Error is the position and the message.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// source is a text without its byte order mark, with the offsets at which its lines start.
type source struct {
	text  []byte
	lines []int
	// last is the place that was asked for before. The next one mostly follows it, and one line may be the whole text.
	last struct{ offset, column int }
}

// newSource checks what all three languages demand of a text: UTF-8 without control characters, and a size that can be
// held.
func newSource(b []byte) (*source, error) {
	if len(b) > MaxSize {
		return nil, &Error{Position{1, 1}, fmt.Sprintf("the text is longer than %d MiB", MaxSize>>20)}
	}
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return nil, &Error{Position{1, 1}, "the text is UTF-16; save it as UTF-8"}
	}
	s := &source{text: bytes.TrimPrefix(b, []byte(byteOrderMark)), lines: []int{0}}
	for i, c := range s.text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	if bad := invalidUTF8(s.text); bad >= 0 {
		return nil, s.errorAt(bad, "this is not UTF-8 text")
	}
	if bad := bytes.IndexFunc(s.text, isControl); bad >= 0 {
		return nil, s.errorAt(bad, "the control character U+%04X cannot stand in a text", s.text[bad])
	}
	return s, nil
}

func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }

func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func (s *source) position(offset int) Position {
	offset = min(max(offset, 0), len(s.text))
	line := sort.SearchInts(s.lines, offset+1) - 1
	from, column := s.lines[line], 1
	if s.last.column > 0 && from <= s.last.offset && s.last.offset <= offset {
		from, column = s.last.offset, s.last.column
	}
	column += utf8.RuneCount(s.text[from:offset])
	if offset == len(s.text) || utf8.RuneStart(s.text[offset]) {
		s.last.offset, s.last.column = offset, column
	}
	return Position{Line: line + 1, Column: column}
}

func (s *source) errorAt(offset int, format string, args ...any) *Error {
	return &Error{s.position(offset), fmt.Sprintf(format, args...)}
}

// checkDepth counts brackets, wherever they stand. It is for parsers that would recurse as deep as a text tells them to,
// until the stack is full.
func (s *source) checkDepth(opening, closing string) error {
	depth := 0
	for i, c := range s.text {
		switch {
		case strings.IndexByte(opening, c) >= 0:
			depth++
		case strings.IndexByte(closing, c) >= 0:
			depth = max(depth-1, 0)
		}
		if depth > maxDepth {
			return s.errorAt(i, "values nest too deep")
		}
	}
	return nil
}
