package cli

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
)

func newDiscoverCmd(in *invocation) *cobra.Command {
	var watch bool
	cmd := &cobra.Command{
		Use:   "discover",
		Short: "List the MCP servers that announce themselves on the local network",
		Long: `List the MCP servers that announce themselves on the local network, once the search is switched on.

Nothing connects to them before you add one, with apollia mcp add-server --found NAME or in the window.`,
		Example: "  apollia settings set network.search true\n  apollia mcp discover\n  apollia mcp discover --watch",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if watch {
				return in.withOwner(cmd.Context(), func(c *client) error { return watchNetwork(cmd.Context(), in, c) })
			}
			return in.with(cmd.Context(), func(c *client) error { return discover(cmd.Context(), in, c) })
		},
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "go on, and show the list again whenever it changes")
	return cmd
}

func discover(ctx context.Context, in *invocation, c *client) error {
	view, err := lookAround(ctx, c)
	if err != nil {
		return err
	}
	return in.show(view, func() { in.network(view) })
}

// lookAround is what the local network has, once those who answer have answered.
func lookAround(ctx context.Context, c *client) (api.NetworkView, error) {
	view, err := get[api.NetworkView](ctx, c, "/api/network", "settle", "true")
	if err == nil && view.Off {
		err = &domain.Error{
			Code: domain.CodeInvalidInput, Message: "the search on the local network is off",
			Hint: "Switch it on with: apollia settings set network.search true",
			Args: map[string]string{"reason": "network_off", "setting": "network.search"},
		}
	}
	return view, err
}

func watchNetwork(ctx context.Context, in *invocation, c *client) error {
	before := ""
	return c.follow(ctx, about(domain.TopicNetwork, ""), func() error {
		view, err := get[api.NetworkView](ctx, c, "/api/network")
		if err != nil {
			return err
		}
		if now := outline(view); now != before {
			before = now
			return in.show(view, func() { in.network(view) })
		}
		return nil
	})
}

// outline is another text whenever there is something else to show than the time.
func outline(view api.NetworkView) string {
	rows := networkRows(view)
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Join(row[:len(row)-1], "\t") + "\n")
	}
	return strconv.FormatBool(view.Off) + strconv.FormatBool(view.NoNetwork) + b.String()
}

func (p *printer) network(view api.NetworkView) {
	none := "No server announces itself on the local network."
	switch {
	case view.Off:
		none = "The search on the local network is off."
	case view.NoNetwork:
		none = "This computer has no network to search; the search goes on when there is one."
	}
	p.list(none, []string{"NAME", "ADDRESS", "TRANSPORT", "SIGN-IN", "REMARK", "SINCE"}, networkRows(view))
}

func networkRows(view api.NetworkView) [][]string {
	rows := make([][]string, 0, len(view.Servers))
	for _, found := range view.Servers {
		rows = append(rows, []string{
			found.Name, addressIn(found), string(found.Transport), found.Auth, strings.Join(found.Faults, ", "), moment(found.Since),
		})
	}
	return rows
}

// addressIn is where a server is said to be, by its host name and its likeliest address.
func addressIn(found domain.NetworkServer) string {
	where := net.JoinHostPort(found.Host, strconv.Itoa(found.Port)) + found.Path
	if found.TLS {
		where = "https://" + where
	} else {
		where = "http://" + where
	}
	if len(found.Addresses) > 0 {
		where += " (" + found.Addresses[0].Addr.String() + ")"
	}
	return where
}

func newAnnounceCmd(in *invocation) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "announce on|off [SERVER]",
		Short: "Announce a server of this computer on the local network, or no longer",
		Long: `Announce a server of this computer on the local network, or no longer.

Everybody on the network then sees its name, host, port, path, transport and how to sign in, and the addresses of this
computer. A server that only this computer reaches is refused. Only a person at an interactive terminal may switch it on,
unless config.toml says otherwise; anybody may switch it off, all of them without a name.`,
		Example:   "  apollia mcp announce on team-notes\n  apollia mcp announce off",
		Args:      asUsed,
		ValidArgs: []string{"on", "off"},
		RunE:      func(cmd *cobra.Command, args []string) error { return runAnnounce(cmd.Context(), in, args, yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func runAnnounce(ctx context.Context, in *invocation, args []string, yes bool) error {
	change := api.AnnounceChange{On: args[0] == "on", Server: given(args, 1)}
	switch {
	case args[0] != "on" && args[0] != "off":
		return wrongUsage("it is on or off, not "+quoted(args[0]), "For example: apollia mcp announce on team-notes")
	case change.On && change.Server == "":
		return wrongUsage("SERVER is missing", "See the names with: apollia mcp list")
	}
	return in.with(ctx, func(c *client) error {
		if change.On {
			if err := in.agreeToAnnounce(ctx, c, change.Server, yes); err != nil {
				return err
			}
		}
		list, err := send[api.SettingList](ctx, c, http.MethodPut, "/api/network/announce", change)
		if err != nil {
			return err
		}
		left := announcedIn(list)
		return in.show(map[string][]string{"announced": left}, func() {
			if len(left) == 0 {
				in.line("nothing is announced")
				return
			}
			in.line("announced while Apollia runs: %s", strings.Join(left, ", "))
		})
	})
}

// agreeToAnnounce shows a person what becomes visible before it does.
func (in *invocation) agreeToAnnounce(ctx context.Context, c *client, server string, yes bool) error {
	a, err := get[domain.Announcement](ctx, c, at("servers", server, "announcement"))
	if err != nil || !in.Terminal || yes {
		return err
	}
	in.announcement(a)
	return in.confirm(ctx, "Show this to everybody on the local network?")
}

// announcement says on standard error what the network would learn.
func (p *printer) announcement(a domain.Announcement) {
	addresses := make([]string, len(a.Addresses))
	for i, addr := range a.Addresses {
		addresses[i] = addr.String()
	}
	for _, pair := range [][2]string{
		{"name", a.Instance},
		{"this computer", a.Host + " (" + strings.Join(addresses, ", ") + ")"},
		{"port", strconv.Itoa(a.Port)},
		{"path", a.Path},
		{"transport", string(a.Transport)},
		{"https", map[bool]string{true: "yes", false: "no"}[a.TLS]},
		{"sign-in", a.Auth},
	} {
		p.say("%-13s  %s", pair[0], printable(pair[1]))
	}
}

// announcedIn are the ids of the servers that are to be announced.
func announcedIn(list api.SettingList) []string {
	for _, setting := range list.Settings {
		if setting.Key == config.AnnounceKey {
			return append([]string{}, config.ListOf(setting.Value)...)
		}
	}
	return []string{}
}
