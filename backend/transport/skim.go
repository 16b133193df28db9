package transport

import (
	"bytes"
	"encoding/json"
	"slices"

	"apollia.fr/connexions/backend/jsonrpc"
)

const (
	maxSkimmedWord = 128
	// maxSkimmed bounds how many messages of one batch are told apart.
	maxSkimmed = 10 * jsonrpc.DefaultBatch
)

// skimmed is what can be told of a frame that cannot be read, since it is too large to keep or malformed: what its
// messages are about. It scans the frame a part at a time.
type skimmed struct {
	whole   []glimpse
	current glimpse
	base    int // the depth at which the members of a message are: 1, or 2 in a batch; 0 before either begins

	depth    int
	inString bool
	escaped  bool
	word     []byte // the string or number being read, of a message's own members
	key      string // of the member before the colon
	afterKey bool
}

// glimpse is what can be told of one message.
type glimpse struct {
	id      json.RawMessage // a string or a number, nil when there is none
	request bool            // it has a method, so it is no answer
}

// messages are those seen so far, the last of which may be cut short.
func (s *skimmed) messages() []glimpse { return append(slices.Clip(s.whole), s.current) }

func (s *skimmed) scan(part []byte) {
	for _, c := range part {
		if s.inString {
			s.scanString(c)
			continue
		}
		s.scanPlain(c)
	}
}

func (s *skimmed) scanString(c byte) {
	s.keep(c)
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '"':
		s.inString = false
	}
}

func (s *skimmed) scanPlain(c byte) {
	switch c {
	case '"':
		s.inString = true
		s.keep(c)
	case '{', '[':
		s.begin(c)
	case ':':
		if s.inMessage() && !s.afterKey {
			s.key, s.afterKey = nameOf(s.word), true
			s.word = s.word[:0]
		}
	case ',', '}', ']':
		s.end(c)
	case ' ', '\t', '\r', '\n':
	default:
		s.keep(c)
	}
}

func (s *skimmed) begin(c byte) {
	if s.base == 0 {
		s.base = 1
		if c == '[' {
			s.base = 2
		}
	}
	s.depth++
}

func (s *skimmed) end(c byte) {
	if s.inMessage() {
		s.endMember()
	}
	if c == ',' {
		return
	}
	if s.inMessage() && len(s.whole) < maxSkimmed {
		s.whole, s.current = append(s.whole, s.current), glimpse{}
	}
	s.depth--
}

// inMessage holds between the members of a message, outside of what is in them.
func (s *skimmed) inMessage() bool { return s.base > 0 && s.depth == s.base }

func (s *skimmed) keep(c byte) {
	if s.inMessage() && len(s.word) <= maxSkimmedWord {
		s.word = append(s.word, c)
	}
}

func (s *skimmed) endMember() {
	switch s.key {
	case "id":
		// The first of several, as the reader of whole frames has it.
		if s.current.id == nil && isID(s.word) {
			s.current.id = bytes.Clone(s.word)
		}
	case "method":
		s.current.request = true
	}
	s.key, s.afterKey, s.word = "", false, s.word[:0]
}

// nameOf decodes the name of a member; "" for one that is cut short or none.
func nameOf(word []byte) string {
	var name string
	if json.Unmarshal(word, &name) != nil {
		return ""
	}
	return name
}

func isID(word []byte) bool {
	return len(word) <= maxSkimmedWord && json.Valid(word) && (word[0] == '"' || word[0] == '-' || word[0] >= '0' && word[0] <= '9')
}
