// Command apollia is the command line, and the server that runs without a window.
package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/cli"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/frontend"
)

// version is set by the linker.
var version = "dev"

// closeLife is how long servers get to end in good order.
const closeLife = 10 * time.Second

func main() { os.Exit(run()) }

func run() int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup asked to go on without a terminal
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, release := signal.NotifyContext(context.Background(), signals...)
	defer release()
	// The second signal ends the process at once, whatever the first one left undone.
	context.AfterFunc(ctx, release)
	return cli.Run(ctx, program(), os.Args[1:])
}

func program() cli.Program {
	return cli.Program{
		Version: version,
		Stdin:   os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: cli.IsTerminal(os.Stdin) && cli.IsTerminal(os.Stderr),
		Environ:  os.Environ(), Getenv: os.Getenv,
		OpenLocal: openLocal, Serve: serve,
	}
}

func options(home string, role core.Role) core.Options {
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if role == core.Command {
		logger = newNotes(os.Stderr)
	}
	return core.Options{
		Home: home, Version: version, Role: role, UI: page(), Environ: os.Environ(), Now: time.Now, Logger: logger,
	}
}

// page is the built interface.
func page() fs.FS {
	built, err := fs.Sub(frontend.Dist, "dist")
	if err != nil {
		panic(err) // the name is a constant: it cannot be wrong
	}
	return built
}

func openLocal(ctx context.Context, home string) (cli.Local, error) {
	c, err := core.Open(ctx, options(home, core.Command))
	if err != nil {
		return cli.Local{}, err
	}
	atTerminal, elsewhere := c.Handler(api.CLIPrincipal(true)), c.Handler(api.CLIPrincipal(false))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(api.TerminalHeader) == "1" {
			atTerminal.ServeHTTP(w, r)
			return
		}
		elsewhere.ServeHTTP(w, r)
	})
	return cli.Local{Handler: handler, Problems: c.Problems(), Close: func() error { return closeCore(ctx, c) }}, nil
}

// closeCore ends the core although ctx may have ended: that is often why.
func closeCore(ctx context.Context, c *core.Core) error {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLife)
	defer cancel()
	return c.Close(bounded)
}

func serve(ctx context.Context, o cli.ServeOptions) (err error) {
	c, err := core.Open(ctx, options(o.Home, core.Serve))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeCore(ctx, c)) }()
	if err := c.Listen(ctx, c.Address(o.Listen)); err != nil {
		return err
	}
	link, err := c.SignInLink()
	if err != nil {
		return err
	}
	err = o.Ready(cli.ServeInfo{
		URL: c.URL(), SignInURL: link, MCPURL: c.URL() + "/mcp", PID: os.Getpid(), Problems: c.Problems(),
	})
	if err != nil {
		return err
	}
	untilStopped(ctx, c, o.IdleExit)
	return nil
}

// untilStopped returns when the person or the system ends us, a caller of the API does, or nobody needs us any more.
func untilStopped(ctx context.Context, c *core.Core, idleExit bool) {
	ctx, stop := context.WithCancel(ctx)
	var idle sync.WaitGroup
	defer idle.Wait()
	defer stop()
	if idleExit {
		idle.Go(func() { c.StopWhenIdle(ctx) })
	}
	select {
	case <-ctx.Done():
	case <-c.Stopped():
	}
}
