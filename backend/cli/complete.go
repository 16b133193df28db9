package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/domain"
)

func newCompleteCmd(in *invocation) *cobra.Command {
	var filled []string
	cmd := &cobra.Command{
		Use:   "complete SERVER NAME ARGUMENT [START]",
		Short: "Show the values that a server proposes for an argument",
		Long: `Show the values that a server proposes for an argument of a prompt, or of a resource template: NAME is then its address
with the braces. START is what was typed so far.`,
		Example: `  apollia mcp complete acme-internal summarize topic sa
  apollia mcp complete acme-internal 'file:///{folder}/{name}' name --with folder=reports`,
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			others, err := filledIn(filled)
			if err != nil {
				return err
			}
			asked := domain.Completion{Argument: args[2], Value: given(args, 3), Given: others}
			if strings.Contains(args[1], "{") {
				asked.Template = args[1]
			} else {
				asked.Prompt = args[1]
			}
			return runComplete(cmd.Context(), in, args[0], asked)
		},
	}
	cmd.Flags().StringArrayVar(&filled, "with", nil, "another argument that is filled in already, as NAME=VALUE; may be repeated")
	return cmd
}

// filledIn reads the values of --with.
func filledIn(words []string) (map[string]string, error) {
	given := make(map[string]string, len(words))
	for _, word := range words {
		name, value, whole := strings.Cut(word, "=")
		if !whole || name == "" {
			return nil, invalidFlag("with", quoted(word)+" is no NAME=VALUE", "Write it as --with folder=reports.")
		}
		given[name] = value
	}
	return given, nil
}

func runComplete(ctx context.Context, in *invocation, server string, asked domain.Completion) error {
	return in.with(ctx, func(c *client) error {
		working := in.working("asking the server")
		found, err := post[domain.Completions](ctx, c, at("servers", server, "complete"), asked)
		working.end()
		if err != nil {
			return err
		}
		return in.show(found, func() { in.completions(found) })
	})
}

func (p *printer) completions(found domain.Completions) {
	for _, value := range found.Values {
		p.line("%s", printable(value))
	}
	switch {
	case len(found.Values) == 0:
		p.say("The server proposes nothing.")
	case found.Total != nil && *found.Total > len(found.Values):
		p.say("These are %d of %d: give more of the start.", len(found.Values), *found.Total)
	case found.More:
		p.say("There are more: give more of the start.")
	}
}
