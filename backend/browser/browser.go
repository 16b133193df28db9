package cli

import (
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"apollia.fr/connexions/backend/domain"
)

// openBrowser opens a link. Every user of the machine can read the arguments of a program, so the browser is
// given a private page that leads to the link, not the link itself. A browser reads it in its own time: what is signed in to
// at the same time has pages of different names.
func openBrowser(ctx context.Context, home, name, link string) error {
	page := filepath.Join(home, "run", name+".html")
	text := `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=` + html.EscapeString(link) +
		`"><title>Apollia Connexions</title>`
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		return domain.StorageError(page, err)
	}
	program := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	cmd := exec.CommandContext(ctx, program[0], append(program[1:], page)...)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w", program[0], err)
	}
	return nil
}
