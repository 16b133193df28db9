package cli

import (
	"context"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

func newConnectCmd(in *invocation) *cobra.Command {
	return newTurnCmd(in, "connect", "Start the session of a server")
}

func newDisconnectCmd(in *invocation) *cobra.Command {
	return newTurnCmd(in, "disconnect", "End the session of a server until it is connected again")
}

func newReconnectCmd(in *invocation) *cobra.Command {
	return newTurnCmd(in, "reconnect", "End the session of a server and start a new one")
}

func newEnableCmd(in *invocation) *cobra.Command {
	return newTurnCmd(in, "enable", "Switch a server on")
}

func newDisableCmd(in *invocation) *cobra.Command {
	return newTurnCmd(in, "disable", "Switch a server off: no call reaches it any more")
}

// newTurnCmd makes a command that changes the state of one server.
func newTurnCmd(in *invocation, verb, short string) *cobra.Command {
	return &cobra.Command{
		Use:               verb + " SERVER",
		Short:             short,
		Example:           "  apollia mcp " + verb + " acme-internal",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runTurn(cmd.Context(), in, verb, args[0]) },
	}
}

func runTurn(ctx context.Context, in *invocation, verb, server string) error {
	return in.with(ctx, func(c *client) error {
		working := in.working(verb + " " + server)
		view, err := post[servers.View](ctx, c, at("servers", server, verb), nil)
		working.end()
		if err != nil {
			return err
		}
		if c.local && (stateOf(view) == domain.StateReady || stateOf(view) == domain.StateStarting) {
			in.note("no Apollia is running, so this session ends with this command; start one with: apollia serve")
		}
		return in.show(rowOf(view), func() { in.servers([]serverRow{rowOf(view)}) })
	})
}
