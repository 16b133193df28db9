package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"time"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/servers"
)

// CallStatus says where a call stands.
type CallStatus string

// A call runs, waits for a person, or is done: with a result or an error.
const (
	CallRunning CallStatus = "running"
	CallWaiting CallStatus = "waiting"
	CallDone    CallStatus = "done"
)

// CallRequest is one call through the whole pipeline.
type CallRequest struct {
	Server string          `json:"server" doc:"id or name of the server"`
	Kind   domain.CallKind `json:"kind"`
	Name   string          `json:"name" doc:"tool, resource URI or prompt"`
	// Arguments are those of a tool or a prompt.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// ApprovalWaitMS is how long the caller stays while a person decides, in milliseconds: 0 not at all, -1 until answered.
	ApprovalWaitMS int64 `json:"approval_wait_ms,omitempty"`
	// WaitMS is how long this request waits for the end before it answers, in milliseconds.
	WaitMS int64 `json:"wait_ms,omitempty" minimum:"0" maximum:"60000"`
	// OfferSignIn begins a sign-in when the call lacks a token, for a caller that can show its address to a person.
	OfferSignIn bool `json:"offer_sign_in,omitempty"`
}

// CallView is a call, finished or not.
type CallView struct {
	ID     string          `json:"id"`
	Status CallStatus      `json:"status"`
	Server string          `json:"server"`
	Kind   domain.CallKind `json:"kind"`
	Name   string          `json:"name"`
	// Arguments are those that were asked for. They stay in memory as long as the call does and go nowhere else, since
	// they may hold what the journal must not. Longer ones than maxArguments are left out.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Sent is false as long as the server provably did not get the call.
	Sent bool `json:"sent"`
	// RequestID is the inbox request that the call waits for, or that it was refused with.
	RequestID string          `json:"request_id,omitempty"`
	Notices   []domain.Notice `json:"notices"`
	Result    *domain.Result  `json:"result,omitempty"`
	// IsError says that the tool itself failed; Result then holds what it said.
	IsError bool          `json:"is_error"`
	Error   *domain.Error `json:"error,omitempty"`
	// RequiresOAuth is set when a sign-in was begun, see CallRequest.OfferSignIn.
	RequiresOAuth *RequiresOAuth `json:"requires_oauth,omitempty"`
	StartedAt     time.Time      `json:"started_at"`
	DurationMS    int64          `json:"duration_ms"`
}

func (a *API) registerCalls() {
	route(a, http.MethodPost, "/api/calls", "startCall", "Call a tool, read a resource or run a prompt", a.startCall)
	route(a, http.MethodGet, "/api/calls/{id}", "getCall", "Show a call, finished or running", a.getCall)
	route(a, http.MethodDelete, "/api/calls/{id}", "cancelCall", "Cancel a running call", a.cancelCall)
}

func (a *API) startCall(ctx context.Context, in *struct{ Body CallRequest }) (*body[CallView], error) {
	server := servers.View{Server: domain.Server{ID: in.Body.Server}}
	if _, native := naming.ParseNative(in.Body.Server); !native {
		var err error
		if server, err = a.Servers.Get(in.Body.Server); err != nil {
			return nil, err
		}
	}
	params, err := callParams(in.Body)
	if err != nil {
		return nil, err
	}
	call := domain.Call{
		Kind: in.Body.Kind, Server: server.ID, Name: in.Body.Name, Params: params,
		Caller: principalOf(ctx).Caller, Wait: milliseconds(in.Body.ApprovalWaitMS),
	}
	var offer signInOffer
	if in.Body.OfferSignIn {
		offer = a.offerFor(ctx, servers.LocalApp, server)
	}
	id, err := a.calls.start(call, in.Body.Arguments, offer)
	if code := domain.CodeOf(err); code.Class() == domain.Refused {
		a.note(ctx, audit.Entry{ // it comes to no intent, and is decided all the same
			Kind: audit.KindOutcome, CallID: rand.Text(), Server: call.Server, CallKind: call.Kind, Name: call.Name,
			ArgumentsDigest: call.ArgumentsDigest(), Outcome: audit.OutcomeRefused, Code: string(code), Unsent: true,
		})
	}
	if err != nil {
		return nil, err
	}
	return a.awaitCall(ctx, id, CallRunning, milliseconds(in.Body.WaitMS))
}

func (a *API) getCall(ctx context.Context, in *waitingFor) (*body[CallView], error) {
	return a.awaitCall(ctx, in.ID, "", milliseconds(in.WaitMS))
}

func (a *API) awaitCall(ctx context.Context, id string, was CallStatus, wait time.Duration) (*body[CallView], error) {
	view, err := a.calls.await(ctx, id, was, wait)
	if err != nil {
		return nil, err
	}
	return &body[CallView]{view}, nil
}

func (a *API) cancelCall(_ context.Context, in *ItemID) (*done, error) {
	return &done{}, a.calls.cancel(in.ID)
}

// callParams builds the params object of the MCP request.
func callParams(in CallRequest) (json.RawMessage, error) {
	if len(in.Arguments) > 0 {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(in.Arguments, &members); err != nil {
			return nil, &domain.Error{
				Code: domain.CodeInvalidArguments, Message: "the arguments are not a JSON object",
				Hint: `Give an object such as {"message": "hello"}.`, Cause: err,
			}
		}
	}
	params := map[string]any{"name": in.Name}
	if in.Kind == domain.ResourceRead {
		params = map[string]any{"uri": in.Name}
	} else if len(in.Arguments) > 0 {
		params["arguments"] = in.Arguments
	}
	return json.Marshal(params)
}

func milliseconds(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
