package session

import (
	"context"
	"encoding/json"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/transport"
)

// The requests that a server may make (MCP 2025-11-25, client; 2026-07-28, basic/utilities/mrtr).
const (
	MethodSampling    = "sampling/createMessage"
	MethodElicitation = "elicitation/create"
	MethodRoots       = "roots/list"
)

// Question is one request of a server.
type Question struct {
	// Server is the id of the server that asks.
	Server string
	Method string
	Params json.RawMessage
	// Call is the call that the server asks for, nil when that is not certain.
	Call *domain.Call
	// Again says that the server refused the call until a page is done with: the answer is due when it is, since the call is
	// made again then.
	Again bool
}

// Answerer answers what servers ask of a person, of a model or of the machine. It is safe for concurrent use.
type Answerer interface {
	// Capabilities is the ClientCapabilities object that servers are told, without "roots", which the session answers.
	Capabilities() map[string]json.RawMessage
	// Answer returns the result of one request. ctx ends when the server or the caller takes it back.
	Answer(ctx context.Context, q Question) (json.RawMessage, *jsonrpc.Error)
	// Completed hears that what a person does at a page which the server wanted opened is finished (MCP 2025-11-25,
	// notifications/elicitation/complete). It must not block.
	Completed(server, elicitation string)
}

// nobody answers where no Answerer is given.
type nobody struct{}

// Capabilities are none.
func (nobody) Capabilities() map[string]json.RawMessage { return nil }

// Answer refuses.
func (nobody) Answer(_ context.Context, q Question) (json.RawMessage, *jsonrpc.Error) {
	return nil, transport.MethodNotFound(q.Method)
}

// Completed tells nobody.
func (nobody) Completed(string, string) {}
