package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Kind tells the three messages of JSON-RPC apart.
type Kind int

// The zero Kind is none of them.
const (
	KindRequest Kind = iota + 1
	KindNotification
	KindResponse
)

// Message is one message of a frame. Its raw fields share the memory of the frame.
type Message struct {
	Kind Kind
	// ID is a string or a number, as it was written; nil for a notification, and for an error response to a request
	// whose id could not be read.
	ID     json.RawMessage
	Method string
	// Params is an object or an array; nil when absent.
	Params json.RawMessage
	// Result is any value, null included; a response has either it or Error.
	Result json.RawMessage
	Error  *Error
	// Raw is the whole message, byte for byte.
	Raw json.RawMessage
}

// Read reads a frame: one message, or a batch of them. It fails with a *FrameError, and a batch fails as a whole.
func Read(frame []byte, limits Limits) ([]Message, error) {
	s, err := newScanner(frame, limits)
	if err != nil {
		return nil, err
	}
	messages, err := s.frame()
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return nil, err
	}
	return messages, nil
}

// Members reads one object with the same strictness as Read and gives its members, which share the memory of text. A
// member that equals one of wanted but for its case is refused, since some peers would take it for that one. It fails
// with a *FrameError.
func Members(text []byte, limits Limits, wanted ...string) (map[string]json.RawMessage, error) {
	s, err := newScanner(text, limits)
	if err != nil {
		return nil, err
	}
	members, err := s.members(wanted)
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return nil, err
	}
	return members, nil
}

func newScanner(text []byte, limits Limits) (*scanner, *FrameError) {
	limits = limits.withDefaults()
	if int64(len(text)) > limits.Size {
		return nil, &FrameError{Kind: ErrTooLarge, Detail: fmt.Sprintf("%d bytes, at most %d are allowed", len(text), limits.Size)}
	}
	if !utf8.Valid(text) {
		return nil, &FrameError{Kind: ErrEncoding}
	}
	return &scanner{text: text, limits: limits}, nil
}

func (s *scanner) frame() ([]Message, *FrameError) {
	if s.peek() != '[' {
		message, err := s.message()
		return []Message{message}, err
	}
	start := s.pos
	var messages []Message
	err := s.array(func() *FrameError {
		if len(messages) == s.limits.Batch {
			return s.fault(ErrBatch, fmt.Sprintf("at most %d messages are allowed", s.limits.Batch))
		}
		message, err := s.message()
		messages = append(messages, message)
		return err
	})
	if err == nil && len(messages) == 0 {
		err = &FrameError{Kind: ErrBatch, Offset: start, Detail: "no message"}
	}
	return messages, err
}

// members reads an object. On a fault it also gives the members before it.
func (s *scanner) members(wanted []string) (map[string]json.RawMessage, *FrameError) {
	members := make(map[string]json.RawMessage, len(wanted))
	if s.peek() != '{' {
		start := s.pos
		if _, err := s.value(); err != nil {
			return members, err
		}
		return members, &FrameError{Kind: ErrShape, Offset: start, Detail: "want an object"}
	}
	start := s.pos
	var lookalike string
	err := s.object(func(name string, value json.RawMessage) {
		members[name] = value
		if lookalike == "" && resembles(name, wanted) {
			lookalike = name
		}
	})
	if err == nil && lookalike != "" {
		err = &FrameError{Kind: ErrMemberCase, Offset: start, Detail: quote(lookalike)}
	}
	return members, err
}

func resembles(name string, wanted []string) bool {
	for _, want := range wanted {
		if name != want && strings.EqualFold(name, want) {
			return true
		}
	}
	return false
}

func (s *scanner) message() (Message, *FrameError) {
	s.peek()
	start := s.pos
	members, err := s.members([]string{"jsonrpc", "id", "method", "params", "result", "error"})
	if err != nil {
		err.ID = idOf(members)
		return Message{}, err
	}
	message, problem := shape(members)
	if problem != nil {
		return Message{}, &FrameError{Kind: ErrShape, Offset: start, Detail: problem.Error(), ID: idOf(members)}
	}
	message.Raw = s.text[start:s.pos:s.pos]
	return message, nil
}

// shape makes a message of its members, as JSON-RPC 2.0 sections 4 and 5 say.
func shape(members map[string]json.RawMessage) (Message, error) {
	if string(members["jsonrpc"]) != `"2.0"` {
		return Message{}, errors.New(`jsonrpc is not "2.0"`)
	}
	_, isCall := members["method"]
	_, isResult := members["result"]
	_, isError := members["error"]
	switch {
	case isCall && !isResult && !isError:
		return callOf(members)
	case !isCall && isResult != isError:
		return responseOf(members)
	case isResult && isError:
		return Message{}, errors.New("both result and error")
	case isCall:
		return Message{}, errors.New("a method and an answer in one message")
	default:
		return Message{}, errors.New("neither method, result nor error")
	}
}

func callOf(members map[string]json.RawMessage) (Message, error) {
	message := Message{Kind: KindNotification, Params: members["params"]}
	if !isString(members["method"]) {
		return Message{}, errors.New("method is not a string")
	}
	message.Method = decode(members["method"], true)
	if message.Params != nil && !isStructured(message.Params) {
		return Message{}, errors.New("params is neither an object nor an array")
	}
	raw, hasID := members["id"]
	if !hasID {
		return message, nil
	}
	if !isID(raw) {
		return Message{}, errors.New("id is neither a string nor a number")
	}
	message.Kind, message.ID = KindRequest, raw
	return message, nil
}

func responseOf(members map[string]json.RawMessage) (Message, error) {
	message := Message{Kind: KindResponse, ID: idOf(members), Result: members["result"]}
	raw, failed := members["error"]
	if message.ID == nil {
		id := members["id"]
		if !failed || id != nil && string(id) != "null" {
			return Message{}, errors.New("id is neither a string nor a number")
		}
	}
	if !failed {
		return message, nil
	}
	var err error
	message.Error, err = errorOf(raw)
	return message, err
}

// errorOf reads an error object, which was checked as JSON before.
func errorOf(raw json.RawMessage) (*Error, error) {
	// Depth was bounded while the frame was read.
	members, err := Members(raw, Limits{Size: int64(len(raw)), Depth: len(raw)}, "code", "message", "data")
	if err != nil {
		return nil, errors.New("error is not an error object")
	}
	e := &Error{Data: members["data"]}
	if json.Unmarshal(members["code"], &e.Code) != nil || string(members["code"]) == "null" {
		return nil, errors.New("error.code is not an integer")
	}
	if !isString(members["message"]) {
		return nil, errors.New("error.message is not a string")
	}
	e.Message = decode(members["message"], true)
	return e, nil
}

// idOf gives the id among members if it is a usable one.
func idOf(members map[string]json.RawMessage) json.RawMessage {
	if id := members["id"]; isID(id) {
		return id
	}
	return nil
}

func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || isDigit(raw[0]))
}

func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

func isStructured(raw json.RawMessage) bool { return len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') }
