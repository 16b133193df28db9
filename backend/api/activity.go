package api

import (
	"context"
	"net/http"
	"time"

	"apollia.fr/connexions/backend/audit"
)

// Activity is a stretch of the journal, newest first.
type Activity struct {
	Entries []audit.Entry `json:"entries"`
	Totals  audit.Totals  `json:"totals"`
	// Before is the sequence number to continue with; 0 at the end.
	Before uint64 `json:"before"`
}

type activityQuery struct {
	Kind    string    `query:"kind"`
	Server  string    `query:"server"`
	Caller  string    `query:"caller"`
	Verdict string    `query:"verdict"`
	Outcome string    `query:"outcome"`
	CallID  string    `query:"call_id"`
	Since   time.Time `query:"since"`
	Until   time.Time `query:"until"`
	Before  uint64    `query:"before"`
	Limit   int       `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

func (a *API) registerActivity() {
	route(a, http.MethodGet, "/api/activity", "listActivity", "Read the journal, newest first", a.activity)
	route(a, http.MethodGet, "/api/audit/verify", "verifyAudit", "Verify the chain of the journal", a.verifyAudit)
}

func (a *API) activity(_ context.Context, in *activityQuery) (*body[Activity], error) {
	entries, err := a.Audit.Read(audit.Query{
		Kind: audit.Kind(in.Kind), Server: in.Server, Caller: in.Caller, Verdict: in.Verdict, Outcome: in.Outcome, CallID: in.CallID,
		Since: in.Since, Until: in.Until, Before: in.Before, Limit: in.Limit,
	})
	if err != nil {
		return nil, err
	}
	totals, err := a.Audit.Totals(a.midnight())
	if err != nil {
		return nil, err
	}
	page := Activity{Entries: notNil(entries), Totals: totals}
	if len(entries) == in.Limit {
		page.Before = entries[len(entries)-1].Seq
	}
	return &body[Activity]{page}, nil
}

// midnight is when today began here.
func (a *API) midnight() time.Time {
	year, month, day := a.Now().Date()
	return time.Date(year, month, day, 0, 0, 0, 0, a.Now().Location())
}

func (a *API) verifyAudit(context.Context, *struct{}) (*body[audit.Report], error) {
	report, err := a.Audit.Verify()
	if err != nil {
		return nil, err
	}
	return &body[audit.Report]{report}, nil
}

// before journals what somebody is about to do. What cannot be written must not be done, unless it narrows: see note.
func (a *API) before(ctx context.Context, e audit.Entry) error {
	e.Caller = principalOf(ctx).Caller
	return a.Record(e)
}

// note journals what is done even if its line cannot be written: the failure is logged, and every call is refused as long as
// the journal takes no lines.
func (a *API) note(ctx context.Context, e audit.Entry) {
	if err := a.before(ctx, e); err != nil {
		a.Logger.Error("journal a change", "error", err)
	}
}
