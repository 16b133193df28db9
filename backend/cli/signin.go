package cli

import (
	"context"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/browser"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/servers"
)

// signInLook is how long one question for the end of a sign-in waits, in milliseconds: what is typed is looked at between.
const signInLook = "300"

func newAuthCmd(in *invocation) *cobra.Command {
	var noBrowser bool
	cmd := &cobra.Command{
		Use:   "auth SERVER",
		Short: "Sign in to a server in the browser",
		Long: `Sign in to a server in the browser, by OAuth 2.1. It ends when you have signed in, or given up.

With --no-browser the link is printed and nothing is opened. Where the browser runs on another computer, its last page
cannot be shown there: give the address of that page as a line of standard input.`,
		Example:           "  apollia mcp auth notion\n  apollia mcp auth notion --no-browser",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runAuth(cmd.Context(), in, args[0], noBrowser)
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "print the link instead of opening a browser")
	return cmd
}

func runAuth(ctx context.Context, in *invocation, server string, noBrowser bool) error {
	return in.withOwner(ctx, func(c *client) error {
		begun, err := post[servers.SignIn](ctx, c, "/api/sign-ins", api.NewSignIn{ServerID: server, Language: in.language()})
		if err != nil {
			return withClientID(server, err)
		}
		if begun.Running {
			in.showLink(ctx, begun, noBrowser)
			if begun, err = in.awaitSignIn(ctx, c, begun); err != nil {
				return err
			}
		}
		if begun.Error != nil {
			return begun.Error
		}
		return in.show(begun, func() {
			in.line("signed in to %s", begun.Server)
			in.say("Try: apollia mcp tools %s", begun.Server)
		})
	})
}

// withClientID says how a client ID is entered, where one is wanted.
func withClientID(server string, err error) error {
	e := *domain.AsError(err)
	if e.Code != domain.CodeClientIDNeeded {
		return err
	}
	e.Hint += " Enter it with: apollia mcp config " + server + " --set auth.client_id=ID"
	return &e
}

// showLink opens the page of the sign-in, or prints its address.
func (in *invocation) showLink(ctx context.Context, begun servers.SignIn, noBrowser bool) {
	if in.openLink(ctx, "sign-in-"+begun.Server, begun.AuthorizeURL, noBrowser) {
		in.say("Your browser shows where to sign in. If no page opens, go to:\n  %s", begun.AuthorizeURL)
		return
	}
	in.say("Open this address in a browser, and sign in there:\n  %s", begun.AuthorizeURL)
}

// openLink opens an address in the browser, by way of a page of that name, and reports whether it could.
func (in *invocation) openLink(ctx context.Context, name, link string, noBrowser bool) bool {
	if noBrowser {
		return false
	}
	home, err := config.Home(in.Getenv)
	if err == nil {
		err = browser.Open(ctx, home, name, link)
	}
	if err != nil {
		in.note("no browser could be opened (" + err.Error() + ")")
	}
	return err == nil
}

// awaitSignIn waits for the end of a sign-in. A line of standard input is the address of the last page. Whoever interrupts
// it gives it up.
func (in *invocation) awaitSignIn(ctx context.Context, c *client, begun servers.SignIn) (servers.SignIn, error) {
	if in.lines == nil {
		in.lines = readLines(in.Stdin)
	}
	lines := in.lines
	working := in.working("waiting for the sign-in")
	defer working.end()
	for {
		now, err := get[servers.SignIn](ctx, c, at("sign-ins", begun.ID), "wait_ms", signInLook)
		switch {
		case ctx.Err() != nil:
			_, _ = send[struct{}](context.WithoutCancel(ctx), c, http.MethodDelete, at("sign-ins", begun.ID), nil) // it ends by itself too
			return now, canceled(ctx.Err())
		case err != nil || !now.Running:
			return now, err
		}
		select {
		case line, more := <-lines:
			if !more {
				lines = nil
			}
			in.giveAnswer(ctx, c, begun.ID, strings.TrimSpace(line))
		default:
		}
	}
}

// giveAnswer hands in the address of a last page; a wrong one is told, and another may follow.
func (in *invocation) giveAnswer(ctx context.Context, c *client, id, address string) {
	if address == "" {
		return
	}
	now, err := post[servers.SignIn](ctx, c, at("sign-ins", id, "answer"), api.SignInAnswer{Address: address})
	switch {
	case err != nil:
		in.warn(domain.AsError(err))
	case now.Running:
		in.say("The sign-in server asks once more. Open this address too, and give that of its last page:\n  %s", now.AuthorizeURL)
	}
}

// language is that of the person, for pages that we make.
func (in *invocation) language() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := in.Getenv(name); value != "" {
			if strings.HasPrefix(value, "fr") {
				return "fr"
			}
			return "en"
		}
	}
	return ""
}

func newLogoutCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:               "logout SERVER",
		Short:             "Sign out of a server: its tokens are revoked and forgotten",
		Example:           "  apollia mcp logout notion",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return in.with(ctx, func(c *client) error {
				if _, err := post[struct{}](ctx, c, at("servers", args[0], "sign-out"), nil); err != nil {
					return err
				}
				return in.show(map[string]any{"signed_out": true, "server": args[0]}, func() { in.line("signed out of %s", args[0]) })
			})
		},
	}
}

func newOAuthCmd(in *invocation) *cobra.Command {
	return newGroup(&cobra.Command{
		Use:     "oauth",
		Short:   "What sign-in servers need to know of this program",
		Example: "  apollia oauth client-metadata",
	}, newClientMetadataCmd(in))
}

func newClientMetadataCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "client-metadata [ADDRESS]",
		Short: "Print the client metadata document to host",
		Long: `Print the client metadata document to host at ADDRESS, which is then the client ID (CIMD). Without ADDRESS it is that of
the setting oauth.client_metadata_url.`,
		Example: "  apollia oauth client-metadata https://acme.example/apollia.json > apollia.json",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runClientMetadata(cmd.Context(), in, given(args, 0))
		},
	}
}

// clientMetadataSetting is the address of the document.
const clientMetadataSetting = "oauth.client_metadata_url"

func runClientMetadata(ctx context.Context, in *invocation, address string) error {
	if address == "" {
		err := in.withAnyFolder(ctx, func(c *client) error {
			list, err := get[api.SettingList](ctx, c, "/api/settings")
			for _, setting := range list.Settings {
				if setting.Key == clientMetadataSetting {
					address = setting.Value
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	setting, err := config.FindSetting(clientMetadataSetting)
	if err != nil {
		return err
	}
	if address == "" || setting.Check(address) != nil {
		return wrongUsage("the document must be hosted at an address such as https://example.com/client.json, not at "+quoted(address),
			"Give that address, or set "+clientMetadataSetting+".")
	}
	document, err := oauth.ClientMetadata(address)
	if err != nil {
		return err
	}
	_, err = in.out.Write(append(document, '\n'))
	return err
}
