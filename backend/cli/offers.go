package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

// toolRow is a tool in a list.
type toolRow struct {
	Server      string          `json:"server"`
	Name        string          `json:"name"`
	FQN         string          `json:"fqn"`
	WireName    string          `json:"wire_name"`
	Description string          `json:"description"`
	Risk        domain.Risk     `json:"risk"`
	Verdict     domain.Verdict  `json:"verdict"`
	InputSchema json.RawMessage `json:"input_schema"`
	// Findings are what a person should look at closely in what the tool says of itself.
	Findings []domain.TextFinding `json:"findings"`
	// Held says that a person has to accept what the tool says of itself now; HeldBy is the request that asks for it.
	Held   bool   `json:"held"`
	HeldBy string `json:"held_by,omitempty"`
}

type toolList struct {
	Tools []toolRow `json:"tools"`
}

func newToolsCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:               "tools [SERVER]",
		Short:             "List the tools of a server, or of all as they were last listed",
		Example:           "  apollia mcp tools\n  apollia mcp tools acme-internal --json",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runTools(cmd.Context(), in, given(args, 0)) },
	}
}

func runTools(ctx context.Context, in *invocation, server string) error {
	path := "/api/tools"
	if server != "" {
		path = at("servers", server, "tools")
	}
	return in.with(ctx, func(c *client) error {
		list, err := fetching[api.ToolList](ctx, in, c, path)
		if err != nil {
			return err
		}
		answer := toolList{Tools: make([]toolRow, 0, len(list.Tools))}
		for _, t := range list.Tools {
			answer.Tools = append(answer.Tools, toolRow{
				t.Server, t.Name, t.FQN, t.WireName, t.Description, t.Risk, t.Verdict, t.InputSchema,
				append([]domain.TextFinding{}, t.Findings...), t.Held, t.HeldBy,
			})
		}
		return in.show(answer, func() { in.tools(answer.Tools) })
	})
}

// fetching gets a list for which a server may have to be started first.
func fetching[T any](ctx context.Context, in *invocation, c *client, path string) (T, error) {
	working := in.working("asking the server")
	defer working.end()
	return get[T](ctx, c, path)
}

func (p *printer) tools(tools []toolRow) {
	rows := make([][]string, 0, len(tools))
	for _, t := range tools {
		verdict := t.Verdict.String()
		if t.Held {
			verdict = "held"
		}
		rows = append(rows, []string{t.Server, t.Name, string(t.Risk), verdict, firstLine(t.Description)})
	}
	p.list("There are no tools.", []string{"SERVER", "TOOL", "RISK", "VERDICT", "DESCRIPTION"}, rows)
	for _, t := range tools {
		if t.Held {
			p.note(oneLine(t.Name + " of " + t.Server + " changed and is held: see apollia mcp review " + t.Server + " " + t.Name))
		}
		p.lookAt(t.Name, t.Server, t.Findings)
	}
}

// lookAt names each reason to look closely at something of a server.
func (p *printer) lookAt(what, server string, findings []domain.TextFinding) {
	for _, f := range findings {
		place := " in " + f.Field
		if f.Field == "instructions" {
			place = ""
		}
		p.note(oneLine("look closely at " + what + " of " + server + ": " + findingWords(f.Code) + place + ": " + f.Text))
	}
}

// findingWords says what a finding is. A code that this version does not know speaks for itself.
func findingWords(code domain.FindingCode) string {
	words, ok := map[domain.FindingCode]string{
		domain.HiddenCharacters:      "characters that are not seen",
		domain.DisguisedLetters:      "letters disguised as others",
		domain.OverridesInstructions: "an order to drop earlier instructions",
		domain.PosesAsSystem:         "words that pose as the system's",
		domain.SteersTools:           "an order about tools of other servers",
		domain.HidesFromPerson:       "an order to keep something from you",
		domain.AsksForSecrets:        "a request for secrets or private text",
		domain.EncodedText:           "encoded text",
		domain.HiddenMarkup:          "markup that hides text",
		domain.OutOfSight:            "text pushed out of sight",
	}[code]
	if !ok {
		return string(code)
	}
	return words
}

// list writes a table, or says on standard error that there is nothing to write.
func (p *printer) list(none string, titles []string, rows [][]string) {
	if len(rows) == 0 {
		p.say("%s", none)
		return
	}
	p.table(titles, rows)
}

func newResourcesCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:               "resources SERVER",
		Short:             "List the resources and resource templates of a server",
		Example:           "  apollia mcp resources acme-internal",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runResources(cmd.Context(), in, args[0]) },
	}
}

func runResources(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		list, err := fetching[api.ResourceList](ctx, in, c, at("servers", server, "resources"))
		if err != nil {
			return err
		}
		return in.show(list, func() {
			var rows [][]string
			for _, r := range list.Resources {
				rows = append(rows, []string{r.URI, r.Name, r.MIMEType, firstLine(r.Description)})
			}
			for _, r := range list.Templates {
				rows = append(rows, []string{r.URITemplate, r.Name, r.MIMEType, firstLine(r.Description)})
			}
			in.list("There are no resources.", []string{"URI", "NAME", "TYPE", "DESCRIPTION"}, rows)
			for _, r := range slices.Concat(list.Resources, list.Templates) {
				in.lookAt(r.Name, r.Server, r.Findings)
			}
		})
	})
}

func newPromptsCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:               "prompts SERVER",
		Short:             "List the prompts of a server with their arguments",
		Example:           "  apollia mcp prompts acme-internal",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runPrompts(cmd.Context(), in, args[0]) },
	}
}

func runPrompts(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		list, err := fetching[api.PromptList](ctx, in, c, at("servers", server, "prompts"))
		if err != nil {
			return err
		}
		return in.show(list, func() {
			var rows [][]string
			for _, prompt := range list.Prompts {
				rows = append(rows, []string{prompt.Name, argumentNames(prompt.Arguments), firstLine(prompt.Description)})
			}
			in.list("There are no prompts.", []string{"PROMPT", "ARGUMENTS", "DESCRIPTION"}, rows)
			for _, prompt := range list.Prompts {
				in.lookAt(prompt.Name, prompt.Server, prompt.Findings)
			}
		})
	})
}

// argumentNames lists the arguments of a prompt, those that may be left out in brackets.
func argumentNames(arguments []domain.PromptArgument) string {
	names := make([]string, len(arguments))
	for i, a := range arguments {
		names[i] = a.Name
		if !a.Required {
			names[i] = "[" + a.Name + "]"
		}
	}
	return strings.Join(names, " ")
}
