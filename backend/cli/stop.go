package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

// stopPatience is how long an owner gets to end its servers in good order.
const stopPatience = 30 * time.Second

func newStopCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:     "stop",
		Short:   "End the running Apollia with its servers",
		Example: "  apollia stop",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStop(cmd.Context(), in) },
	}
}

func runStop(ctx context.Context, in *invocation) error {
	home, err := config.Home(in.Getenv)
	if err != nil {
		return err
	}
	c, err := await(ctx, patience, func() (*client, error) { return in.reach(ctx, home) })
	if errors.Is(err, owner.ErrNone) {
		return &domain.Error{
			Code: domain.CodeNotRunning, Message: "no Apollia is running", Hint: "Start it with: apollia serve",
		}
	}
	if err != nil {
		return err
	}
	_, err = post[struct{}](ctx, c, "/api/stop", nil)
	if err := errors.Join(err, c.Close()); err != nil {
		return err
	}
	working := in.working("ending the servers")
	err = awaitEnd(ctx, home)
	working.end()
	if err != nil {
		return err
	}
	return in.show(map[string]bool{"stopped": true}, func() { in.line("stopped") })
}

// awaitEnd waits until nobody owns the data folder any more.
func awaitEnd(ctx context.Context, home string) error {
	_, err := await(ctx, stopPatience, func() (*client, error) {
		_, err := owner.Find(home)
		if errors.Is(err, owner.ErrNone) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return nil, notYetError{&domain.Error{
			Code: domain.CodeFolderBusy, Message: "Apollia was asked to end but has not yet",
			Hint: "A server may be slow to end; see apollia status.",
		}}
	})
	return err
}
