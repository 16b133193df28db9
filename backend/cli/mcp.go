package cli

import "github.com/spf13/cobra"

func newMCPCmd(in *invocation) *cobra.Command {
	return newGroup(&cobra.Command{
		Use:   "mcp",
		Short: "Add, look at and use MCP servers",
		Example: `  apollia mcp add-server --name acme --transport http --url https://mcp.acme.example/mcp --header "Authorization=Bearer …"
  apollia mcp list
  apollia mcp test acme`,
	},
		newAddServerCmd(in), newListCmd(in), newInfoCmd(in), newTestCmd(in), newConfigCmd(in), newRootsCmd(in), newRemoveCmd(in), newRestoreCmd(in),
		newAuthCmd(in), newLogoutCmd(in),
		newToolsCmd(in), newReviewCmd(in), newResourcesCmd(in), newPromptsCmd(in), newSkillsCmd(in),
		newCallCmd(in), newReadCmd(in), newPromptCmd(in), newCompleteCmd(in),
		newConnectCmd(in), newDisconnectCmd(in), newReconnectCmd(in), newEnableCmd(in), newDisableCmd(in),
		newDiscoverCmd(in), newAnnounceCmd(in), newMoveCmd(in),
		newHealthCmd(in), newPoolCmd(in), newCacheCmd(in), newTasksCmd(in), newTaskCmd(in), newLogsCmd(in), newTraceCmd(in),
	)
}
