package pipeline

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestAFailureNamesOtherTools(t *testing.T) {
	failed := `{"content":[],"isError":true}`
	for name, c := range map[string]struct {
		end       counter
		effect    domain.Effect
		elsewhere bool
		named     bool
	}{
		"the tool fails":                   {counter{result: failed}, domain.Writes, false, true},
		"it works":                         {counter{}, domain.Writes, false, false},
		"a read is lost":                   {counter{err: &domain.Error{Code: domain.CodeConnClosed}}, domain.Reads, true, true},
		"a write was never sent":           {counter{err: &domain.Error{Code: domain.CodeConnRefused}}, domain.Writes, true, true},
		"a write may have been done":       {counter{err: &domain.Error{Code: domain.CodeOutcomeUnknown}}, domain.Writes, true, false},
		"a write may go on":                {counter{err: &domain.Error{Code: domain.CodeCallTimeout}}, domain.Writes, true, false},
		"a person said no":                 {counter{err: &domain.Error{Code: domain.CodeApprovalDenied}}, domain.Reads, true, false},
		"the arguments do not fit":         {counter{err: &domain.Error{Code: domain.CodeInvalidArguments}}, domain.Reads, true, false},
		"it was canceled":                  {counter{err: context.Canceled}, domain.Reads, true, false},
		"the budget of the app is used up": {counter{err: &domain.Error{Code: domain.CodeBudgetSpent, Cause: domain.ErrUnsent}}, domain.Reads, true, false},
	} {
		find := func(_ context.Context, call domain.Call, elsewhere bool, most int) []string {
			if call.Name != "echo" || elsewhere != c.elsewhere {
				t.Errorf("%s: asked for %s, elsewhere %t", name, call.Name, elsewhere)
			}
			return []string{"mcp_a.x", "mcp_b.y", "mcp_c.z"}[:most]
		}
		road := Build(c.end.call, Heal(find, wants(domain.Middleware{AutoHeal: &domain.AutoHeal{MaxSuggestions: 2}})))
		result, err := road(t.Context(), resolved(c.effect))
		if domain.CodeOf(err) != domain.CodeOf(c.end.err) || c.end.calls != 1 {
			t.Errorf("%s: %v after %d calls", name, err, c.end.calls)
		}
		got := result.Meta.Alternatives
		if err != nil {
			got = nil
			if said := domain.AsError(err).Args[domain.ArgAlternatives]; said != "" {
				got = []string{said}
			}
		}
		var want []string
		switch {
		case c.named && err != nil:
			want = []string{"mcp_a.x mcp_b.y"}
		case c.named:
			want = []string{"mcp_a.x", "mcp_b.y"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: named %v, want %v", name, got, want)
		}
	}
}

// What nothing can stand in for fails as it did.
func TestAFailureWithoutAlternativesStaysAsItIs(t *testing.T) {
	end := counter{err: fmt.Errorf("on the way: %w", &domain.Error{Code: domain.CodeConnClosed})}
	none := func(context.Context, domain.Call, bool, int) []string { return nil }
	road := Build(end.call, Heal(none, wants(domain.Middleware{AutoHeal: &domain.AutoHeal{MaxSuggestions: 2}})))
	if _, err := road(t.Context(), resolved(domain.Reads)); err != end.err { //nolint:errorlint // the very same
		t.Errorf("%v", err)
	}
}
