package cli

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// atFound completes a definition by where a server of the local network is reached. The server is named as it is listed, by
// its instance or by its id.
func atFound(ctx context.Context, c *client, named string, given domain.Definition) (domain.Definition, error) {
	view, err := lookAround(ctx, c)
	if err != nil {
		return given, err
	}
	fit := fitting(view.Servers, named)
	switch {
	case len(fit) == 0:
		return given, &domain.Error{
			Code: domain.CodeUnknownItem, Message: "no server of the local network is called " + quoted(named),
			Hint: "See what is there with: apollia mcp discover", Args: map[string]string{"reason": "network_gone", "id": named},
		}
	case len(fit) > 1:
		var ids []string
		for _, found := range fit {
			ids = append(ids, found.ID+" at "+found.Host)
		}
		return given, invalidFlag("found", "several servers of the local network are called "+quoted(named), "Name one by its id: "+strings.Join(ids, ", ")+".")
	}
	draft, err := post[api.FoundDraft](ctx, c, at("network", "found", fit[0].ID, "draft"), nil)
	if err != nil {
		return given, err
	}
	d := draft.Definition
	given.Name = cmp.Or(given.Name, d.Name)
	given.Transport, given.URL, given.Instance = d.Transport, d.URL, d.Instance
	return given, nil
}

// fitting are the servers that a name may mean. An id means its own server, whatever a stranger calls another.
func fitting(all []domain.NetworkServer, named string) []domain.NetworkServer {
	var fit []domain.NetworkServer
	for _, found := range all {
		switch named {
		case found.ID:
			return []domain.NetworkServer{found}
		case found.Instance, found.Name:
			fit = append(fit, found)
		}
	}
	return fit
}

func newMoveCmd(in *invocation) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "move SERVER",
		Short: "Reach a server of the local network at the address that it announces now",
		Long: `Reach a server of the local network at the address that it announces now. Until then it is reached where it was.

Its headers and its sign-in go to the new address too, and a name on the network is not proof of who has it: make sure
that it is the same server. Only a person at an interactive terminal may say so, unless config.toml says otherwise.`,
		Example:           "  apollia mcp move team-notes",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runMove(cmd.Context(), in, args[0], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func runMove(ctx context.Context, in *invocation, server string, yes bool) error {
	return in.with(ctx, func(c *client) error {
		if _, err := lookAround(ctx, c); err != nil {
			return err
		}
		view, err := get[servers.View](ctx, c, at("servers", server))
		if err != nil {
			return err
		}
		if view.Moved == nil {
			return in.show(rowOf(view), func() { in.line("%s is announced at no other address", printable(view.Name)) })
		}
		if in.Terminal && !yes {
			in.say("until now  %s", printable(view.Moved.From))
			in.say("announced  %s", printable(view.Moved.To))
			if err := in.confirm(ctx, "Send its calls, its headers and its sign-in there?"); err != nil {
				return err
			}
		}
		view, err = send[servers.View](ctx, c, http.MethodPost, at("servers", server, "move"), api.MoveChange{To: view.Moved.To})
		if err != nil {
			return err
		}
		return in.show(rowOf(view), func() { in.line("%s is reached at %s", printable(view.Name), printable(view.URL)) })
	})
}
