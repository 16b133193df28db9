package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/domain"
)

func newRootCmd(in *invocation) *cobra.Command {
	root := newGroup(&cobra.Command{
		Use:   "apollia",
		Short: "Connect MCP servers to agents, and stay in charge of what they may do",
		Long: `Apollia Connexions connects MCP servers to agents, and keeps a person in charge of what those servers may do.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 needs sign-in or a credential,
4 refused or waiting for approval, 5 server unreachable.`,
		Example: `  apollia serve
  apollia mcp add-server --name files --command npx --args "-y @modelcontextprotocol/server-filesystem /tmp"
  apollia mcp call files list_directory --args '{"path":"/tmp"}'`,
		Version: in.Version,
	},
		newServeCmd(in), newStatusCmd(in), newStopCmd(in), newDesktopCmd(in), newMCPCmd(in), newToolboxCmd(in), newOAuthCmd(in), newInboxCmd(in),
		newApprovalsCmd(in), newStopCallsCmd(in), newResumeCallsCmd(in), newPolicyCmd(in), newAuditCmd(in), newSettingsCmd(in),
		newDoctorCmd(in), newVersionCmd(in), newCompletionCmd(),
	)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetHelpCommand(newHelpCmd())
	root.SetHelpFunc(in.help(root.HelpFunc()))
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetVersionTemplate("apollia {{.Version}}\n")
	root.PersistentFlags().BoolVar(&in.json, "json", false, "print one JSON document on standard output")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return wrongUsage(err.Error(), "See: "+cmd.CommandPath()+" --help")
	})
	return root
}

// newGroup makes a command that only holds others. Alone it shows its help; with a word it does not know it fails.
func newGroup(group *cobra.Command, members ...*cobra.Command) *cobra.Command {
	group.SuggestionsMinimumDistance = 2
	group.Args = knownCommand
	group.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	group.AddCommand(members...)
	return group
}

// helpDocument describes a command, and those it holds.
type helpDocument struct {
	Command  string        `json:"command"`
	Short    string        `json:"short"`
	Usage    string        `json:"usage"`
	Commands []helpCommand `json:"commands"`
}

type helpCommand struct {
	Name  string `json:"name"`
	Short string `json:"short"`
}

// help shows the help of a command: as text, or what it holds under --json.
func (in *invocation) help(text func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		document := helpDocument{Command: cmd.CommandPath(), Short: cmd.Short, Usage: cmd.UseLine(), Commands: []helpCommand{}}
		for _, member := range cmd.Commands() {
			if member.IsAvailableCommand() {
				document.Commands = append(document.Commands, helpCommand{member.Name(), member.Short})
			}
		}
		_ = in.show(document, func() { text(cmd, args) }) // a reader that is gone needs no help
	}
}

// newHelpCmd is cobra's own, but it fails for a command that is not there, as that command itself does.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]...",
		Short:   "Help about any command",
		Example: "  apollia help mcp call",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || found == nil {
				return knownCommand(cmd.Root(), args)
			}
			if len(rest) > 0 {
				return knownCommand(found, rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "See: " + cmd.CommandPath() + " --help"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "Did you mean: " + cmd.CommandPath() + " " + strings.Join(near, ", ") + "?"
	}
	unknown := wrongUsage("there is no command "+cmd.CommandPath()+" "+args[0], hint)
	unknown.Args = map[string]string{"command": args[0]}
	return unknown
}

// asUsed checks the words after a command against those that its usage names. One in brackets may be left out; at most
// the last is. A VALUE may be empty: what that means is for whoever takes it.
func asUsed(cmd *cobra.Command, args []string) error {
	names := strings.Fields(cmd.Use)[1:]
	hint := "Usage: " + cmd.UseLine()
	if len(args) > len(names) {
		return wrongUsage("there is a word too many: "+args[len(names)], hint)
	}
	for i, name := range names {
		optional := strings.HasPrefix(name, "[")
		if i >= len(args) && !optional {
			return wrongUsage(name+" is missing", hint)
		}
		if i < len(args) && name != "VALUE" && strings.TrimSpace(args[i]) == "" {
			if optional {
				name = strings.Trim(name, "[]")
			}
			return wrongUsage(name+" is empty", hint)
		}
	}
	return nil
}

// given is the optional word at the end, or empty.
func given(args []string, at int) string {
	if at < len(args) {
		return args[at]
	}
	return ""
}

// invalidFlag is a flag whose value cannot be used.
func invalidFlag(flag, message, hint string) error {
	return &domain.Error{
		Code: domain.CodeInvalidInput, Message: "--" + flag + ": " + message, Hint: hint, Args: map[string]string{"flag": flag},
	}
}
