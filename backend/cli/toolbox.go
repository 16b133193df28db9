package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/toolbox"
)

func newToolboxCmd(in *invocation) *cobra.Command {
	return newGroup(&cobra.Command{
		Use:   "tools",
		Short: "See what an agent sees: find tools by what they do",
		Long: `See what an agent sees. A tool that the rules deny, or that waits for you to accept what it says of itself, is not there.

The tools of one server with their rules are in: apollia mcp tools SERVER`,
		Example: "  apollia tools search \"send a message\"\n  apollia tools categories\n  apollia tools browse mcp_slack",
	}, newToolSearchCmd(in), newCategoriesCmd(in), newBrowseCmd(in))
}

func newToolSearchCmd(in *invocation) *cobra.Command {
	var limit int
	var as string
	cmd := &cobra.Command{
		Use:     "search QUESTION",
		Short:   "Find tools by what they do, in your own words, in English or French",
		Example: "  apollia tools search \"send a message\"\n  apollia tools search envoyer un courriel --limit 3",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case strings.TrimSpace(strings.Join(args, " ")) == "":
				return wrongUsage("QUESTION is missing", "For example: apollia tools search \"send a message\"")
			case limit < 1 || limit > 50:
				return wrongUsage("--limit is not between 1 and 50", "Leave it out for 8 tools.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return in.with(cmd.Context(), func(c *client) error {
				hits, err := get[api.ToolHits](cmd.Context(), c, "/api/toolbox/search",
					"query", strings.Join(args, " "), "limit", strconv.Itoa(limit), "as", as)
				if err != nil {
					return err
				}
				return in.show(hits, func() { in.toolHits(hits.Results) })
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 8, "how many tools, at most 50")
	seenAs(cmd, &as)
	return cmd
}

func (p *printer) toolHits(hits []api.ToolHit) {
	rows := make([][]string, len(hits))
	for i, h := range hits {
		rows[i] = []string{strconv.FormatFloat(h.Score, 'f', 2, 64), h.FQN, reasonsOf(h), firstLine(h.Description)}
	}
	p.list("No tool fits. Say it in other words, or look around with: apollia tools categories", []string{"SCORE", "TOOL", "WHY", "DESCRIPTION"}, rows)
}

// reasonsOf says in short which words met which.
func reasonsOf(h api.ToolHit) string {
	var met []string
	for _, r := range h.Reasons {
		if r.Asked != "" {
			met = append(met, r.Asked+" ("+string(r.Way)+")")
		}
	}
	return strings.Join(met, ", ")
}

func newCategoriesCmd(in *invocation) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:     "categories",
		Short:   "List the categories of tools that an agent sees: one for each server",
		Example: "  apollia tools categories",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return in.with(cmd.Context(), func(c *client) error {
				list, err := get[toolbox.Overview](cmd.Context(), c, "/api/toolbox", "as", as)
				if err != nil {
					return err
				}
				rows := make([][]string, len(list.Categories))
				for i, category := range list.Categories {
					rows[i] = []string{category.Name, strconv.Itoa(category.Tools)}
				}
				return in.show(list, func() { in.list("There are no tools.", []string{"CATEGORY", "TOOLS"}, rows) })
			})
		},
	}
	seenAs(cmd, &as)
	return cmd
}

// seenAs lets a person see what another caller sees.
func seenAs(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "as", "", "see what another caller sees: window, cli or the name of a client")
}

func newBrowseCmd(in *invocation) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:     "browse CATEGORY",
		Short:   "List the tools of one category, as an agent sees them",
		Example: "  apollia tools browse mcp_slack",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, args []string) error {
			return in.with(cmd.Context(), func(c *client) error {
				list, err := get[api.SeenTools](cmd.Context(), c, at("toolbox", "categories", args[0]), "as", as)
				if err != nil {
					return err
				}
				rows := make([][]string, len(list.Tools))
				for i, tool := range list.Tools {
					rows[i] = []string{tool.FQN, firstLine(tool.Description)}
				}
				return in.show(list, func() { in.list("There are no tools.", []string{"TOOL", "DESCRIPTION"}, rows) })
			})
		},
	}
	seenAs(cmd, &as)
	return cmd
}
