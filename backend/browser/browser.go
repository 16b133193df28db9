// Package browser shows a link in the person's browser, by way of a private page.
//
// Every user of the machine can read the arguments of a program, so the browser is given a page of the run folder that leads
// to the link, not the link itself. When it has read the page nobody can know: pages go once they are old.
package browser

import (
	"context"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// ReadWithin is how long a page is kept for a browser that starts slowly.
const ReadWithin = 10 * time.Minute

// ending is that of pages, and of nothing else in the run folder.
const ending = ".html"

// Open opens a link in the browser of the system. What is opened at the same time has pages of different names.
func Open(ctx context.Context, home, name, link string) error {
	Tidy(home, time.Now())
	page := filepath.Join(runFolder(home), name+ending)
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

// Tidy removes the pages that no browser reads any more. One that cannot be removed is tried again the next time.
func Tidy(home string, now time.Time) {
	entries, err := os.ReadDir(runFolder(home))
	if err != nil {
		return // there are none, or whoever needs the folder says what is wrong with it
	}
	for _, entry := range entries {
		if info, err := entry.Info(); isPage(entry) && err == nil && now.Sub(info.ModTime()) >= ReadWithin {
			_ = os.Remove(filepath.Join(runFolder(home), entry.Name()))
		}
	}
}

func isPage(entry fs.DirEntry) bool {
	return entry.Type().IsRegular() && filepath.Ext(entry.Name()) == ending
}

func runFolder(home string) string { return filepath.Join(home, "run") }
