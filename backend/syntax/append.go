package syntax

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

// AppendTOML adds the tables of v at the end of a TOML document and leaves every byte before them as it was. v is a
// struct with toml tags whose members are tables or lists of tables: bare keys would land in the last table of the
// document. Line ends follow the document's.
//
// It fails with an *Error when b is not TOML, or when it already uses one of v's names for something that cannot grow.
func AppendTOML(b []byte, v any) ([]byte, error) {
	if _, err := ParseTOML(b); err != nil {
		return nil, err
	}
	block, err := toml.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write toml: %w", err)
	}
	newline := lineEnd(b)
	out := bytes.Clone(b)
	if len(bytes.TrimSpace(bytes.TrimPrefix(b, []byte(byteOrderMark)))) > 0 {
		if !bytes.HasSuffix(b, []byte("\n")) {
			out = append(out, newline...)
		}
		out = append(out, newline...)
	}
	out = append(out, bytes.ReplaceAll(block, []byte("\n"), newline)...)
	if _, err := ParseTOML(out); err != nil {
		return nil, err
	}
	return out, nil
}

func lineEnd(b []byte) []byte {
	if at := bytes.IndexByte(b, '\n'); at > 0 && b[at-1] == '\r' {
		return []byte("\r\n")
	}
	return []byte("\n")
}
