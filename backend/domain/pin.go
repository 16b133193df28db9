package domain

import (
	"encoding/json"
	"time"
)

// Pin is the definition of a tool that a person accepted.
type Pin struct {
	Tool string `json:"tool"`
	// Digest is that of the definition in the given scheme; see DigestScheme.
	Digest string `json:"digest"`
	Scheme int    `json:"scheme"`
	Seen   Seen   `json:"seen"`
	// At is when it was accepted, or first seen of a server that a person had added.
	At time.Time `json:"at"`
}

// Seen is a tool's definition as a person gets to see it.
type Seen struct {
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
	// Version is what the server called its own version then.
	Version string `json:"version,omitempty"`
	// Cut says that the definition is longer than what is kept of it.
	Cut bool `json:"cut,omitempty"`
}

// DefinitionChange is the Params of a DefinitionRequest about a tool: what a person accepted, and what it is now.
type DefinitionChange struct {
	// Before is nil for a tool that nobody has accepted yet.
	Before *Seen `json:"before,omitempty"`
	After  Seen  `json:"after"`
	Scheme int   `json:"scheme"`
	// Ended are the callers whose standing approvals of the tool end with the change.
	Ended []Caller `json:"ended,omitempty"`
}
