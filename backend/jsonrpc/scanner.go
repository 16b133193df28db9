package jsonrpc

import (
	"encoding/json"
	"fmt"
	"strings"
)

// scanner walks over JSON text once, checking the grammar of RFC 8259, duplicate members and depth. The text is known
// to be valid UTF-8. Its methods leave pos after what they read.
type scanner struct {
	text   []byte
	pos    int
	depth  int
	limits Limits
}

func (s *scanner) fault(kind error, detail string) *FrameError {
	return &FrameError{Kind: kind, Offset: s.pos, Detail: detail}
}

func (s *scanner) syntax(want string) *FrameError {
	if s.pos >= len(s.text) {
		return s.fault(ErrSyntax, "ends where "+want+" is due")
	}
	return s.fault(ErrSyntax, "want "+want)
}

// peek skips white space and gives the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// end checks that nothing but white space is left.
func (s *scanner) end() *FrameError {
	if s.peek() != 0 || s.pos < len(s.text) {
		return s.fault(ErrSyntax, "more after the value")
	}
	return nil
}

// value reads any value and gives its text.
func (s *scanner) value() (json.RawMessage, *FrameError) {
	c := s.peek()
	start := s.pos
	var err *FrameError
	switch {
	case c == '{':
		err = s.object(nil)
	case c == '[':
		err = s.array(nil)
	case c == '"':
		_, err = s.string()
	case c == '-' || isDigit(c):
		err = s.number()
	default:
		err = s.literal()
	}
	if err != nil {
		return nil, err
	}
	return s.text[start:s.pos:s.pos], nil
}

func (s *scanner) enter() *FrameError {
	s.depth++
	if s.depth > s.limits.Depth {
		return s.fault(ErrTooDeep, fmt.Sprintf("at most %d levels are allowed", s.limits.Depth))
	}
	s.pos++
	return nil
}

// object reads an object whose "{" is next and hands its members to visit, which may be nil.
func (s *scanner) object(visit func(name string, value json.RawMessage)) *FrameError {
	if err := s.enter(); err != nil {
		return err
	}
	var seen names
	for first := true; ; first = false {
		if done, err := s.next('}', first); done || err != nil {
			return err
		}
		name, value, err := s.member(&seen)
		if err != nil {
			return err
		}
		if visit != nil {
			visit(name, value)
		}
	}
}

// member reads one member of an object that has the members seen so far.
func (s *scanner) member(seen *names) (string, json.RawMessage, *FrameError) {
	if s.peek() != '"' {
		return "", nil, s.syntax("a member name")
	}
	start := s.pos
	name, err := s.string()
	if err != nil {
		return "", nil, err
	}
	if !seen.add(name) {
		return "", nil, &FrameError{Kind: ErrDuplicate, Offset: start, Detail: quote(name)}
	}
	if s.peek() != ':' {
		return "", nil, s.syntax("':'")
	}
	s.pos++
	value, err := s.value()
	return name, value, err
}

// array reads an array whose "[" is next and calls each before every element, to read it; nil reads any value.
func (s *scanner) array(each func() *FrameError) *FrameError {
	if err := s.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		if done, err := s.next(']', first); done || err != nil {
			return err
		}
		if each != nil {
			if err := each(); err != nil {
				return err
			}
			continue
		}
		if _, err := s.value(); err != nil {
			return err
		}
	}
}

// next moves to the next element of an object or array, or past its closing byte.
func (s *scanner) next(closing byte, first bool) (done bool, err *FrameError) {
	c := s.peek()
	if c == closing {
		s.pos++
		s.depth--
		return true, nil
	}
	if first {
		return false, nil
	}
	if c != ',' {
		return false, s.syntax("',' or '" + string(closing) + "'")
	}
	s.pos++
	if s.peek() == closing {
		return false, s.syntax("an element after ','")
	}
	return false, nil
}

// string reads a string whose '"' is next and gives its decoded value. A lone surrogate escape, which servers produce by
// cutting text, decodes to U+FFFD.
func (s *scanner) string() (string, *FrameError) {
	start := s.pos
	escaped := false
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '"':
			s.pos++
			return decode(s.text[start:s.pos], escaped), nil
		case c < ' ':
			return "", s.syntax("no control character in a string")
		case c == '\\':
			escaped = true
			if err := s.escape(); err != nil {
				return "", err
			}
		}
	}
	return "", s.syntax("the end of a string")
}

// escape reads an escape sequence up to its last byte.
func (s *scanner) escape() *FrameError {
	s.pos++
	if s.pos >= len(s.text) {
		return s.syntax("an escape")
	}
	if strings.IndexByte(`"\/bfnrt`, s.text[s.pos]) >= 0 {
		return nil
	}
	if s.text[s.pos] != 'u' {
		return s.syntax("an escape")
	}
	for range 4 {
		s.pos++
		if s.pos >= len(s.text) || !isHex(s.text[s.pos]) {
			return s.syntax("four hex digits")
		}
	}
	return nil
}

func (s *scanner) number() *FrameError {
	if s.text[s.pos] == '-' {
		s.pos++
	}
	if s.at("0") {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.at(".") {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if !s.at("eE") {
		return nil
	}
	s.pos++
	if s.at("+-") {
		s.pos++
	}
	return s.digits()
}

func (s *scanner) digits() *FrameError {
	if s.pos >= len(s.text) || !isDigit(s.text[s.pos]) {
		return s.syntax("a digit")
	}
	for s.pos < len(s.text) && isDigit(s.text[s.pos]) {
		s.pos++
	}
	return nil
}

// at reports whether the next byte is one of set.
func (s *scanner) at(set string) bool {
	return s.pos < len(s.text) && strings.IndexByte(set, s.text[s.pos]) >= 0
}

func (s *scanner) literal() *FrameError {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(string(s.text[s.pos:min(len(s.text), s.pos+len(word))]), word) {
			s.pos += len(word)
			return nil
		}
	}
	return s.syntax("a value")
}

func decode(quoted []byte, escaped bool) string {
	if !escaped {
		return string(quoted[1 : len(quoted)-1])
	}
	var value string
	// The scanner has checked the string, so that this cannot fail.
	_ = json.Unmarshal(quoted, &value)
	return value
}

func quote(name string) string {
	const most = 64 // bytes of a peer's word in our errors
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return fmt.Sprintf("%q", name)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
