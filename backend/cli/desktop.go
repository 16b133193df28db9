package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

const desktopProgram = "apollia-desktop"

func newDesktopCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:     "desktop",
		Short:   "Open the window",
		Long:    "Open the window. When one is open already, it comes to the front.",
		Example: "  apollia desktop",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDesktop(cmd.Context(), in) },
	}
}

func runDesktop(ctx context.Context, in *invocation) error {
	home, err := config.Home(in.Getenv)
	if err != nil {
		return err
	}
	program, err := findDesktop()
	if err != nil {
		return err
	}
	if runtime.GOOS == "linux" && in.Getenv("DISPLAY") == "" && in.Getenv("WAYLAND_DISPLAY") == "" {
		return &domain.Error{
			Code: domain.CodeNotRunning, Message: "there is no display here to open a window on",
			Hint: "Use a browser instead: apollia serve --open, or open the link that apollia serve prints.",
		}
	}
	window, err := in.startDetached(home, "desktop", program)
	if err != nil {
		return err
	}
	if err := awaitWindow(ctx, home, window); err != nil {
		return err
	}
	return in.show(map[string]bool{"opened": true}, func() { in.line("opened") })
}

// findDesktop looks beside our own program, then on the PATH.
func findDesktop() (string, error) {
	name := desktopProgram
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	if found, err := exec.LookPath(name); err == nil {
		return found, nil
	}
	return "", &domain.Error{
		Code: domain.CodeProgramNotFound, Message: desktopProgram + " is neither beside apollia nor on the PATH",
		Hint: "Install the desktop program, or use a browser: apollia serve --open",
		Args: map[string]string{"program": desktopProgram},
	}
}

// awaitWindow waits until the window is up: its process ended well, which means that it woke the one that is open, or
// the data folder has an owner. A program that cannot even start, for want of a library, ends at once with a reason.
func awaitWindow(ctx context.Context, home string, window *starting) error {
	_, err := await(ctx, patience, func() (*client, error) {
		ended, err := window.end()
		if ended || err != nil {
			return nil, err
		}
		if _, err := owner.Find(home); !errors.Is(err, owner.ErrNone) {
			return nil, err
		}
		return nil, notYetError{errNotReady}
	})
	if errors.Is(err, errNotReady) {
		return nil // slow, but alive
	}
	return err
}
