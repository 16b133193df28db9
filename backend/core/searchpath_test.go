//go:build unix

package core_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/servers"
)

func shellScript(t *testing.T, file, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fromAMenu gives options of a program that a desktop menu started, with a login shell that waits for the gate to open.
// The folder that only this shell names holds the program "ours", which is a server.
func fromAMenu(t *testing.T) (o core.Options, gate string) {
	t.Helper()
	o = options(t, core.Serve)
	home := t.TempDir()
	gate = filepath.Join(home, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	shellScript(t, filepath.Join(home, "shell"), `read _ < "$HOME/gate"; PATH="$HOME/bin:$PATH" exec /bin/sh -c "$4"`)
	shellScript(t, filepath.Join(home, "bin", "ours"), `exec "$REAL"`)
	o.Environ = []string{"PATH=/usr/bin:/bin", "HOME=" + home, "SHELL=" + filepath.Join(home, "shell"), "APOLLIA_LISTEN=127.0.0.1:0"}
	return o, gate
}

// add writes the server "ours" into config.toml.
func add(t *testing.T, o core.Options) {
	t.Helper()
	d := mcptest.Command(mcptest.Options{})
	text := "[[mcp_servers]]\nname = 'ours'\ncommand = 'ours'\n[mcp_servers.env]\nREAL = '" + d.Command + "'\n"
	for _, v := range d.Env {
		text += v.Name + " = '" + v.Value + "'\n"
	}
	if err := os.WriteFile(config.Path(o.Home), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func viewOf(t *testing.T, c *core.Core) servers.View {
	t.Helper()
	return decode[servers.View](t, ask(t, window(c), http.MethodGet, "/api/servers/ours", nil))
}

func TestProgramsAreFoundWhereTheLoginShellHasThem(t *testing.T) {
	o, gate := fromAMenu(t)
	add(t, o)
	c := open(t, o) // which does not wait for the shell, since that waits for the gate
	if state := viewOf(t, c).State; state == domain.StateReady {
		t.Errorf("the server is %s before its program can be found", state)
	}
	if err := os.WriteFile(gate, []byte("\n"), 0o600); err != nil { // which waits for the shell to read
		t.Fatal(err)
	}
	mcptest.Eventually(t, "ready", func() bool { return viewOf(t, c).State == domain.StateReady })
	check := decode[servers.Check](t, ask(t, window(c), http.MethodPost, "/api/drafts/check", map[string]any{"definition": viewOf(t, c).Definition}))
	if check.Program != filepath.Join(filepath.Dir(gate), "bin", "ours") || !strings.HasSuffix(check.SearchPath, "/bin:/usr/bin:/bin") {
		t.Errorf("found %q in %q", check.Program, check.SearchPath)
	}
}

func TestLoginShellIsNotAskedFromATerminal(t *testing.T) {
	o, _ := fromAMenu(t)
	add(t, o)
	o.Environ = append(o.Environ, "TERM=xterm")
	c := open(t, o)
	mcptest.Eventually(t, "stopped although nobody opened the gate", func() bool {
		v := viewOf(t, c)
		return v.State == domain.StateStopped && v.Reason.Code == domain.CodeProgramNotFound
	})
}

func TestLoginShellThatHangsKeepsNobodyFromQuitting(t *testing.T) {
	o, _ := fromAMenu(t)
	add(t, o)
	open(t, o) // and is closed at the end
}
