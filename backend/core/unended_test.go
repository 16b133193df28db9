package core_test

import (
	"context"
	"net/http"
	"testing"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
)

func outcomesOf(t *testing.T, c *core.Core, call string) (outcomes []audit.Entry) {
	t.Helper()
	list := decode[struct{ Entries []audit.Entry }](t, ask(t, window(c), http.MethodGet, "/api/activity", nil))
	for _, e := range list.Entries {
		if e.CallID == call && e.Kind == audit.KindOutcome {
			outcomes = append(outcomes, e)
		}
	}
	return outcomes
}

func lines(t *testing.T, c *core.Core, entries ...audit.Entry) {
	t.Helper()
	for _, e := range entries {
		e.Caller = domain.Caller{Kind: domain.CallerCLI, Name: "cli", User: domain.LocalUser}
		e.Server, e.Name, e.ArgumentsDigest = "fk", "echo", "d"
		if err := c.Record(e); err != nil {
			t.Fatal(err)
		}
	}
}

// during opens a core for as long as fn runs.
func during(t *testing.T, o core.Options, fn func(*core.Core)) {
	t.Helper()
	c, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	fn(c)
	if err := c.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

func TestCallThatACrashCutOffGetsOneOutcome(t *testing.T) {
	for _, role := range []core.Role{core.Serve, core.Command} {
		t.Run(string(role), func(t *testing.T) {
			o := options(t, core.Serve)
			during(t, o, func(killed *core.Core) {
				lines(t, killed,
					audit.Entry{Kind: audit.KindIntent, CallID: "whole"}, audit.Entry{Kind: audit.KindIntent, CallID: "cut"},
					audit.Entry{Kind: audit.KindOutcome, CallID: "whole", Outcome: audit.OutcomeOK})
			})
			o.Role = role
			for range 2 {
				during(t, o, func(c *core.Core) {
					events, cancel := c.Subscribe()
					defer cancel()
					// A command ends them before the first call of its own.
					lines(t, c, audit.Entry{Kind: audit.KindIntent, CallID: "mine"})
					wait(t, events, func() bool { return len(outcomesOf(t, c, "cut")) > 0 })
					cut := outcomesOf(t, c, "cut")
					if len(cut) != 1 || cut[0].Outcome != audit.OutcomeUnknown || cut[0].ArgumentsDigest != "d" {
						t.Errorf("the call that was cut off has the outcomes %+v, want one, unknown", cut)
					}
					if got := outcomesOf(t, c, "whole"); len(got) != 1 {
						t.Errorf("the call that ended has the outcomes %+v, want its own", got)
					}
					lines(t, c, audit.Entry{Kind: audit.KindOutcome, CallID: "mine", Outcome: audit.OutcomeOK})
					verified(t, c)
				})
			}
		})
	}
}
