package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// serverRow is a server in a list.
type serverRow struct {
	ID    string       `json:"id"`
	Name  string       `json:"name"`
	State domain.State `json:"state"`
	// Reason is the sentence that says why the server is not ready; empty when there is none.
	Reason          string           `json:"reason"`
	Transport       domain.Transport `json:"transport"`
	ProtocolVersion string           `json:"protocol_version"`
	Trust           domain.Trust     `json:"trust"`
	Enabled         bool             `json:"enabled"`
	Tools           int              `json:"tools"`
	Source          domain.Source    `json:"source"`
	// Next is the command that goes on from this state.
	Next string `json:"next"`
}

type serverList struct {
	Servers []serverRow `json:"servers"`
}

func newListCmd(in *invocation) *cobra.Command {
	var status string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the servers with their states",
		Example: "  apollia mcp list\n  apollia mcp list --status ready --json",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runList(cmd.Context(), in, domain.State(status)) },
	}
	cmd.Flags().StringVar(&status, "status", "", "only servers in this state: "+strings.Join(stateWords(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(stateWords(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// stateWords lists every state, in the order of a server's life.
func stateWords() []string {
	return []string{
		string(domain.StateOff), string(domain.StateInstalling), string(domain.StateStarting), string(domain.StateNeedsSignIn),
		string(domain.StateNeedsApproval), string(domain.StateReady), string(domain.StateDegraded), string(domain.StateStopped),
	}
}

func runList(ctx context.Context, in *invocation, status domain.State) error {
	if status != "" && !slices.Contains(stateWords(), string(status)) {
		return invalidFlag("status", "there is no state "+string(status), "The states are "+strings.Join(stateWords(), ", ")+".")
	}
	return in.with(ctx, func(c *client) error {
		list, err := get[api.ServerList](ctx, c, "/api/servers")
		if err != nil {
			return err
		}
		answer := serverList{Servers: []serverRow{}}
		for _, view := range list.Servers {
			if status == "" || stateOf(view) == status {
				answer.Servers = append(answer.Servers, rowOf(view))
			}
		}
		return in.show(answer, func() { in.servers(answer.Servers) })
	})
}

func rowOf(view servers.View) serverRow {
	return serverRow{
		ID: view.ID, Name: view.Name, State: stateOf(view), Reason: reasonOf(view), Transport: view.Transport,
		ProtocolVersion: view.ProtocolVersion, Trust: view.Trust, Enabled: view.Enabled, Tools: view.Tools,
		Source: view.Source, Next: nextOf(view),
	}
}

// stateOf is the state in one word. A server that nobody has started yet has stopped.
func stateOf(view servers.View) domain.State {
	switch {
	case view.State != "":
		return view.State
	case view.Enabled:
		return domain.StateStopped
	default:
		return domain.StateOff
	}
}

func reasonOf(view servers.View) string {
	if view.Reason == nil {
		return view.LastLine
	}
	return view.Reason.Message
}

// nextOf is the one command that a state calls for.
func nextOf(view servers.View) string {
	verb := map[domain.State]string{
		domain.StateOff: "enable", domain.StateInstalling: "disconnect", domain.StateStarting: "disconnect",
		domain.StateNeedsSignIn: "auth", domain.StateReady: "tools", domain.StateDegraded: "logs", domain.StateStopped: "test",
	}[stateOf(view)]
	switch {
	case stateOf(view) == domain.StateNeedsApproval:
		return "apollia inbox list"
	case stateOf(view) == domain.StateOff && view.Reason != nil && view.Reason.Code == domain.CodeNotRunning:
		return "apollia serve"
	case stateOf(view) == domain.StateOff && view.Enabled:
		verb = "connect"
	case stateOf(view) == domain.StateDegraded && view.Reason != nil && view.Reason.Code == domain.CodeMoreRights && !hasOwnToken(view.Definition):
		verb = "auth"
	case stateOf(view) == domain.StateNeedsSignIn && hasOwnToken(view.Definition):
		verb = "test"
	}
	return "apollia mcp " + verb + " " + view.ID
}

// hasOwnToken says that a server is given a token by a header: a sign-in would not take its place.
func hasOwnToken(d domain.Definition) bool {
	return slices.ContainsFunc(d.Headers, func(h domain.Variable) bool { return strings.EqualFold(h.Name, "Authorization") })
}

func (p *printer) servers(rows []serverRow) {
	if len(rows) == 0 {
		p.say("There is no server. Add one with: apollia mcp add-server --help")
		return
	}
	cells := make([][]string, 0, len(rows))
	for _, r := range rows {
		cells = append(cells, []string{
			r.ID, r.Name, string(r.State), string(r.Transport), strconv.Itoa(r.Tools), string(r.Trust), r.Reason,
		})
	}
	p.table([]string{"ID", "NAME", "STATE", "TRANSPORT", "TOOLS", "TRUST", "REASON"}, cells)
}
