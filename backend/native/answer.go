package native

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// maxAnswer is how many bytes of text one result holds at most, notes not counted.
const maxAnswer = 256 << 10

// block is one content block of a tools/call result (MCP 2025-11-25, server/tools#tool-result).
type block struct {
	Type     string    `json:"type"`
	Text     *string   `json:"text,omitempty"`
	Data     string    `json:"data,omitempty"` // base64
	MIMEType string    `json:"mimeType,omitempty"`
	Resource *resource `json:"resource,omitempty"`
}

// resource is what an embedded resource holds.
type resource struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitempty"`
	Blob     string `json:"blob"` // base64
}

// answer is what a tool says.
type answer struct {
	blocks     []block
	structured any
	failed     bool
}

func textBlock(text string) block {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return block{Type: "text", Text: &text}
}

// say gives text with the structured content beside it. Notes are what the reader has to know of what is not there.
func say(text string, structured any, notes ...string) answer {
	said := answer{blocks: []block{textBlock(text)}, structured: structured}
	if len(notes) > 0 {
		said.blocks = append(said.blocks, textBlock(strings.Join(notes, "\n")))
	}
	return said
}

// sayJSON gives structured content, and the same as text (MCP 2025-11-25, server/tools#structured-content).
func sayJSON(structured any) (answer, error) {
	text, err := json.Marshal(structured)
	if err != nil {
		return answer{}, fmt.Errorf("write result: %w", err)
	}
	return say(string(text), structured), nil
}

// failed says why a tool could not do what it was asked for.
func failed(err error) answer { return answer{blocks: []block{textBlock(sentence(err))}, failed: true} }

func (a answer) result() (domain.Result, error) {
	raw, err := json.Marshal(struct {
		Content    []block `json:"content"`
		Structured any     `json:"structuredContent,omitempty"`
		IsError    bool    `json:"isError"`
	}{a.blocks, a.structured, a.failed})
	if err != nil {
		return domain.Result{}, fmt.Errorf("write result: %w", err)
	}
	return domain.Result{Kind: domain.ResultComplete, Raw: raw}, nil
}

// refuse makes a failure of a tool: a whole sentence for the agent.
func refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

// sentence says what went wrong in words that lead on. Paths of the computer are in it only as they were given.
func sentence(err error) string {
	if ours, ok := errors.AsType[*domain.Error](err); ok {
		return strings.TrimSpace(ours.Message + ". " + ours.Hint)
	}
	path := ""
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		path = " " + at.Path
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "There is nothing at" + path + ". List the folder above it to see what there is."
	case errors.Is(err, fs.ErrPermission):
		return "The system does not let Apollia look at" + path + "."
	case strings.Contains(err.Error(), "path escapes from parent"):
		return "The path" + path + " leads out of the allowed folders, by a link or by \"..\". Only what is in them can be used."
	}
	return err.Error()
}
