package toolbox

import (
	"bytes"
	"encoding/json"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// Normalize lays out what a call of a tool came to, for a model that must not guess. source is where it ran. It never
// fails: what cannot be read as a result of MCP is shown as the text that it is.
func Normalize(source string, result domain.Result) ActionResult {
	var raw struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(result.Raw, &raw); err != nil {
		raw.Content = textBlock(string(result.Raw))
	}
	data := Data{Content: raw.Content, Structured: present(raw.Structured), Images: []Media{}, Resources: []Resource{}}
	if len(present(data.Content)) == 0 {
		data.Content = json.RawMessage(`[]`)
	}
	extra := data.read()
	data.Output = data.output(extra)
	data.ResultCount = count(data.Output, data.Structured)
	data.Status = data.status(raw.IsError)
	out := ActionResult{
		Success: !raw.IsError, Data: data,
		Metadata: Metadata{
			CacheHit: result.Meta.CacheHit, Source: source, Edited: result.Meta.EditedParams,
			Duplicate: result.Meta.Duplicate, Slow: result.Meta.Slow,
			AnsweredFor: result.Meta.AnsweredFor, Context: result.Meta.Context, Alternatives: result.Meta.Alternatives,
		},
	}
	if result.Meta.Attempts > 1 {
		out.Metadata.Attempts = result.Meta.Attempts
	}
	if raw.IsError {
		out.Error = firstOf(data.Output, "the tool failed without saying why")
		out.Metadata.Code = domain.CodeToolFailed
	}
	return out
}

// block is any content block of MCP 2025-11-25, tools, content types.
type block struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Data        string `json:"data"`
	MIMEType    string `json:"mimeType"`
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Resource    struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Blob     string `json:"blob"`
	} `json:"resource"`
}

// read sorts the content blocks into text, images and resources, and gives what of the latter is there to read. A block
// of a kind that is not known is kept in the content, and read by nobody.
func (d *Data) read() (extra []string) {
	var blocks []json.RawMessage
	if json.Unmarshal(d.Content, &blocks) != nil {
		d.Content = textBlock(string(d.Content))
		return d.read()
	}
	var texts []string
	for _, one := range blocks {
		var b block
		if err := json.Unmarshal(one, &b); err != nil {
			continue
		}
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "image", "audio":
			d.Images = append(d.Images, Media{MIMEType: b.MIMEType, Data: b.Data})
		case "resource":
			r := b.Resource
			d.Resources = append(d.Resources, Resource{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob})
			if r.Text != "" {
				extra = append(extra, r.URI+":\n"+r.Text)
			}
		case "resource_link":
			d.Resources = append(d.Resources, Resource{URI: b.URI, Name: b.Name, Description: b.Description, MIMEType: b.MIMEType})
			extra = append(extra, strings.TrimSpace(b.Name+" "+b.URI))
		}
	}
	d.Text = strings.Join(texts, "\n")
	return extra
}

func (d *Data) output(extra []string) string {
	var parts []string
	switch {
	case strings.TrimSpace(d.Text) != "":
		parts = append(parts, d.Text)
	case d.Structured != nil:
		parts = append(parts, compact(d.Structured))
	}
	return strings.Join(append(parts, extra...), "\n")
}

func (d *Data) status(isError bool) Status {
	switch {
	case isError:
		return StatusError
	case len(d.Images) == 0 && len(d.Resources) == 0 && saysNothing(d.Output) && saysNothing(string(d.Structured)) && !hasUnread(d.Content):
		return StatusEmpty
	default:
		return StatusOK
	}
}

// saysNothing holds for a text that is blank, or JSON without anything in it.
func saysNothing(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return true
	}
	if elements, ok := listIn(json.RawMessage(text)); ok {
		return len(elements) == 0
	}
	switch strings.Join(strings.Fields(text), "") {
	case "{}", "null", `""`:
		return true
	}
	return false
}

// count is how many elements there are where a result is one list.
func count(output string, structured json.RawMessage) *int {
	elements, ok := listIn(json.RawMessage(strings.TrimSpace(output)))
	if !ok {
		elements, ok = listIn(structured)
	}
	if !ok {
		return nil
	}
	n := len(elements)
	return &n
}

// listIn is the list that a JSON text is, or that its only member "result" is: structured content must be an object, so
// servers wrap their lists in one.
func listIn(text json.RawMessage) ([]json.RawMessage, bool) {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("{")) {
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) != nil || len(members) != 1 {
			return nil, false
		}
		text = bytes.TrimSpace(members["result"])
	}
	if !bytes.HasPrefix(text, []byte("[")) {
		return nil, false
	}
	var list []json.RawMessage
	err := json.Unmarshal(text, &list)
	return list, err == nil
}

func textBlock(text string) json.RawMessage {
	block, err := json.Marshal([]map[string]string{{"type": "text", "text": text}})
	if err != nil {
		return nil // a string always has a JSON form
	}
	return block
}

// present is a JSON value unless it is null.
func present(value json.RawMessage) json.RawMessage {
	if bytes.Equal(bytes.TrimSpace(value), []byte("null")) {
		return nil
	}
	return value
}

func compact(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}
