package domain

import (
	"encoding/json"
	"time"
)

// RequestKind says what is asked of a person.
type RequestKind string

// The kinds of requests in the inbox.
const (
	ToolRequest            RequestKind = "tool"
	SamplingRequest        RequestKind = "sampling"
	ElicitationFormRequest RequestKind = "elicitation_form"
	ElicitationURLRequest  RequestKind = "elicitation_url"
	DefinitionRequest      RequestKind = "definition"
)

// RequestStatus says where a request stands.
type RequestStatus string

// A request waits, then ends once in exactly one of the other states. An approved tool request whose caller was gone
// is a pass until it is used or expires.
const (
	RequestWaiting  RequestStatus = "waiting"
	RequestApproved RequestStatus = "approved"
	RequestDenied   RequestStatus = "denied"
	RequestExpired  RequestStatus = "expired"
	RequestLapsed   RequestStatus = "lapsed" // its session or its question ended first
)

// Answer is what a person decided about a request.
type Answer struct {
	// Approve is the decision; false denies.
	Approve bool  `json:"approve"`
	Scope   Scope `json:"scope,omitempty"`
	// Params replace those of the request when the person edited them.
	Params json.RawMessage `json:"params,omitempty"`
	// Data is the content for an elicitation.
	Data json.RawMessage `json:"data,omitempty"`
	// Cancel closes a question of a server without an answer, and cancels the call in which it asks; Approve is false then.
	Cancel bool `json:"cancel,omitempty"`
	// Review has the text of the model shown to the person before the server that asked for it gets it.
	Review bool `json:"review,omitempty"`
	// Until ends a standing approval early; nil means until it is revoked or its definition changes.
	Until *time.Time `json:"until,omitempty"`
	By    Caller     `json:"by"`
	At    time.Time  `json:"at"`
}

// Request is something in the inbox that waits for a person. It is a record: it survives a restart.
type Request struct {
	ID     string        `json:"id"`
	Kind   RequestKind   `json:"kind"`
	Status RequestStatus `json:"status"`
	Server string        `json:"server"`
	// Caller is whose call it is; of a question that belongs to no certain call it is the server.
	Caller Caller `json:"caller"`
	// CallID is the call in which a server asks.
	CallID string `json:"call_id,omitempty"`
	// TextFor is the request for a text that this one shows the answer of: Params is then the result that the model gave, and
	// that the server gets.
	TextFor string `json:"text_for,omitempty"`
	// Tool is the name of what would run: a tool, a resource's URI or a prompt.
	Tool     string          `json:"tool"`
	CallKind CallKind        `json:"call_kind,omitempty"`
	Params   json.RawMessage `json:"params,omitempty"`
	// The approval binds to these digests: an identical call is one that has all of them equal.
	ArgumentsDigest  string    `json:"arguments_digest,omitempty"`
	DefinitionDigest string    `json:"definition_digest,omitempty"`
	StartDigest      string    `json:"start_digest,omitempty"`
	Effect           Effect    `json:"effect,omitempty"`
	Decision         Decision  `json:"decision"`
	CreatedAt        time.Time `json:"created_at"`
	// ExpiresAt is nil for a request that is parked until answered.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	Answer    *Answer    `json:"answer,omitempty"`
	// Address is the page that a server wants opened, set for that kind only.
	Address *Address `json:"address,omitempty"`
	// CompletedAt is when the server said that what a person did at the page is finished.
	CompletedAt *time.Time `json:"completed_at,omitempty"`
	// UsedAt is when an approval was spent on a call that was sent, or when an accepted definition was kept; nil while it
	// is a pass.
	UsedAt *time.Time `json:"used_at,omitempty"`
	// Failure says why nothing came of it: the model did not answer, or there is none to ask.
	Failure *Error `json:"failure,omitempty"`
}

// RequestFilter narrows a list of requests. Empty fields do not narrow.
type RequestFilter struct {
	// Open keeps what can still lead to a call: requests that wait, and passes that were not used.
	Open bool
	// Answered keeps what no longer waits, whatever it came to.
	Answered bool
	Status   RequestStatus
	Server   string
	// Since keeps what was asked at that time or later.
	Since time.Time
	// Limit is the most requests wanted; 0 means all.
	Limit int
}

// Matches reports whether r is one of the wanted requests. Limit is for the caller to apply.
func (f RequestFilter) Matches(r Request) bool {
	switch {
	case f.Open && !r.Open():
		return false
	case f.Answered && r.Status == RequestWaiting:
		return false
	case f.Status != "" && f.Status != r.Status, r.CreatedAt.Before(f.Since):
		return false
	default:
		return f.Server == "" || f.Server == r.Server
	}
}

// Open reports whether r can still lead to a call: it waits, or it is an approval that was not used.
func (r Request) Open() bool {
	return r.Status == RequestWaiting || r.Status == RequestApproved && r.UsedAt == nil
}
