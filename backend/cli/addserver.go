package cli

import (
	"context"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

type addServerOptions struct {
	flags        definitionFlags
	saveToConfig bool
	noTest       bool
}

// addedDocument is the server as it was saved, with the test it passed.
type addedDocument struct {
	Server serverRow     `json:"server"`
	Test   *testDocument `json:"test,omitempty"`
}

func newAddServerCmd(in *invocation) *cobra.Command {
	var o addServerOptions
	cmd := &cobra.Command{
		Use:   "add-server",
		Short: "Add an MCP server of your own, after testing it",
		Long: `Add an MCP server of your own, after testing it. Nothing is saved when the test fails, unless --no-test.

A value that looks like a secret goes to the secret store, never to a file. --env NAME or --header NAME without a value
asks for it, or reads a line of standard input, so that a secret need not stand on the command line. ${VAR} and ${VAR:-default} are filled in
when the server starts, so quote them for your shell. --found adds one that apollia mcp discover lists: its address is
known, and it is contacted now for the first time. A server reads no other server's secrets: a reference such as
${secret:SERVER/KEY} is refused here, give the value itself.`,
		Example: `  apollia mcp add-server --name acme-internal --transport http --url https://mcp.acme.example/mcp \
    --header "Authorization=Bearer $TOKEN"
  apollia mcp add-server --found "Team notes"
  apollia mcp add-server --name files --command npx --args "-y @modelcontextprotocol/server-filesystem" --arg "/home/me/My files"`,
		Args: asUsed,
		RunE: func(cmd *cobra.Command, _ []string) error { return runAddServer(cmd.Context(), in, o) },
	}
	o.flags.register(cmd.Flags())
	cmd.Flags().BoolVar(&o.saveToConfig, "save-to-config", false, "append the server to config.toml instead of the data base")
	cmd.Flags().BoolVar(&o.noTest, "no-test", false, "save without testing")
	_ = cmd.RegisterFlagCompletionFunc("transport", cobra.FixedCompletions([]string{"stdio", "http", "sse"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runAddServer(ctx context.Context, in *invocation, o addServerOptions) error {
	definition, err := o.flags.definition(func(flag, name string) (string, error) {
		return in.value(ctx, flag, name)
	})
	if err != nil {
		return err
	}
	return in.with(ctx, func(c *client) error {
		if o.flags.found != "" {
			if definition, err = atFound(ctx, c, o.flags.found, definition); err != nil {
				return err
			}
		}
		request := api.NewServer{Definition: definition, SkipTest: o.noTest, SaveToConfig: o.saveToConfig}
		var answer addedDocument
		if !o.noTest {
			report, err := in.mustWork(ctx, c, definition)
			if err != nil {
				return err
			}
			test := testDocumentOf(report)
			request.TestID, answer.Test = report.ID, &test
		}
		view, err := post[servers.View](ctx, c, "/api/servers", request)
		if err != nil {
			return err
		}
		answer.Server = rowOf(view)
		return in.show(answer, func() { in.added(view) })
	})
}

// mustWork tests a definition, and fails with the cause when the test does.
func (in *invocation) mustWork(ctx context.Context, c *client, d domain.Definition) (domain.TestReport, error) {
	report, err := in.test(ctx, c, api.TestRequest{Definition: &d}, in.say)
	if err != nil || report.OK {
		return report, err
	}
	in.note("nothing was saved")
	if report.Error == nil {
		return report, &domain.Error{Code: domain.CodeInternal, Message: "the test failed", Hint: "Try again."}
	}
	return report, report.Error
}

func (p *printer) added(v servers.View) {
	p.line("added %s (%s)", printable(v.Name), v.ID)
	if v.Source == domain.FromConfig {
		p.line("it is kept in config.toml, line %d", v.Line)
	}
	p.say("Try: apollia mcp tools %s", v.ID)
}
