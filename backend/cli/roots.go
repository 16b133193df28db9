package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/servers"
)

// rootsDocument is what a server may know of this computer.
type rootsDocument struct {
	Server string   `json:"server"`
	Roots  []string `json:"roots"`
}

func newRootsCmd(in *invocation) *cobra.Command {
	var change api.RootsChange
	cmd := &cobra.Command{
		Use:   "roots SERVER",
		Short: "Show or change the folders that a server is told of",
		Long: `Show or change the folders that a server is told of when it asks: none, unless they are named here.

A running server hears of a change and goes on; a folder that is taken away is told no more. The server is told, not
locked in. The data folder of Apollia, what holds it and what lies in it are refused. Only a person at an interactive
terminal may add a folder, unless config.toml says otherwise; anybody may take one away.`,
		Example:           "  apollia mcp roots acme-internal\n  apollia mcp roots acme-internal --add ~/Documents/acme --remove ~/Documents",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runRoots(cmd.Context(), in, args[0], change) },
	}
	cmd.Flags().StringArrayVar(&change.Add, "add", nil, "a folder that the server may know of; may be repeated")
	cmd.Flags().StringArrayVar(&change.Remove, "remove", nil, "a folder that it may not know of any more; may be repeated")
	return cmd
}

func runRoots(ctx context.Context, in *invocation, server string, change api.RootsChange) error {
	var err error
	if change.Add, err = fullPaths("add", change.Add); err != nil {
		return err
	}
	named := change.Remove
	if change.Remove, err = fullPaths("remove", named); err != nil {
		return err
	}
	return in.with(ctx, func(c *client) error {
		view, err := get[servers.View](ctx, c, at("servers", server))
		if err != nil {
			return err
		}
		if len(change.Add)+len(change.Remove) > 0 {
			// One that is kept with a variable is removed as it is written.
			change.Remove = append(change.Remove, named...)
			if view, err = post[servers.View](ctx, c, at("servers", view.ID, "roots"), change); err != nil {
				return err
			}
		}
		document := rootsDocument{view.ID, append([]string{}, view.Roots...)}
		return in.show(document, func() { in.roots(document) })
	})
}

// fullPaths are folders as they are known from anywhere.
func fullPaths(flag string, named []string) ([]string, error) {
	var full []string
	for _, folder := range named {
		if strings.TrimSpace(folder) == "" {
			return nil, invalidFlag(flag, "a folder without a name", "Name a folder.")
		}
		path, err := filepath.Abs(folder)
		if err != nil {
			return nil, invalidFlag(flag, err.Error(), "Give a full path.")
		}
		full = append(full, path)
	}
	return full, nil
}

func (p *printer) roots(d rootsDocument) {
	rows := make([][]string, 0, len(d.Roots))
	for _, root := range d.Roots {
		rows = append(rows, []string{root})
	}
	p.list("This server is told of no folder.", []string{"FOLDER"}, rows)
}
