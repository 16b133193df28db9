package domain

import (
	"encoding/json"
	"time"
)

// Effect is what a tool says it does to the world, from its MCP annotations. It is a claim of the server.
type Effect string

// A tool without annotations is taken to write.
const (
	Reads    Effect = "reads"
	Writes   Effect = "writes"
	Destroys Effect = "destroys"
)

// Risk is what the policy makes of an effect and of the trust in the server that claims it.
type Risk string

// Risk levels in rising order.
const (
	LowRisk    Risk = "low"
	MediumRisk Risk = "medium"
	HighRisk   Risk = "high"
)

// Tool is a typed view of one entry of tools/list. Raw is the entry as the server sent it and is what travels.
type Tool struct {
	Server       string          `json:"server"`
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	Effect       Effect          `json:"effect"`
	Raw          json.RawMessage `json:"-"`
	// Findings are what a person should look at closely in what the tool says, where that was looked for.
	Findings []TextFinding `json:"findings,omitempty"`
}

// Resource is a typed view of one entry of resources/list or resources/templates/list.
type Resource struct {
	Server string `json:"server"`
	// URI is the address of a resource; empty for a template.
	URI string `json:"uri,omitempty"`
	// URITemplate is the RFC 6570 template of a template; empty for a resource.
	URITemplate string `json:"uri_template,omitempty"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mime_type,omitempty"`
	// Size is in bytes; nil when the server does not say.
	Size *int64          `json:"size,omitempty"`
	Raw  json.RawMessage `json:"-"`
	// Findings are as those of a Tool.
	Findings []TextFinding `json:"findings,omitempty"`
}

// PromptArgument is one argument that a prompt takes.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required"`
}

// Prompt is a typed view of one entry of prompts/list.
type Prompt struct {
	Server      string           `json:"server"`
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description,omitempty"`
	Arguments   []PromptArgument `json:"arguments,omitempty"`
	Raw         json.RawMessage  `json:"-"`
	// Findings are as those of a Tool.
	Findings []TextFinding `json:"findings,omitempty"`
}

// SkillFile is one file of a skill, with what its content must be.
type SkillFile struct {
	URI string `json:"uri"`
	// Digest is "sha256:" and 64 hexadecimal digits.
	Digest string `json:"digest"`
	// Size is in bytes; nil when the server does not say.
	Size *int64 `json:"size,omitempty"`
}

// Skill is a typed view of one entry of skills/list (SEP-2640). Its files are read when somebody wants them, never before.
type Skill struct {
	Server string `json:"server"`
	// URI is the address of its SKILL.md.
	URI         string      `json:"uri"`
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	Files       []SkillFile `json:"files"`
	// Frontmatter is the object that the YAML at the top of SKILL.md must be equal to.
	Frontmatter json.RawMessage `json:"frontmatter"`
	Raw         json.RawMessage `json:"-"`
}

// Subscription is a resource that is followed.
type Subscription struct {
	URI string `json:"uri"`
	// ChangedAt is when the server last said that it changed; nil when it has not.
	ChangedAt *time.Time `json:"changed_at,omitempty"`
}

// Completion asks for the values of one argument: of a prompt, or of a resource template.
type Completion struct {
	Prompt   string `json:"prompt,omitempty"`
	Template string `json:"template,omitempty"`
	Argument string `json:"argument"`
	// Value is what was typed so far.
	Value string `json:"value"`
	// Given are the other arguments, as far as they are filled in.
	Given map[string]string `json:"given,omitempty"`
}

// Completions are the values a server proposes, at most 100.
type Completions struct {
	Values []string `json:"values"`
	// Total is how many there are in all; nil when the server does not say.
	Total *int `json:"total,omitempty"`
	More  bool `json:"more"`
}
