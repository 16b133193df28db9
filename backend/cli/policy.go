package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

func newPolicyCmd(in *invocation) *cobra.Command {
	list := &cobra.Command{
		Use:     "list",
		Short:   "List the rules, those of config.toml among them",
		Example: "  apollia policy list",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runPolicyList(cmd.Context(), in) },
	}
	remove := &cobra.Command{
		Use:     "remove RULE",
		Short:   "Remove a rule; one of config.toml is removed in that file",
		Example: "  apollia policy remove 4",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, args []string) error { return runPolicyRemove(cmd.Context(), in, args[0]) },
	}
	return newGroup(&cobra.Command{
		Use:   "policy",
		Short: "Say what may be called, what is asked for and what is refused",
		Long: `Say what may be called, what is asked for and what is refused.

Any deny wins; then the most specific of allow and ask; then the default of the server. Only a person at an interactive
terminal may allow and ask, unless config.toml says otherwise; anybody may deny.`,
		Example: "  apollia policy deny 'acme-internal.delete_*'\n  apollia policy explain acme-internal.echo",
	}, list,
		newRuleCmd(in, domain.Allow, "Let calls through without asking"),
		newRuleCmd(in, domain.Ask, "Ask a person before each call"),
		newRuleCmd(in, domain.Deny, "Refuse calls"),
		newExplainCmd(in), remove, newAcceptLossCmd(in))
}

func newAcceptLossCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "accept-loss",
		Short: "Accept the rules as they are after some were lost",
		Long: `Accept the rules as they are after some were lost.

When governance.db was damaged or gone, the rules and approvals in it are lost, and everything they might have refused is
asked. Look at apollia policy list, set again what is missing, then end that with this command.`,
		Example: "  apollia policy list\n  apollia policy accept-loss",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return in.with(cmd.Context(), func(c *client) error {
				if _, err := post[struct{}](cmd.Context(), c, "/api/policy/accept-loss", nil); err != nil {
					return err
				}
				return in.show(map[string]bool{"accepted": true}, func() { in.line("the rules count as they are") })
			})
		},
	}
}

func newRuleCmd(in *invocation, verdict domain.Verdict, short string) *cobra.Command {
	var caller string
	cmd := &cobra.Command{
		Use:   verdict.String() + " SERVER[.TOOL]",
		Short: short,
		Long: short + `.

SERVER is an id or a name, TOOL a tool, resource:URI or prompt:NAME. In both, * stands for any characters and ? for one.`,
		Example: "  apollia policy " + verdict.String() + " acme-internal.echo\n" +
			"  apollia policy " + verdict.String() + " 'acme-internal.delete_*' --client cli",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPolicyAdd(cmd.Context(), in, verdict, args[0], caller)
		},
	}
	cmd.Flags().StringVar(&caller, "client", "", "only calls of this client; * and ? are patterns")
	return cmd
}

func newExplainCmd(in *invocation) *cobra.Command {
	var caller, app string
	cmd := &cobra.Command{
		Use:   "explain SERVER.TOOL",
		Short: "Say what the policy answers to a call, and why",
		Long: `Say what the policy answers to a call, and why.

With --app, the capabilities of that app count too, as if it called.`,
		Example:           "  apollia policy explain acme-internal.echo\n  apollia policy explain acme-internal.echo --app app.yaml",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runExplain(cmd.Context(), in, args[0], api.Why{Caller: caller}, app)
		},
	}
	cmd.Flags().StringVar(&caller, "client", "", "as if this client called (default: the command line)")
	cmd.Flags().StringVar(&app, "app", "", "as if the app of this YAML file called")
	return cmd
}

func runPolicyList(ctx context.Context, in *invocation) error {
	return in.with(ctx, func(c *client) error {
		list, err := get[api.RuleList](ctx, c, "/api/policy")
		if err != nil {
			return err
		}
		if list.Problem != nil {
			in.warn(list.Problem)
		}
		if list.Lost != nil {
			in.warn(list.Lost)
		}
		return in.show(list, func() { in.rules(list.Rules) })
	})
}

func (p *printer) rules(rules []domain.Rule) {
	rows := make([][]string, 0, len(rules))
	for _, r := range rules {
		from := string(r.Source)
		if r.Line > 0 {
			from += " line " + strconv.Itoa(r.Line)
		}
		rows = append(rows, []string{
			r.ID, r.Verdict.String(), orAny(r.Server), orAny(strings.Join(r.Actions, ", ")), orAny(r.Client), from,
		})
	}
	p.list("There are no rules: each server's default holds.", []string{"ID", "VERDICT", "SERVER", "ACTIONS", "CLIENT", "FROM"}, rows)
}

func orAny(pattern string) string {
	if pattern == "" {
		return "*"
	}
	return pattern
}

func runPolicyAdd(ctx context.Context, in *invocation, verdict domain.Verdict, word, caller string) error {
	return in.with(ctx, func(c *client) error {
		to, err := findTarget(ctx, c, word)
		if err != nil {
			return err
		}
		rule := api.NewRule{Verdict: verdict, Server: to.server, Client: caller}
		if to.action != "" {
			rule.Actions = []string{to.action}
		}
		added, err := post[domain.Rule](ctx, c, "/api/policy/rules", rule)
		if err != nil {
			return err
		}
		return in.show(added, func() { in.rules([]domain.Rule{added}) })
	})
}

func findTarget(ctx context.Context, c *client, word string) (target, error) {
	list, err := get[api.ServerList](ctx, c, "/api/servers")
	if err != nil {
		return target{}, err
	}
	return targetOf(word, list.Servers)
}

func runPolicyRemove(ctx context.Context, in *invocation, id string) error {
	return in.with(ctx, func(c *client) error {
		if err := drop(ctx, c, at("policy", "rules", id)); err != nil {
			return err
		}
		return in.show(map[string]string{"removed": id}, func() { in.line("removed %s", id) })
	})
}

// explanation is a decision with what it is about.
type explanation struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	domain.Decision
}

func runExplain(ctx context.Context, in *invocation, word string, why api.Why, app string) error {
	if app != "" && why.Caller != "" {
		return wrongUsage("--client and --app name two callers", "Give one of them.")
	}
	if app != "" {
		text, err := fileText("app", app)
		if err != nil {
			return err
		}
		why.App = &api.AppFile{Path: app, Text: text}
	}
	return in.with(ctx, func(c *client) error {
		to, err := findTarget(ctx, c, word)
		if err != nil {
			return err
		}
		if to.action == "" {
			return wrongUsage("the tool is missing", "Write SERVER.TOOL, such as acme-internal.echo.")
		}
		why.Server = to.server
		why.Kind, why.Name = to.kindAndName()
		decision, err := post[domain.Decision](ctx, c, "/api/policy/explain", why)
		if err != nil {
			return err
		}
		return in.show(explanation{to.server, to.action, decision}, func() { in.decision(decision) })
	})
}

func (p *printer) decision(d domain.Decision) {
	p.line("%s: %s (risk %s)", d.Verdict, because(d), d.Risk)
	rows := make([][]string, 0, len(d.Steps))
	for _, step := range d.Steps {
		answer, deciding := "-", ""
		if step.Matched {
			answer = step.Answer.String()
		}
		if step.Deciding {
			deciding = "decides"
		}
		rows = append(rows, []string{step.Question, answer, step.RuleID, deciding})
	}
	p.table([]string{"QUESTION", "ANSWER", "RULE", ""}, rows)
}
