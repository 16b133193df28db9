package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

type healthList struct {
	Servers []api.Health `json:"servers"`
	// Error is the first failure; nil when every server answered.
	Error *domain.Error `json:"error,omitempty"`
}

func newHealthCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:               "health [SERVER]",
		Short:             "Ping a server, or every server that is switched on",
		Example:           "  apollia mcp health\n  apollia mcp health acme-internal",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runHealth(cmd.Context(), in, given(args, 0)) },
	}
}

func runHealth(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		ids, err := toPing(ctx, c, server)
		if err != nil {
			return err
		}
		answer := healthList{Servers: []api.Health{}}
		for _, id := range ids {
			working := in.working("pinging " + id)
			health, err := post[api.Health](ctx, c, at("servers", id, "health"), nil)
			working.end()
			if err != nil {
				return err
			}
			answer.Servers = append(answer.Servers, health)
			if answer.Error == nil {
				answer.Error = health.Error
			}
		}
		if err := in.show(answer, func() { in.health(answer.Servers) }); err != nil || answer.Error == nil {
			return err
		}
		return &toldError{exitOf(answer.Error)}
	})
}

// toPing is the one server that was named, or all that are switched on.
func toPing(ctx context.Context, c *client, server string) ([]string, error) {
	if server != "" {
		return []string{server}, nil
	}
	list, err := get[api.ServerList](ctx, c, "/api/servers")
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, view := range list.Servers {
		if view.Enabled {
			ids = append(ids, view.ID)
		}
	}
	return ids, nil
}

func (p *printer) health(answers []api.Health) {
	rows := make([][]string, 0, len(answers))
	for _, h := range answers {
		row := []string{h.Server, "ok", strconv.FormatInt(h.MS, 10) + " ms", ""}
		if h.Error != nil {
			row[1], row[3] = "failed", h.Error.Message
			if h.Error.Hint != "" {
				row[3] += " (" + h.Error.Hint + ")"
			}
		}
		rows = append(rows, row)
	}
	p.list("No server is switched on.", []string{"SERVER", "HEALTH", "TIME", "REASON"}, rows)
}
