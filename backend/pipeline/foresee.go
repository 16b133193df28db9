package pipeline

import (
	"context"

	"apollia.fr/connexions/backend/domain"
)

// Foresee refuses what would be refused later anyway, so that nobody is asked about it. It belongs between Resolve and
// Authorize.
func Foresee(checks ...func(domain.Call) error) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			for _, check := range checks {
				if err := check(call); err != nil {
					return refused(err)
				}
			}
			return next(ctx, call)
		}
	}
}
