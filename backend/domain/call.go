package domain

import (
	"bytes"
	"context"
	"encoding/json"
	"time"
)

// CallerKind says through which door a call came.
type CallerKind string

// The doors of the product.
const (
	CallerWindow CallerKind = "window" // the desktop window and the browser UI
	CallerCLI    CallerKind = "cli"
	CallerClient CallerKind = "client" // another MCP program behind the gateway
	CallerApp    CallerKind = "app"
	// CallerServer is a server that asks something in no call that is known. It makes no calls.
	CallerServer CallerKind = "server"
)

// LocalUser is the user that a caller acts for unless it says otherwise.
const LocalUser = "local"

// Caller is who asks for a call, with the user it acts for.
type Caller struct {
	Kind CallerKind `json:"kind"`
	// Name tells callers of one kind apart: an app's id, a client's name; "window" and "cli" for ourselves.
	Name string `json:"name"`
	User string `json:"user"`
	// Session is the conversation or client session, the span of "for this session" approvals.
	Session string `json:"session,omitempty"`
}

// CallKind says which MCP method a call ends in.
type CallKind string

// The governed methods: tools/call, resources/read and prompts/get.
const (
	ToolCall     CallKind = "tool"
	ResourceRead CallKind = "resource"
	PromptGet    CallKind = "prompt"
)

// SamplingAsk is no call: it is what an approval of the texts that a server asks for is about.
const SamplingAsk CallKind = "sampling"

// Call is one tools/call, resources/read or prompts/get on its way through the pipeline.
type Call struct {
	ID     string   `json:"id"`
	Kind   CallKind `json:"kind"`
	Server string   `json:"server"`
	// Name is the tool's name, the resource's URI or the prompt's name.
	Name string `json:"name"`
	// Params is the whole params object of the MCP request, byte for byte.
	Params json.RawMessage `json:"params,omitempty"`
	Caller Caller          `json:"caller"`
	// Wait is how long the caller stays while a person decides: 0 not at all, negative until its context ends.
	Wait time.Duration `json:"-"`
	// Turn groups the calls of one turn of an agent's conversation.
	Turn string `json:"turn,omitempty"`
	// Sink hears what happens while the call runs; nil when nobody listens. It must not block.
	Sink func(Notice) `json:"-"`
	// Client answers what the server asks while the call runs, in place of our inbox; nil when the caller cannot.
	Client Responder `json:"-"`
	// Continuation is the request state of a multi-round-trip call that was approved before.
	Continuation json.RawMessage `json:"-"`
	// Target is what the call resolved to. The pipeline sets it, so that the stages after and the pool act on the very
	// definition that was checked; a door leaves it nil.
	Target *Target `json:"-"`

	digest knownDigest
}

// Arguments are those of a tool or a prompt, as they are in Params; nil when there are none.
func (c Call) Arguments() json.RawMessage {
	var members struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(c.Params, &members) // params that cannot be read hold none
	return members.Arguments
}

