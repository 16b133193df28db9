package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
)

// RequestList is what waits for a person and what was answered lately.
type RequestList struct {
	Requests []domain.Request `json:"requests"`
	Waiting  int              `json:"waiting"`
}

// AnswerRequest is a person's decision.
type AnswerRequest struct {
	Approve bool         `json:"approve"`
	Scope   domain.Scope `json:"scope,omitempty"`
	// Params replace what is asked for, when the person edited it: the params of a call, those of a request for a text, or
	// the result that a model gave.
	Params json.RawMessage `json:"params,omitempty"`
	// Data is the content for an elicitation.
	Data json.RawMessage `json:"data,omitempty"`
	// Cancel closes a question of a server without an answer, and cancels the call in which it asks.
	Cancel bool `json:"cancel,omitempty"`
	// Review has the text of the model shown before the server gets it.
	Review bool `json:"review,omitempty"`
	// Until ends an "always" early.
	Until *time.Time `json:"until,omitempty"`
}

// ApprovalList is the standing approvals.
type ApprovalList struct {
	Approvals []domain.Approval `json:"approvals"`
}

func (a *API) registerInbox() {
	route(a, http.MethodGet, "/api/inbox", "listRequests", "List what waits for a person", a.listRequests)
	route(a, http.MethodGet, "/api/inbox/{id}", "getRequest", "Show one request", a.getRequest)
	route(a, http.MethodPost, "/api/inbox/{id}/answer", "answerRequest", "Approve, deny or answer a request", a.answerRequest)
	route(a, http.MethodGet, "/api/inbox/{id}/definition", "getDefinitionChange", "Show what changed in the definition of a tool", a.getDefinitionChange)
	route(a, http.MethodPost, "/api/servers/{id}/tools/review", "reviewTool", "Ask again about a tool whose definition is held", a.reviewTool)
	route(a, http.MethodGet, "/api/approvals", "listApprovals", "List the standing approvals", a.listApprovals)
	route(a, http.MethodDelete, "/api/approvals/{id}", "revokeApproval", "Revoke a standing approval", a.revokeApproval)
}

func (a *API) listRequests(_ context.Context, in *struct {
	Status string `query:"status" enum:"waiting,answered," doc:"only those that wait, or only those that were answered"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
},
) (*body[RequestList], error) {
	waiting, err := a.Inbox.Waiting()
	if err != nil {
		return nil, err
	}
	list := RequestList{Requests: []domain.Request{}, Waiting: len(waiting)}
	if in.Status != "answered" {
		list.Requests = append(list.Requests, waiting...)
	}
	if in.Status != "waiting" {
		answered, err := a.Inbox.Answered(in.Limit)
		if err != nil {
			return nil, err
		}
		list.Requests = append(list.Requests, answered...)
	}
	return &body[RequestList]{list}, nil
}

func (a *API) getRequest(_ context.Context, in *ItemID) (*body[domain.Request], error) {
	r, err := a.Inbox.Get(in.ID)
	if err != nil {
		return nil, err
	}
	return &body[domain.Request]{r}, nil
}

func (a *API) answerRequest(ctx context.Context, in *struct {
	ItemID
	Body AnswerRequest
},
) (*body[domain.Request], error) {
	if in.Body.Approve || len(in.Body.Data) > 0 {
		if err := a.mayWiden(ctx); err != nil {
			return nil, err
		}
	}
	r, err := a.Answer(in.ID, domain.Answer{
		Approve: in.Body.Approve, Scope: in.Body.Scope, Params: in.Body.Params, Data: in.Body.Data, Cancel: in.Body.Cancel,
		Review: in.Body.Review, Until: in.Body.Until, By: principalOf(ctx).Caller, At: a.Now(),
	})
	if err != nil {
		return nil, err
	}
	return &body[domain.Request]{r}, nil
}

func (a *API) listApprovals(context.Context, *struct{}) (*body[ApprovalList], error) {
	approvals, err := a.Governance.Approvals()
	if err != nil {
		return nil, err
	}
	return &body[ApprovalList]{ApprovalList{Approvals: notNil(approvals)}}, nil
}

func (a *API) revokeApproval(ctx context.Context, in *ItemID) (*done, error) {
	approvals, err := a.Governance.Approvals()
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(approvals, func(approval domain.Approval) bool { return approval.ID == in.ID }); at >= 0 {
		a.note(ctx, audit.OfApproval(approvals[at], principalOf(ctx).Caller, audit.DidRevoke)) // it narrows
	}
	if err := a.Governance.DeleteApproval(in.ID); err != nil {
		return nil, err
	}
	a.Hub.Publish(domain.Event{Topic: domain.TopicApprovals, ID: in.ID})
	return &done{}, nil
}

// notNil makes an empty list of none, since a list of the API is never null.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
