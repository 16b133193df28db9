package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/doctor"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/secrets"
)

// Instance is the process that owns the data folder.
type Instance struct {
	PID int `json:"pid"`
	// URL is the base address, without a secret; empty when nothing listens.
	URL    string `json:"url,omitempty"`
	MCPURL string `json:"mcp_url,omitempty"`
	// Problem says why nothing listens, such as a port that is busy.
	Problem *domain.Error `json:"problem,omitempty"`
	// Owner is "window", "serve" or "command".
	Owner string `json:"owner" enum:"window,serve,command"`
}

// Counts says how many servers are ready out of those that are switched on.
type Counts struct {
	Ready int `json:"ready"`
	Total int `json:"total"`
}

// Status is who owns the data folder, what is ready and what waits.
type Status struct {
	Running bool `json:"running"`
	Instance
	Version    string        `json:"version"`
	DataFolder string        `json:"data_folder"`
	Servers    Counts        `json:"servers"`
	Inbox      int           `json:"inbox"`
	CallsToday int           `json:"calls_today"`
	Secrets    secrets.Place `json:"secrets"`
	// CallsStopped is there while all calls are stopped.
	CallsStopped *Halted `json:"calls_stopped,omitempty"`
	// Problems are things of the whole program that a person should know: a broken config.toml, a database set aside.
	Problems []*domain.Error `json:"problems"`
}

// DoctorReport says what the machine has and what is missing.
type DoctorReport struct {
	Findings []doctor.Finding `json:"findings"`
}

// SignInLink is a one-time link for a browser.
type SignInLink struct {
	URL string `json:"url"`
}

func (a *API) registerStatus() {
	route(a, http.MethodGet, "/api/status", "getStatus", "Say who runs, what is ready and what waits", a.status)
	route(a, http.MethodGet, "/api/doctor", "doctor", "Check the machine", a.doctor)
	route(a, http.MethodPost, "/api/stop", "stop", "End the owner of the data folder", a.stop)
	route(a, http.MethodPost, "/api/sign-in-links", "createSignInLink", "Make a one-time link for a browser", a.signInLink)
}

func (a *API) status(ctx context.Context, _ *struct{}) (*body[Status], error) {
	views, err := a.Servers.List()
	if err != nil {
		return nil, err
	}
	waiting, err := a.Inbox.Waiting()
	if err != nil {
		return nil, err
	}
	today, err := a.Audit.Totals(a.midnight())
	if err != nil {
		return nil, err
	}
	status := Status{
		CallsToday: today.Calls,
		Running:    true, Instance: a.Instance(), Version: a.Version, DataFolder: a.DataFolder, Inbox: len(waiting),
		Secrets: a.Secrets(ctx), Problems: notNil(a.Problems()), CallsStopped: a.halted(),
	}
	for _, view := range views {
		if !view.Enabled {
			continue
		}
		status.Servers.Total++
		if view.State == domain.StateReady || view.State == domain.StateDegraded {
			status.Servers.Ready++
		}
	}
	return &body[Status]{status}, nil
}

func (a *API) doctor(ctx context.Context, _ *struct{}) (*body[DoctorReport], error) {
	return &body[DoctorReport]{DoctorReport{Findings: notNil(a.Doctor(ctx))}}, nil
}

func (a *API) stop(context.Context, *struct{}) (*done, error) {
	a.Stop()
	return &done{}, nil
}

func (a *API) signInLink(context.Context, *struct{}) (*body[SignInLink], error) {
	link, err := a.SignInLink()
	if err != nil {
		return nil, err
	}
	return &body[SignInLink]{SignInLink{URL: link}}, nil
}
