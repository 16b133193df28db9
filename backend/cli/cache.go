package cli

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
)

func newCacheCmd(in *invocation) *cobra.Command {
	return newGroup(&cobra.Command{
		Use:     "cache",
		Short:   "Look after the answers of servers that are kept",
		Example: "  apollia mcp cache clear acme",
	}, newCacheClearCmd(in))
}

func newCacheClearCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "clear [SERVER]",
		Short: "Throw away the answers that are kept, of one server or of all",
		Long: `Throw away the answers that are kept, of one server or of all.

Only the tools that cacheable_tools of a server names are kept; apollia mcp pool says how many answers there are.`,
		Example:           "  apollia mcp cache clear\n  apollia mcp cache clear acme",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runCacheClear(cmd.Context(), in, given(args, 0)) },
	}
}

func runCacheClear(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		path := at("cache")
		if server != "" {
			path = at("cache", server)
		}
		emptied, err := send[api.CacheEmptied](ctx, c, http.MethodDelete, path, nil)
		if err != nil {
			return err
		}
		return in.show(emptied, func() { in.line("%d answers thrown away", emptied.Removed) })
	})
}
