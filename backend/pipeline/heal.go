package pipeline

import (
	"context"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// Alternatives gives the FQNs of other tools that may do what a call was for, at most so many, and only such as its caller may
// call. elsewhere leaves out those of the same server.
type Alternatives func(ctx context.Context, call domain.Call, elsewhere bool, most int) []string

// Heal names other tools where one failed. The failure stays one, and nothing is called: an agent decides. It says nothing
// where a write may have been done, since another tool would do it twice, and nothing where a person or a rule said no. It
// belongs after the caches.
func Heal(find Alternatives, wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			want := wanted(call).AutoHeal
			result, err := next(ctx, call)
			switch {
			case want == nil || call.Kind != domain.ToolCall:
			case err == nil && result.Kind == domain.ResultComplete && result.IsError():
				result.Meta.Alternatives = find(ctx, call, false, want.MaxSuggestions)
			case isFailing(err) && (domain.Unsent(err) || call.Target.Effect == domain.Reads):
				if names := find(ctx, call, true, want.MaxSuggestions); len(names) > 0 {
					return refused(domain.AsError(err).With(domain.ArgAlternatives, strings.Join(names, " ")))
				}
			}
			return result, err
		}
	}
}
