package domain

import (
	"encoding/json"
	"time"
)

// StepName names one step of a live test, in order.
type StepName string

// The steps of a test. Spawn belongs to stdio, Connect to HTTP and SSE.
const (
	StepResolve      StepName = "resolve" // find the program, or look the host up and expand variables
	StepSpawn        StepName = "spawn"
	StepConnect      StepName = "connect"
	StepHandshake    StepName = "handshake"
	StepVersion      StepName = "version"
	StepCapabilities StepName = "capabilities"
	StepTools        StepName = "tools"
	StepResources    StepName = "resources"
	StepPrompts      StepName = "prompts"
)

// Steps lists the steps a test of the given transport goes through.
func Steps(t Transport) []StepName {
	reach := StepConnect
	if t == Stdio {
		reach = StepSpawn
	}
	return []StepName{StepResolve, reach, StepHandshake, StepVersion, StepCapabilities, StepTools, StepResources, StepPrompts}
}

// TestStep is one step of a test, finished or running.
type TestStep struct {
	Name    StepName `json:"name"`
	OK      bool     `json:"ok"`
	Running bool     `json:"running,omitempty"`
	// Skipped marks a section that the server does not announce.
	Skipped bool `json:"skipped,omitempty"`
	// StartMS and MS are milliseconds, the first counted from the start of the test.
	StartMS int64 `json:"start_ms"`
	MS      int64 `json:"ms"`
	// Detail is one fact that was found: a path, a pid, a version, a count. It is the server's or the machine's word.
	Detail string `json:"detail,omitempty"`
}

// TestReport is what a live test found. Steps that were never tried are absent.
type TestReport struct {
	ID        string    `json:"id"`
	Server    string    `json:"server"`
	Name      string    `json:"name"`
	Running   bool      `json:"running"`
	OK        bool      `json:"ok"`
	Transport Transport `json:"transport"`
	// TransportInUse is how the server was reached: SSE where it does not speak the Streamable HTTP of its definition.
	TransportInUse Transport  `json:"transport_in_use,omitempty"`
	StartedAt      time.Time  `json:"started_at"`
	Steps          []TestStep `json:"steps"`
	// Warnings are things that work but that a person should know, such as a server that announces no tools.
	Warnings        []*Error        `json:"warnings,omitempty"`
	Error           *Error          `json:"error,omitempty"`
	ProtocolVersion string          `json:"protocol_version,omitempty"`
	Info            *Implementation `json:"server_info,omitempty"`
	Instructions    string          `json:"instructions,omitempty"`
	// InstructionFindings are what to look at closely in the instructions.
	InstructionFindings []TextFinding   `json:"instruction_findings,omitempty"`
	Capabilities        json.RawMessage `json:"capabilities,omitempty"`
	Tools               []Tool          `json:"tools"`
	Resources           []Resource      `json:"resources"`
	Templates           []Resource      `json:"templates"`
	Prompts             []Prompt        `json:"prompts"`
	// StderrTail is the last output of a stdio server, secrets masked.
	StderrTail []string `json:"stderr_tail,omitempty"`
}
