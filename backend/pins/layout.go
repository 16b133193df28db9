package pins

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// layout writes JSON with its members in the order they came.
type layout struct {
	text    strings.Builder
	decoder *json.Decoder
}

// isOpened holds for the members whose own members have a line each; the others stay on the line of their parent.
func isOpened(member string) bool {
	return slices.Contains([]string{"properties", "$defs", "definitions", "patternProperties"}, member)
}

func (l *layout) read(raw json.RawMessage) bool {
	if !json.Valid(raw) {
		return false
	}
	l.decoder = json.NewDecoder(bytes.NewReader(raw))
	l.decoder.UseNumber()
	return l.value("", true)
}

// value writes the next value; with open, an object's members on lines of their own.
func (l *layout) value(indent string, open bool) bool {
	token, err := l.decoder.Token()
	if err != nil {
		return false
	}
	delim, ok := token.(json.Delim)
	if !ok {
		l.write(token)
		return true
	}
	closing := map[json.Delim]string{'{': "}", '[': "]"}[delim]
	open = open && delim == '{'
	l.text.WriteString(delim.String())
	count := 0
	for ; l.decoder.More(); count++ {
		if !l.member(indent, open, delim == '{', count > 0) {
			return false
		}
	}
	l.space(indent, open && count > 0, count > 0 && delim == '{')
	l.text.WriteString(closing)
	_, err = l.decoder.Token()
	return err == nil
}

// member writes one element of an array, or one member of an object.
func (l *layout) member(indent string, open, named, more bool) bool {
	inner := indent + "  "
	if more {
		l.text.WriteByte(',')
	}
	l.space(inner, open, more || named)
	below := false
	if named {
		key, err := l.decoder.Token()
		if err != nil {
			return false
		}
		l.write(key)
		l.text.WriteString(": ")
		word, _ := key.(string)
		below = open && isOpened(word)
	}
	return l.value(inner, below)
}

// space parts what is written from what comes: by a line, by a blank, or not at all.
func (l *layout) space(indent string, line, blank bool) {
	switch {
	case line:
		l.text.WriteString("\n" + indent)
	case blank:
		l.text.WriteByte(' ')
	}
}

// write writes a name, string, number or word as it is, not as HTML wants it.
func (l *layout) write(token json.Token) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(token); err != nil { // never for a token that was read
		panic(err)
	}
	l.text.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
