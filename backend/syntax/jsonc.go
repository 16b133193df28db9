package syntax

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/tidwall/jsonc"
)

// ParseJSONC reads JSON with comments and trailing commas into its one value. A failure is an *Error.
func ParseJSONC(b []byte) (*Node, error) {
	src, err := newSource(b)
	if err != nil {
		return nil, err
	}
	// Comments become spaces, so offsets stay those of the file.
	plain := jsonc.ToJSON(src.text)
	var valid json.RawMessage
	if err := json.Unmarshal(plain, &valid); err != nil {
		return nil, src.jsonError(err)
	}
	w := &jsonWalk{src: src, plain: plain, tokens: json.NewDecoder(bytes.NewReader(plain))}
	w.tokens.UseNumber()
	return w.value(0)
}

func (s *source) jsonError(err error) error {
	var bad *json.SyntaxError
	if !errors.As(err, &bad) {
		return &Error{Position{1, 1}, err.Error()}
	}
	message := strings.Replace(err.Error(), "unexpected end of JSON input", "the text ends too early", 1)
	if strings.HasPrefix(message, "the text ends") {
		return s.errorAt(len(bytes.TrimRight(s.text, " \t\r\n")), "%s", message)
	}
	return s.errorAt(int(bad.Offset)-1, "%s", message)
}

// jsonWalk goes through the tokens of valid JSON and looks up where each starts.
type jsonWalk struct {
	src    *source
	plain  []byte
	tokens *json.Decoder
}

// next returns a token and where it starts.
func (w *jsonWalk) next() (json.Token, Position, error) {
	offset := int(w.tokens.InputOffset())
	for offset < len(w.plain) && strings.IndexByte(" \t\r\n,:", w.plain[offset]) >= 0 {
		offset++
	}
	at := w.src.position(offset)
	token, err := w.tokens.Token()
	if errors.Is(err, io.EOF) {
		return nil, at, &Error{at, "the text ends too early"}
	}
	if err != nil {
		return nil, at, &Error{at, err.Error()}
	}
	return token, at, nil
}

func (w *jsonWalk) value(depth int) (*Node, error) {
	token, at, err := w.next()
	if err != nil {
		return nil, err
	}
	n := &Node{Position: at}
	switch v := token.(type) {
	case json.Delim:
		if depth > maxDepth {
			return nil, &Error{at, "values nest too deep"}
		}
		if v == '{' {
			return n, w.members(n, depth)
		}
		return n, w.items(n, depth)
	case string:
		n.Kind, n.Text = String, v
	case json.Number:
		n.Kind, n.Text = Float, v.String()
		if !strings.ContainsAny(n.Text, ".eE") {
			n.Kind = Integer
		}
	case bool:
		n.Kind, n.Text = Bool, "false"
		if v {
			n.Text = "true"
		}
	}
	return n, nil
}

func (w *jsonWalk) members(n *Node, depth int) error {
	n.Kind = Object
	for w.tokens.More() {
		key, at, err := w.next()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return &Error{at, "a key must be text in quotes"}
		}
		value, err := w.value(depth + 1)
		if err != nil {
			return err
		}
		n.add(Member{Key: name, Position: at, Value: value})
	}
	_, _, err := w.next()
	return err
}

func (w *jsonWalk) items(n *Node, depth int) error {
	n.Kind = Array
	for w.tokens.More() {
		item, err := w.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	_, _, err := w.next()
	return err
}
