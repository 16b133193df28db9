package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/servers"
)

func newRemoveCmd(in *invocation) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:               "remove SERVER",
		Short:             "Remove a server; it can be restored for a day",
		Example:           "  apollia mcp remove acme-internal --yes",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runRemove(cmd.Context(), in, args[0], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func runRemove(ctx context.Context, in *invocation, server string, yes bool) error {
	return in.with(ctx, func(c *client) error {
		view, err := get[servers.View](ctx, c, at("servers", server))
		if err != nil {
			return err
		}
		if in.Terminal && !yes {
			if err := in.confirm(ctx, "Remove "+view.Name+"?"); err != nil {
				return err
			}
		}
		if err := drop(ctx, c, at("servers", view.ID)); err != nil {
			return err
		}
		return in.show(map[string]string{"removed": view.ID}, func() {
			in.line("removed %s", printable(view.Name))
			in.say("For a day it can be brought back with: apollia mcp restore %s", view.ID)
		})
	})
}

// confirm asks a person at the terminal; anything but yes is no.
func (in *invocation) confirm(ctx context.Context, question string) error {
	answer, err := in.ask(ctx, question+" [y/N] ")
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "o", "oui":
		return nil
	default:
		return &domain.Error{Code: domain.CodeCanceled, Message: "nothing was changed"}
	}
}

func newRestoreCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:     "restore SERVER",
		Short:   "Bring a removed server back",
		Example: "  apollia mcp restore acme_internal",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, args []string) error { return runRestore(cmd.Context(), in, args[0]) },
	}
}

func runRestore(ctx context.Context, in *invocation, server string) error {
	id := server
	if !naming.ValidID(server) { // what was removed can no longer be found by its name
		var err error
		if id, err = naming.ServerID(server); err != nil {
			return err
		}
	}
	return in.with(ctx, func(c *client) error {
		view, err := post[servers.View](ctx, c, at("servers", id, "restore"), nil)
		if err != nil {
			return err
		}
		return in.show(rowOf(view), func() { in.line("restored %s", printable(view.Name)) })
	})
}
