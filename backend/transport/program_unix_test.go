//go:build unix

package transport

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestFindProgram(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"bin/tool": 0o755, "bin/notes": 0o644, "work/run": 0o755} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "work"))
	path := strings.Join([]string{"", ".", filepath.Join(dir, "none"), filepath.Join(dir, "bin")}, ":")
	tests := []struct{ command, want, reason string }{
		{"tool", "bin/tool", ""},
		{"./run", "work/run", ""},
		{"../bin/tool", "bin/tool", ""},
		{filepath.Join(dir, "work/run"), "work/run", ""},
		{"run", "", ""}, // the folder we are in is no place to look
		{"notes", "", "not_executable"},
		{"./none", "", ""},
		{dir, "", "not_executable"},
		{"none", "", ""},
	}
	for _, test := range tests {
		got, err := FindProgram(test.command, filepath.Join(dir, "work"), path)
		if test.want != "" {
			if err != nil || got != filepath.Join(dir, test.want) {
				t.Errorf("%s: %q, %v", test.command, got, err)
			}
			continue
		}
		e := wantCode(t, err, domain.CodeProgramNotFound)
		if e.Args["program"] != test.command || e.Args["reason"] != test.reason || e.Hint == "" || e.Proof == "" {
			t.Errorf("%s: %+v", test.command, e)
		}
	}
}

// A progress display is work, though its line never ends.
func TestProgressInOneLineIsHeard(t *testing.T) {
	o := testOptions()
	script := `printf ' 10%%\r 20%%\r' >&2; cat >&2; printf 'done\r\n' >&2`
	l := dial(t, domain.Definition{Transport: domain.Stdio, Command: "/bin/sh", Args: []string{"-c", script}}, o)
	mcptest.Eventually(t, "the progress", func() bool {
		return slices.Equal(o.Log.Tail(StreamStderr, 9), []string{" 10%", " 20%"})
	})
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if got := o.Log.Tail(StreamStderr, 9); !slices.Equal(got, []string{" 10%", " 20%", "done"}) {
		t.Errorf("lines %q", got)
	}
}
