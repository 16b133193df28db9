package servers

import (
	"time"

	"apollia.fr/connexions/backend/domain"
)

// View is a server as people see it: its definition and its live side in one object.
type View struct {
	domain.Server
	domain.Status
	// Prefix is what the names of its tools begin with, as other programs see them.
	Prefix string `json:"prefix"`
	// LastCallAt is when a call to this server last ended; nil when the journal knows of none.
	LastCallAt *time.Time `json:"last_call_at,omitempty"`
	// RunningCalls counts the calls in flight, so that switching off can ask first.
	RunningCalls int `json:"running_calls"`
	// InstructionFindings are what to look at closely in the instructions that the server gives to models.
	InstructionFindings []domain.TextFinding `json:"instruction_findings,omitempty"`
	// HeldTools counts the tools that a person is asked about, since they say something else of themselves than what was
	// accepted. Those that a person keeps blocked are not among them.
	HeldTools int `json:"held_tools,omitempty"`
	// HeldBy is the request about the first of them, empty without.
	HeldBy string `json:"held_by,omitempty"`
	// Moved is where the local network has the server now; it is reached where it was until a person accepts that.
	Moved *domain.NetworkMove `json:"moved,omitempty"`
}

// ToolView is a tool with what the product adds to it: its names for other programs and the verdict on calling it.
type ToolView struct {
	domain.Tool
	FQN      string         `json:"fqn"`
	WireName string         `json:"wire_name"`
	Risk     domain.Risk    `json:"risk"`
	Verdict  domain.Verdict `json:"verdict"`
	Because  string         `json:"because"`
	// Held says that no person has accepted what the tool says of itself; HeldBy is the request that asks for it, empty
	// where none waits.
	Held   bool   `json:"held,omitempty"`
	HeldBy string `json:"held_by,omitempty"`
}

// FieldError is one thing wrong with a draft, tied to the field that has it.
type FieldError struct {
	// Field is a path such as "name", "url", "env[2].value".
	Field string        `json:"field"`
	Error *domain.Error `json:"error"`
}

// VariableUse says where a draft uses a variable and whether its value is known.
type VariableUse struct {
	Name  string `json:"name"`
	Field string `json:"field"`
	Found bool   `json:"found"`
	// From is "env" for the draft's own scope, "process" for ours, "fallback" for ${VAR:-x}, empty when not found.
	From string `json:"from,omitempty"`
}

// Check is what can be said of a draft without starting anything.
type Check struct {
	ID     string       `json:"id,omitempty"`
	Prefix string       `json:"prefix,omitempty"`
	Errors []FieldError `json:"errors"`
	// Program is the full path of the command, empty when it was not found or is not stdio.
	Program string `json:"program,omitempty"`
	// SearchPath is the PATH that was looked through.
	SearchPath string        `json:"search_path,omitempty"`
	Variables  []VariableUse `json:"variables"`
	// Passed names the variables of our own environment that the program gets anyway.
	Passed []string `json:"passed"`
	// Preview is the command line or the request, secrets left out, ready to copy.
	Preview string `json:"preview"`
}
