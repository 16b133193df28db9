package cli

import (
	"context"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/browser"
	"apollia.fr/connexions/backend/config"
)

type serveOptions struct {
	listen   string
	open     bool
	idleExit bool
	// detached says that a command started this owner: nobody reads a sign-in link, and it must not stay in the log.
	detached bool
}

func newServeCmd(in *invocation) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:     "serve",
		Aliases: []string{"start"},
		Short:   "Run Apollia without a window: interface, API and gateway on this computer only",
		Long: `Run Apollia without a window: interface, API and gateway on this computer only.

The address is --listen, else APOLLIA_LISTEN, else [server] listen in config.toml, else 127.0.0.1:7433.
The sign-in link works once; apollia status --link makes another one. Ctrl C ends it with its servers.`,
		Example: "  apollia serve\n  apollia serve --listen 127.0.0.1:0 --json",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), in, o) },
	}
	cmd.Flags().StringVar(&o.listen, "listen", "", "address of this computer to listen on, such as 127.0.0.1:7433; port 0 takes a free one")
	cmd.Flags().BoolVar(&o.open, "open", false, "open the interface in the browser")
	cmd.Flags().BoolVar(&o.idleExit, "idle-exit", false, "end a minute after the last client, call or request")
	cmd.Flags().BoolVar(&o.detached, "detached", false, "make no sign-in link")
	_ = cmd.Flags().MarkHidden("detached")
	return cmd
}

func runServe(ctx context.Context, in *invocation, o serveOptions) error {
	home, err := config.Home(in.Getenv)
	if err != nil {
		return err
	}
	return in.Serve(ctx, ServeOptions{
		Home: home, Listen: o.listen, IdleExit: o.idleExit,
		Ready: func(info ServeInfo) error { return in.ready(ctx, home, info, o) },
	})
}

// ready tells where an owner is reached.
func (in *invocation) ready(ctx context.Context, home string, info ServeInfo, o serveOptions) error {
	if o.detached {
		info.SignInURL = ""
	}
	err := in.show(info, func() {
		in.line("Apollia is ready at %s", info.URL)
		in.line("Sign in, once, with %s", info.SignInURL)
	})
	for _, problem := range info.Problems {
		in.warn(problem)
	}
	if err != nil || !o.open {
		return err
	}
	if err := browser.Open(ctx, home, "sign-in", info.SignInURL); err != nil {
		in.note("no browser could be opened (" + err.Error() + "); use the link")
	}
	return nil
}
