package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"apollia.fr/connexions/backend/domain"
)

// Recover turns a panic of the stages after it into an error with CodeInternal, so that one broken call ends no other.
// The panic is logged here, with its stack, since nobody further up will see it.
func Recover(logger *slog.Logger) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (result domain.Result, err error) {
			defer func() {
				cause := recover()
				if cause == nil {
					return
				}
				logger.Error("call panicked", "call", call.ID, "server", call.Server, "kind", call.Kind,
					"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
				result, err = refused(&domain.Error{
					Code:    domain.CodeInternal,
					Message: "the call failed by a fault of Apollia Connexions itself",
					Hint:    "The log holds the details; please report them.",
				})
			}()
			return next(ctx, call)
		}
	}
}
