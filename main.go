// Command apollia-desktop shows Apollia Connexions in a window.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/window"
	"apollia.fr/connexions/frontend"
)

// version is set by the linker.
var version = "dev"

const (
	// claimWait is how long a window that is just opening or closing is waited for.
	claimWait = 10 * time.Second
	// closeWait is how long servers get to end in good order.
	closeWait = 10 * time.Second
)

func main() {
	if len(os.Args) == 2 && (os.Args[1] == "--version" || os.Args[1] == "version") {
		fmt.Fprintln(os.Stdout, version)
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if err := run(logger); err != nil {
		logger.Error("the window ended", "error", err)
		os.Exit(1)
	}
}

// run is one life of the window: one instance, the core behind it, and everything closed at the end.
func run(logger *slog.Logger) error {
	ctx := context.Background()
	home, err := config.Home(os.Getenv)
	if err != nil {
		return err
	}
	runFolder := filepath.Join(home, "run")
	instance, err := claim(ctx, runFolder)
	if errors.Is(err, window.ErrOpenElsewhere) {
		return nil
	}
	if err != nil {
		// Without the right to be alone the window still opens: it is the place that says what is wrong with the folder.
		logger.Warn("open without being the only window", "error", err)
	}
	ui, err := fs.Sub(frontend.Dist, "dist")
	if err != nil {
		return fmt.Errorf("open the interface: %w", err)
	}
	app := newApp(runFolder, logger)
	app.house = openHouse(ctx, func(ctx context.Context) (product, error) {
		return core.OpenHost(ctx, core.Options{
			Home: home, Version: version, Role: core.Window, UI: ui, Environ: os.Environ(), Logger: logger, Now: time.Now,
			ServersAfter: app.painted,
		}, app.changed)
	})
	closeAll := sync.OnceValue(func() error { return closeAll(ctx, app.house, instance) })
	app.abandon = func() {
		if err := closeAll(); err != nil {
			logger.Error("end the window", "error", err)
		}
		os.Exit(0)
	}
	return errors.Join(app.run(ctx, core.UI(ui), instance), closeAll())
}

// closeAll ends the product, and only then lets another window open.
func closeAll(ctx context.Context, h *house, instance *window.Instance) error {
	bounded, cancel := context.WithTimeout(ctx, closeWait)
	defer cancel()
	err := h.close(bounded)
	if instance != nil {
		err = errors.Join(err, instance.Close())
	}
	return err
}

func claim(ctx context.Context, runFolder string) (*window.Instance, error) {
	if err := os.MkdirAll(runFolder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the window: %w", err)
	}
	folder, err := os.Getwd()
	if err != nil {
		folder = ""
	}
	bounded, cancel := context.WithTimeout(ctx, claimWait)
	defer cancel()
	return window.Claim(bounded, runFolder, window.Start{Args: os.Args[1:], Folder: folder})
}
