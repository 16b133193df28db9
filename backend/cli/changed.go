package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/servers"
)

// shownRequest is a request, with what changed where it is about the definition of a tool.
type shownRequest struct {
	domain.Request
	Definition *servers.DefinitionChange `json:"definition,omitempty"`
}

func newReviewCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "review SERVER TOOL",
		Short: "See what changed in a tool that is held, and ask about it again",
		Long: `See what changed in the definition of a tool since a person accepted it. Until a person accepts it, the tool cannot be
called. The question waits in the inbox: answer it with apollia inbox approve or apollia inbox deny.`,
		Example:           "  apollia mcp review acme-internal export_client",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return in.with(cmd.Context(), func(c *client) error {
				r, err := post[domain.Request](cmd.Context(), c, at("servers", args[0], "tools", "review"), api.ToolName{Tool: args[1]})
				if err != nil {
					return err
				}
				return in.showRequest(cmd.Context(), c, r.ID)
			})
		},
	}
}

// showRequest prints one request as a person needs it to judge.
func (in *invocation) showRequest(ctx context.Context, c *client, id string) error {
	request, err := get[domain.Request](ctx, c, at("inbox", id))
	if err != nil {
		return err
	}
	shown := shownRequest{Request: request}
	if pins.Concerns(request) {
		change, err := get[servers.DefinitionChange](ctx, c, at("inbox", id, "definition"))
		if err != nil {
			return err
		}
		shown.Definition = &change
	}
	// A server that was removed in the meantime has nothing to add.
	view, _ := get[servers.View](ctx, c, at("servers", request.Server))
	return in.show(shown, func() {
		if shown.Definition != nil {
			in.line("%s", changeText(request, *shown.Definition, view))
		} else {
			in.line("%s", requestText(request, view))
		}
		in.line("  status      %s", request.Status)
		in.line("  since       %s", moment(request.CreatedAt))
		if why := request.Failure; why != nil && request.Kind != domain.SamplingRequest { // a text says so where it would stand
			in.line("  not asked   %s: %s", why.Code, oneLine(why.Message))
		}
	})
}

// changeText lays a changed definition out: what to look at first, then each part line by line.
func changeText(r domain.Request, change servers.DefinitionChange, server servers.View) string {
	what := " is no longer the tool that was accepted"
	if change.New {
		what = " is a tool that nobody has accepted yet"
	}
	lines := []string{"Request " + r.ID + ": " + oneLine(r.Tool) + " of " + oneLine(nameOf(r, server)) + what}
	if change.Before != "" && change.After != "" && change.Before != change.After {
		lines = append(lines, "  version     "+oneLine(change.Before)+", then "+oneLine(change.After))
	}
	for _, f := range change.Findings {
		lines = append(lines, "  look at     "+oneLine(findingWords(f.Code)+" in "+f.Field+": "+f.Text))
	}
	for _, c := range change.Changes {
		lines = append(lines, fmt.Sprintf("  %s, %d removed, %d added", strings.ReplaceAll(c.Field, "_", " "), c.Removed, c.Added))
		for _, line := range c.Lines {
			lines = append(lines, "    "+lineText(line))
		}
		if c.Cut {
			lines = append(lines, "    … it goes on")
		}
	}
	if change.Cut {
		lines = append(lines, "  It is too long to be shown whole.")
	}
	for _, caller := range change.Ended {
		lines = append(lines, "  ended       the standing approval of "+callerName(caller))
	}
	return strings.Join(append(lines, "  if approved this is what later definitions are compared with; an approval that ended does not come back"), "\n")
}

// lineText is one line of a change, with what is not seen in brackets.
func lineText(line pins.Line) string {
	if line.Kind == pins.Skipped {
		return "  … " + strconv.Itoa(line.Count) + " lines that are the same"
	}
	var text strings.Builder
	text.WriteString(map[pins.LineKind]string{pins.Added: "+ ", pins.Removed: "- "}[line.Kind])
	if line.Kind == pins.Same {
		text.WriteString("  ")
	}
	for _, p := range line.Pieces {
		if p.Hidden {
			text.WriteString("[" + p.Text + "]")
			continue
		}
		text.WriteString(printable(p.Text))
	}
	return text.String()
}
