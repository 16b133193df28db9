package transport

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	// shellDrain is how long the output of a shell that ended is still waited for, when something keeps it open.
	shellDrain = 100 * time.Millisecond
	// maxShellOutput bounds what is kept of what the files of a shell print, in bytes.
	maxShellOutput = 1 << 20
)

// LoginPath is the PATH that the person's login shell sets, which a program that was started from a menu does not get:
// version managers put their programs there. It starts the shell, as SHELL in environ names it, with its files read as
// at a terminal, and ends it with ctx; nothing of it is left then. It fails when there is no such shell or it sets no PATH.
func LoginPath(ctx context.Context, environ []string) (string, error) {
	shell := variable(environ, "SHELL", runtime.GOOS)
	if !filepath.IsAbs(shell) {
		return "", errors.New("ask the login shell: SHELL names none")
	}
	mark := rand.Text()
	var out lastOutput
	// printenv is a program: it prints PATH in the same form whatever the shell's own words for it are.
	cmd := exec.CommandContext(ctx, shell, "-l", "-i", "-c", "echo "+mark+"; printenv PATH; echo "+mark)
	cmd.Env = setVariable(environ, "APOLLIA_RESOLVING_PATH", "1", runtime.GOOS)
	cmd.Dir = variable(environ, homeVariable(), runtime.GOOS)
	cmd.Stdout = &out
	ownSession(cmd)
	cmd.Cancel = func() error {
		signalGroup(cmd.Process, true)
		return nil
	}
	cmd.WaitDelay = shellDrain
	err := cmd.Run()
	if cmd.Process != nil {
		signalGroup(cmd.Process, true) // what its files left running in the background
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("ask the login shell %s: %w", shell, context.Cause(ctx))
	}
	// How it ended says little: the last file that it reads may fail.
	if path := between(out.kept.String(), mark); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("ask the login shell %s: %w", shell, errors.Join(err, errors.New("it sets no PATH")))
}

// between is the line between two lines of a mark, which what else is printed cannot know.
func between(output, mark string) string {
	_, rest, _ := strings.Cut(output, mark+"\n")
	path, _, found := strings.Cut(rest, "\n"+mark)
	if !found {
		return ""
	}
	return strings.TrimSpace(path)
}

// MergePaths puts the folders of several PATHs behind one another, each once. What is no full path is left out: it
// would mean another folder for each program.
func MergePaths(paths ...string) string {
	var folders []string
	for _, path := range paths {
		for _, folder := range filepath.SplitList(path) {
			if filepath.IsAbs(folder) && !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
	}
	return strings.Join(folders, string(filepath.ListSeparator))
}

// lastOutput keeps the end of what is written to it.
type lastOutput struct{ kept bytes.Buffer }

// Write never fails.
func (o *lastOutput) Write(p []byte) (int, error) {
	o.kept.Write(p)
	if extra := o.kept.Len() - maxShellOutput; extra > 0 {
		o.kept.Next(extra)
	}
	return len(p), nil
}
