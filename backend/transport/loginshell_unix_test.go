//go:build unix

package transport

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/mcptest"
)

// loginShell writes a shell of the given behaviour, which then is an environment's SHELL.
func loginShell(t *testing.T, script string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shell")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{"SHELL=" + file, "PATH=/usr/bin:/bin", "HOME=" + filepath.Dir(file)}
}

func TestLoginPath(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"banners around it", `echo "Welcome!"; PATH=/opt/nvm/bin:$PATH; export PATH; [ "$1$2$3" = -l-i-c ] && /bin/sh -c "$4"; echo bye`, "/opt/nvm/bin:/usr/bin:/bin"},
		{"a failure at the end", `/bin/sh -c "$4"; exit 3`, "/usr/bin:/bin"},
		{"a great deal of text", `head -c 3000000 /dev/zero; echo; /bin/sh -c "$4"`, "/usr/bin:/bin"},
		{"something left behind", `sleep 1000 & /bin/sh -c "$4"`, "/usr/bin:/bin"},
	}
	for _, test := range tests {
		got, err := LoginPath(mcptest.Within(t), loginShell(t, test.script))
		if err != nil || got != test.want {
			t.Errorf("%s: %q (%v)", test.name, got, err)
		}
	}
	for name, environ := range map[string][]string{
		"no shell": {"PATH=/bin"}, "a missing shell": {"SHELL=/no/such"}, "a relative shell": {"SHELL=sh"},
		"a shell that says nothing": loginShell(t, "exit 0"),
	} {
		if got, err := LoginPath(mcptest.Within(t), environ); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestLoginShellThatHangsIsEnded(t *testing.T) {
	environ := loginShell(t, `echo $$ > "$HOME/pid"; sleep 1000 & sleep 1000`)
	ctx, cancel := context.WithCancel(mcptest.Within(t))
	failed := make(chan error, 1)
	go func() {
		_, err := LoginPath(ctx, environ)
		failed <- err
	}()
	pid := ""
	mcptest.Eventually(t, "the shell", func() bool {
		text, _ := os.ReadFile(filepath.Join(variable(environ, "HOME", ""), "pid"))
		pid = strings.TrimSpace(string(text))
		return pid != ""
	})
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	mcptest.Eventually(t, "nothing of it left", func() bool {
		_, err := os.Stat("/proc/" + pid)
		return errors.Is(err, os.ErrNotExist)
	})
}

func TestMergePaths(t *testing.T) {
	got := MergePaths("/home/ada/.nvm/bin:/usr/bin", "/usr/bin:.::bin:/bin", "")
	if want := "/home/ada/.nvm/bin:/usr/bin:/bin"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
