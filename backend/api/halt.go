package api

import (
	"context"
	"net/http"
	"strconv"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
)

// Halted says that all calls are stopped.
type Halted struct {
	domain.Halt
	// Held counts the calls that came since and wait.
	Held int `json:"held"`
}

func (a *API) registerHalt() {
	route(a, http.MethodPost, "/api/stop-calls", "stopCalls", "End all running calls, and hold new ones", a.stopCalls)
	route(a, http.MethodPost, "/api/resume-calls", "resumeCalls", "Let calls go on", a.resumeCalls)
}

// stopCalls narrows: anybody may.
func (a *API) stopCalls(ctx context.Context, _ *struct{}) (*body[Halted], error) {
	halt, err := a.StopCalls(principalOf(ctx).Caller)
	// After it was done: nothing may hold it up, and only now is it known how many calls it ended.
	a.note(ctx, audit.Entry{Kind: audit.KindRule, Outcome: audit.DidStop, Detail: strconv.Itoa(halt.Canceled)})
	if err != nil {
		return nil, err
	}
	return &body[Halted]{*a.halted()}, nil
}

func (a *API) resumeCalls(ctx context.Context, _ *struct{}) (*done, error) {
	if err := a.mayWiden(ctx); err != nil {
		return nil, err
	}
	if a.halted() == nil {
		return &done{}, nil
	}
	if err := a.before(ctx, audit.Entry{Kind: audit.KindRule, Outcome: audit.DidResume}); err != nil {
		return nil, err
	}
	if err := a.ResumeCalls(); err != nil {
		return nil, err
	}
	return &done{}, nil
}

// halted is the halt that holds, nil when calls go on.
func (a *API) halted() *Halted {
	halt, held := a.Halt()
	if halt == nil {
		return nil
	}
	return &Halted{*halt, held}
}
