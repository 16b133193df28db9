package domain

import (
	"encoding/json"
	"time"
)

// State is what a person sees of a server's session, in one word.
type State string

// The states of a server, in the words of the command line's contract.
const (
	StateOff           State = "off"
	StateInstalling    State = "installing"
	StateStarting      State = "starting"
	StateNeedsSignIn   State = "needs_sign_in"
	StateNeedsApproval State = "needs_approval"
	StateReady         State = "ready"
	StateDegraded      State = "degraded"
	StateStopped       State = "stopped"
)

// Implementation names the program at the other end, as its initialize result says.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// Status is the live side of a server. Its zero value means off.
type Status struct {
	State State `json:"state"`
	// Reason says why the state is not ready; nil when there is nothing to say.
	Reason *Error    `json:"reason,omitempty"`
	Since  time.Time `json:"since,omitzero"`
	// ProtocolVersion is the MCP revision in use, such as 2025-11-25; empty before the handshake.
	ProtocolVersion string          `json:"protocol_version,omitempty"`
	Info            *Implementation `json:"server_info,omitempty"`
	Instructions    string          `json:"instructions,omitempty"`
	// Capabilities is the server's own object, byte for byte.
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	PID          int             `json:"pid,omitempty"`
	// TransportInUse is how the server is reached: SSE where it turned out not to speak the Streamable HTTP of its definition.
	// Empty without a session.
	TransportInUse Transport `json:"transport_in_use,omitempty"`
	// StrayLines counts the lines on standard output, of this session, that are not JSON-RPC: this server writes logs there.
	StrayLines int `json:"stray_lines,omitempty"`
	// LastLine is what a server that installs wrote last to its standard error; empty in every other state.
	LastLine string `json:"last_line,omitempty"`
	// Warnings are about what the server sends that could not be used as it is; the rest of it works.
	Warnings   []*Error `json:"warnings,omitempty"`
	References int      `json:"references"`
	Tools      int      `json:"tools"`
	Resources  int      `json:"resources"`
	Prompts    int      `json:"prompts"`
}

// Announces reports whether the server's capabilities have the named top-level member, such as "tools".
func (s Status) Announces(capability string) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(s.Capabilities, &members) != nil {
		return false
	}
	_, ok := members[capability]
	return ok
}
