package toolbox

import (
	"encoding/json"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// ActionResult is the one shape in which an agent gets whatever it did (specification, Result Normalization).
type ActionResult struct {
	Success bool `json:"success"`
	// Data is a Data for a call of a tool, and the list or document itself for everything else; nil for a failure without one.
	Data any `json:"data,omitempty"`
	// Error is one sentence with what to do next; empty for a success.
	Error    string   `json:"error,omitempty"`
	Metadata Metadata `json:"metadata"`
}

// Status says at a glance whether a result holds anything.
type Status string

// The values of a Status. A tool's own failure is an error, as is a call that never ran.
const (
	StatusOK    Status = "ok"
	StatusEmpty Status = "empty"
	StatusError Status = "error"
)

// Data is what a tool gave back, laid out so that a model cannot mistake one part for another.
type Data struct {
	// Content is the list of content blocks as the server sent it.
	Content json.RawMessage `json:"content"`
	// Text is the text blocks alone, one below the other.
	Text   string `json:"text"`
	Status Status `json:"status"`
	// Output is all there is to read: the text, else the structured content as JSON, with embedded texts and links after it.
	Output string `json:"output"`
	// ResultCount is the number of elements where the output is one JSON array; absent elsewhere.
	ResultCount *int `json:"result_count,omitempty"`
	// Images and Resources are what is no text: pictures and sounds with their bytes in base64, files and links.
	Images    []Media    `json:"images"`
	Resources []Resource `json:"resources"`
	// Structured is the structured content as the server sent it (MCP 2025-06-18, tools), if it sent any.
	Structured json.RawMessage `json:"structured,omitempty"`
}

// Media is a picture or a sound.
type Media struct {
	MIMEType string `json:"mime_type"`
	// Data is base64, as MCP has it. One that is too long has a handle for read_more instead.
	Data   string `json:"data,omitempty"`
	Handle string `json:"handle,omitempty"`
}

// Resource is a file that a tool gave along, or a link to one.
type Resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mime_type,omitempty"`
	// Text or Blob is the content of an embedded one; a link has neither. A blob that is too long has a handle instead.
	Text   string `json:"text,omitempty"`
	Blob   string `json:"blob,omitempty"`
	Handle string `json:"handle,omitempty"`
}

// Metadata is what the product says of a result, apart from what the server said.
type Metadata struct {
	CacheHit bool `json:"cache_hit"`
	// Source is where the result comes from: mcp_server:ID, or the id of a native module.
	Source string `json:"_source,omitempty"`
	// Attempts is how often the call was sent, where that is more than once.
	Attempts int `json:"attempts,omitempty"`
	// Duplicate says that the same call was made before in this turn, and this is what it came to then.
	Duplicate bool `json:"duplicate,omitempty"`
	// Slow says that the server said nothing for longer than its app finds usual.
	Slow bool `json:"slow,omitempty"`
	// AnsweredFor is the earlier question that means the same, whose answer this is.
	AnsweredFor string `json:"answered_for,omitempty"`
	// Context is what earlier results of the conversation were about, the latest first.
	Context []domain.Reference `json:"context,omitempty"`
	// Alternatives are the names of tools that may do what this one could not.
	Alternatives []string `json:"alternatives,omitempty"`
	// Edited says that a person changed the arguments before they let the call pass; these are the ones it ran with.
	Edited json.RawMessage `json:"edited_params,omitempty"`
	// Code and Hint are those of a failure that is not the tool's own.
	Code domain.Code `json:"code,omitempty"`
	Hint string      `json:"hint,omitempty"`
	// Request is the id of the request in the inbox that the call waits for.
	Request string `json:"request,omitempty"`

	*RequiresOAuthMetadata
	*Cut
}

// maxError is how much is said of what went wrong, in characters: servers have their words in it.
const maxError = 2000

// failed is the result of what did not happen.
func failed(source string, err error) ActionResult {
	e := domain.AsError(err)
	return ActionResult{
		Error: clip(e.Message, maxError),
		Metadata: Metadata{
			Source: source, Code: e.Code, Hint: clip(e.Hint, maxError), Request: e.Args["request_id"],
			Alternatives: strings.Fields(e.Args[domain.ArgAlternatives]),
		},
	}
}

// done is the result of something that is no call of a tool.
func done(data any) ActionResult { return ActionResult{Success: true, Data: data} }
