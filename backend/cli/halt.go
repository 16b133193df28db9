package cli

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
)

func newStopCallsCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "stop-calls",
		Short: "End all running calls at once, and hold new ones",
		Long: `End all running calls at once, and hold new ones until apollia resume-calls.

Servers stay connected. It holds over restarts. Calls that come meanwhile wait as long as they would for an approval.`,
		Example: "  apollia stop-calls",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStopCalls(cmd.Context(), in) },
	}
}

func newResumeCallsCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:     "resume-calls",
		Short:   "Let calls go on after apollia stop-calls",
		Example: "  apollia resume-calls",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return in.with(cmd.Context(), func(c *client) error {
				if _, err := post[struct{}](cmd.Context(), c, "/api/resume-calls", nil); err != nil {
					return err
				}
				return in.show(map[string]bool{"resumed": true}, func() { in.line("calls go on") })
			})
		},
	}
}

func runStopCalls(ctx context.Context, in *invocation) error {
	return in.with(ctx, func(c *client) error {
		halted, err := post[api.Halted](ctx, c, "/api/stop-calls", nil)
		if err != nil {
			return err
		}
		return in.show(halted, func() { in.line("%s", haltText(halted)) })
	})
}

// haltText says that calls are stopped, and how to let them go on.
func haltText(h api.Halted) string {
	return "all calls are stopped since " + h.At.Local().Format(time.DateTime) + ", " + strconv.Itoa(h.Canceled) +
		" were ended; go on with: apollia resume-calls"
}
