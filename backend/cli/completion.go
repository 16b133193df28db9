package cli

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
)

// completionLife bounds what a shell waits for after the Tab key.
const completionLife = time.Second

func newCompletionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script for bash, zsh, fish or powershell",
		Example: `  source <(apollia completion bash)
  apollia completion zsh > "${fpath[1]}/_apollia"
  apollia completion fish > ~/.config/fish/completions/apollia.fish
  apollia completion powershell | Out-String | Invoke-Expression`,
		Args:      asUsed,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			default:
				return wrongUsage("there is no completion for "+args[0], "It is there for bash, zsh, fish and powershell.")
			}
		},
	}
}

// completeServer offers the ids of the servers for the first word of a command.
func (in *invocation) completeServer(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return complete(cmd, in, func(ctx context.Context, c *client) ([]string, error) {
		list, err := get[api.ServerList](ctx, c, "/api/servers")
		ids := make([]string, 0, len(list.Servers))
		for _, server := range list.Servers {
			ids = append(ids, server.ID+"\t"+oneLine(server.Name))
		}
		return ids, err
	})
}

// completeTool offers servers for the first word, then the tools of that server as they were last listed.
func (in *invocation) completeTool(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return in.completeServer(cmd, args, word)
	}
	return complete(cmd, in, func(ctx context.Context, c *client) ([]string, error) {
		list, err := get[api.ToolList](ctx, c, "/api/tools")
		names := []string{}
		for _, tool := range list.Tools {
			if tool.Server == args[0] {
				names = append(names, tool.Name+"\t"+firstLine(tool.Description))
			}
		}
		return names, err
	})
}

// completeRequest offers what waits in the inbox.
func (in *invocation) completeRequest(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return complete(cmd, in, func(ctx context.Context, c *client) ([]string, error) {
		list, err := get[api.RequestList](ctx, c, "/api/inbox", "status", "waiting")
		ids := make([]string, 0, len(list.Requests))
		for _, request := range list.Requests {
			ids = append(ids, request.ID+"\t"+oneLine(request.Server+" "+request.Tool))
		}
		return ids, err
	})
}

func complete(
	cmd *cobra.Command, in *invocation, list func(context.Context, *client) ([]string, error),
) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionLife)
	defer cancel()
	var words []string
	err := in.with(ctx, func(c *client) (err error) {
		words, err = list(ctx, c)
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError | cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Clip(words), cobra.ShellCompDirectiveNoFileComp
}