// Responder is a caller that can answer what servers ask.
type Responder interface {
	// Responds reports whether it can answer this request of a server.
	Responds(method string, params json.RawMessage) bool
	// Respond gives the result of the request.
	Respond(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// Target is what a call goes to: the server and the definition that an approval binds to.
type Target struct {
	Server Server
	// Tool is set for tool calls only.
	Tool *Tool
	// Prompt is set for prompts that the server has listed.
	Prompt *Prompt
	Effect Effect
	// DefinitionDigest identifies the definition as a person saw it; empty where there is none to see.
	DefinitionDigest string
	// Held says that no person has accepted the tool's definition; HeldBy is the request that asks for it, empty where none
	// waits.
	Held   bool
	HeldBy string
}

// Tell passes a notice to the sink, if there is one.
func (c Call) Tell(n Notice) {
	if c.Sink != nil {
		c.Sink(n)
	}
}

// NoticeKind names what a Notice tells.
type NoticeKind string

// What a caller can hear while its call runs.
const (
	NoticeDecided  NoticeKind = "decided"  // Decision was made; RequestID is the earlier approval it used, if any
	NoticeWaiting  NoticeKind = "waiting"  // RequestID waits for a person
	NoticeRunning  NoticeKind = "running"  // the call left the pipeline for the server
	NoticeAsked    NoticeKind = "asked"    // the server asked something and waits for the answer
	NoticeAnswered NoticeKind = "answered" // the server got its answer, or will not get one
	NoticeQuestion NoticeKind = "question" // what the server asked waits for a person as RequestID, between asked and answered
	NoticeTask     NoticeKind = "task"     // Params has taskId, status and statusMessage of the task that the call has become
	NoticeProgress NoticeKind = "progress" // Params is the notifications/progress of the server
	NoticeLog      NoticeKind = "log"      // Params is a notifications/message of the server
)

// Notice is one thing that happened to a running call.
type Notice struct {
	Kind      NoticeKind      `json:"kind"`
	RequestID string          `json:"request_id,omitempty"`
	Decision  *Decision       `json:"decision,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
}

// Task is a call that goes on at its server while nobody holds a connection (MCP 2025-11-25, basic/utilities/tasks;
// SEP-2663). It belongs to the caller that made it and ends with it.
type Task struct {
	Server string `json:"server"`
	// ID is the server's name of it.
	ID   string `json:"id"`
	Tool string `json:"tool"`
	// Status is working, input_required, completed, failed or cancelled.
	Status string `json:"status"`
	// Message is what the server says of it.
	Message   string    `json:"message,omitempty"`
	StartedAt time.Time `json:"started_at"`
	Caller    Caller    `json:"caller"`
}

// ResultKind tells a finished result from one that needs another round.
type ResultKind string

// The kinds of results of the 2026-07-28 revision; earlier ones are always complete.
const (
	ResultComplete      ResultKind = "complete"
	ResultInputRequired ResultKind = "input_required"
	ResultTask          ResultKind = "task"
)

// ResultMeta is what the pipeline adds to a result.
type ResultMeta struct {
	CacheHit bool `json:"cache_hit"`
	Attempts int  `json:"attempts"`
	// Duplicate says that the same call was made before in this turn, and this is what it came to then.
	Duplicate bool `json:"duplicate,omitempty"`
	// Slow says that the server said nothing for longer than its app finds usual.
	Slow bool `json:"slow,omitempty"`
	// AnsweredFor is the question of an earlier search that means the same, whose answer this is.
	AnsweredFor string `json:"answered_for,omitempty"`
	// Context is what earlier results of the same conversation were about, the latest first.
	Context []Reference `json:"context,omitempty"`
	// Alternatives are the FQNs of tools that may do what this one could not.
	Alternatives []string `json:"alternatives,omitempty"`
	// EditedParams is set when a person changed the arguments before approving.
	EditedParams json.RawMessage `json:"edited_params,omitempty"`
}

// Reference is what one result was about.
type Reference struct {
	// Tool is its FQN.
	Tool string `json:"tool"`
	IDs  []Item `json:"ids,omitempty"`
	// URLs are without user, password, fragment, and parameters that look secret.
	URLs []string `json:"urls,omitempty"`
}

// Item is an identifier under the name that a server gives it.
type Item struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Result is what a call came to. A tool's own failure (isError) is a result, not an error.
type Result struct {
	Kind ResultKind      `json:"kind"`
	Raw  json.RawMessage `json:"raw"`
	Meta ResultMeta      `json:"meta"`
}

// IsError says that the tool itself failed: the isError member of a tools/call result (MCP 2025-11-25, tools).
func (r Result) IsError() bool {
	if !bytes.Contains(r.Raw, []byte("isError")) && !bytes.Contains(r.Raw, []byte(`\u`)) {
		return false // a long result is read for nothing
	}
	var said struct {
		IsError bool `json:"isError"`
	}
	return json.Unmarshal(r.Raw, &said) == nil && said.IsError
}

// CallFunc is the whole contract of the pipeline: each stage has it, the pool ends it.
type CallFunc func(context.Context, Call) (Result, error)
