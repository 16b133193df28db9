package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// PastedText is what a person pasted into the wizard.
type PastedText struct {
	Text string `json:"text" maxLength:"1048576"`
}

// Draft is a definition that is not saved.
type Draft struct {
	Definition domain.Definition `json:"definition"`
	// ServerID is the server being edited; empty for a new one.
	ServerID string `json:"server_id,omitempty"`
}

// TestRequest asks for a live test of a draft, or of a saved server when Definition is absent.
type TestRequest struct {
	Definition *domain.Definition `json:"definition,omitempty"`
	// ServerID is the server that is tested, or that the draft is an edit of.
	ServerID string `json:"server_id,omitempty"`
	// From is the server that the draft is a copy of; the test may use its secrets.
	From string `json:"from,omitempty"`
}

func (a *API) registerDrafts() {
	route(a, http.MethodPost, "/api/drafts/parse", "parseDraft", "Read a pasted command line, address or snippet", a.parseDraft)
	route(a, http.MethodPost, "/api/drafts/check", "checkDraft", "Check the fields of a draft without starting anything", a.checkDraft)
	route(a, http.MethodPost, "/api/tests", "startTest", "Start a live test of a draft or a server", a.startTest)
	route(a, http.MethodGet, "/api/tests/{id}", "getTest", "Show a test, finished or running", a.getTest)
	route(a, http.MethodDelete, "/api/tests/{id}", "cancelTest", "Cancel a running test and end what it started", a.cancelTest)
}

func (a *API) parseDraft(_ context.Context, in *struct{ Body PastedText }) (*body[servers.Pasted], error) {
	pasted, err := servers.Paste(in.Body.Text)
	if err != nil {
		return nil, err
	}
	return &body[servers.Pasted]{pasted}, nil
}

func (a *API) checkDraft(_ context.Context, in *struct{ Body Draft }) (*body[servers.Check], error) {
	check, err := a.Servers.Check(in.Body.Definition, in.Body.ServerID)
	if err != nil {
		return nil, err
	}
	return &body[servers.Check]{check}, nil
}

func (a *API) startTest(_ context.Context, in *struct{ Body TestRequest }) (*body[domain.TestReport], error) {
	var report domain.TestReport
	var err error
	if in.Body.Definition == nil {
		report, err = a.Servers.TestServer(in.Body.ServerID)
	} else {
		report, err = a.Servers.TestDraft(*in.Body.Definition, in.Body.ServerID, in.Body.From)
	}
	if err != nil {
		return nil, err
	}
	return &body[domain.TestReport]{report}, nil
}

type waitingFor struct {
	ItemID
	WaitMS int64 `query:"wait_ms" minimum:"0" maximum:"60000" doc:"milliseconds to wait for the end before answering"`
}

func (a *API) getTest(ctx context.Context, in *waitingFor) (*body[domain.TestReport], error) {
	report, err := a.Servers.Test(ctx, in.ID, milliseconds(in.WaitMS))
	if err != nil {
		return nil, err
	}
	return &body[domain.TestReport]{report}, nil
}

func (a *API) cancelTest(_ context.Context, in *ItemID) (*done, error) {
	return &done{}, a.Servers.CancelTest(in.ID)
}
