package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// content is one part of a result, in any of the shapes that MCP gives it.
type content struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Data     string          `json:"data"`
	Blob     string          `json:"blob"`
	MIMEType string          `json:"mimeType"`
	URI      string          `json:"uri"`
	Name     string          `json:"name"`
	Resource *content        `json:"resource"`
	Content  json.RawMessage `json:"content"`
	Role     string          `json:"role"`
}

// result is a result of tools/call, resources/read or prompts/get, as far as text can be made of it.
type result struct {
	Content           []content       `json:"content"`
	Contents          []content       `json:"contents"`
	Messages          []content       `json:"messages"`
	StructuredContent json.RawMessage `json:"structuredContent"`
}

// textOf is the text of a raw result; what is no text is named instead.
func textOf(raw json.RawMessage) string {
	var r result
	if json.Unmarshal(raw, &r) != nil {
		return ""
	}
	var parts []string
	for _, part := range slices.Concat(r.Content, r.Contents) {
		parts = append(parts, part.text())
	}
	for _, message := range r.Messages {
		var said content
		if json.Unmarshal(message.Content, &said) == nil {
			parts = append(parts, message.Role+": "+said.text())
		}
	}
	if len(parts) == 0 && len(r.StructuredContent) > 0 {
		return pretty(r.StructuredContent)
	}
	return strings.Join(parts, "\n")
}

func (c content) text() string {
	switch {
	case c.Resource != nil:
		return c.Resource.text()
	case c.Data != "" || c.Blob != "":
		return fmt.Sprintf("[%s, %d bytes]", kindOf(c), base64.StdEncoding.DecodedLen(len(c.Data+c.Blob)))
	case c.Type == "resource_link":
		return fmt.Sprintf("[%s: %s]", c.Name, c.URI)
	default:
		return c.Text
	}
}

func kindOf(c content) string {
	for _, word := range []string{c.MIMEType, c.Type} {
		if word != "" {
			return word
		}
	}
	return "data"
}

// onlyBlob is the data of a result that is a single piece of data and nothing else, ready to be written to a file.
func onlyBlob(raw json.RawMessage) (data []byte, ok bool) {
	var r result
	if json.Unmarshal(raw, &r) != nil {
		return nil, false
	}
	parts := slices.Concat(r.Content, r.Contents)
	if len(parts) != 1 || parts[0].Data+parts[0].Blob == "" {
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(parts[0].Data + parts[0].Blob)
	return data, err == nil
}

// pretty lays JSON out on lines; what is no JSON stays as it is.
func pretty(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
