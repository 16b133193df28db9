package core_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/fernet/fernet-go"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// A key that cannot be had is a line of config.toml to correct: nothing is kept in another way, and nothing is lost.
func TestOwnKeyThatCannotBeHad(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no modes of files")
	}
	var key fernet.Key
	if err := key.Generate(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		write(t, path, text)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return "file:" + path
	}
	good := file("good", key.Encode()+"\n", 0o600)
	linked := filepath.Join(folder, "linked")
	if err := os.Symlink(filepath.Join(folder, "good"), linked); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ source, cause string }{
		"a file":          {good, ""},
		"a link to it":    {"file:" + linked, ""},
		"no file":         {"file:" + filepath.Join(folder, "none"), "no such file"},
		"a folder":        {"file:" + folder, "no file with a key"},
		"an open file":    {file("open", key.Encode(), 0o644), "mode 0600"},
		"an empty file":   {file("empty", "", 0o600), "32 bytes"},
		"a file of words": {file("words", "hunter2 is no key", 0o600), "32 bytes"},
		"a long file":     {file("long", strings.Repeat("x", 1<<20), 0o600), "no file with a key"},
		"no variable":     {"${NO_SUCH_KEY}", "NO_SUCH_KEY"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, core.Serve)
			write(t, filepath.Join(o.Home, "config.toml"), "[server]\ntoken_encryption_key = \""+c.source+"\"\n")
			opened := open(t, o)
			d := mcptest.Command(mcptest.Options{})
			d.Name, d.Env = "one", []domain.Variable{{Name: "API_TOKEN", Value: "ghp_0123456789abcdef", Secret: true}}
			got := ask(t, window(opened), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
			if c.cause == "" {
				if got.status >= http.StatusBadRequest {
					t.Errorf("it is not taken: %s", got.body)
				}
				return
			}
			told := string(got.body)
			if got.code(t) != domain.CodeConfigInvalid || !strings.Contains(told, c.cause) || !strings.Contains(told, "config.toml, line 2: ") {
				t.Errorf("it says %s", told)
			}
			if strings.Contains(told, "hunter2") {
				t.Error("what is in the file is shown")
			}
			if _, err := os.Stat(filepath.Join(o.Home, "server.key")); err == nil {
				t.Error("another key was made")
			}
			mcptest.Eventually(t, "the status names it", func() bool {
				return strings.Contains(string(ask(t, window(opened), http.MethodGet, "/api/status", nil).body), c.cause)
			})
		})
	}
}

// A person who took the key out of config.toml, and puts it back, need do nothing else.
func TestServersGoOnOnceTheOwnKeyIsNamedAgain(t *testing.T) {
	var key fernet.Key
	if err := key.Generate(); err != nil {
		t.Fatal(err)
	}
	o := options(t, core.Serve)
	o.Environ = append(o.Environ, "OWN_KEY="+key.Encode())
	path, named := filepath.Join(o.Home, "config.toml"), "[server]\ntoken_encryption_key = \"${OWN_KEY}\"\n"
	write(t, path, named)
	before, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, window(before), http.MethodPost, "/api/servers", api.NewServer{Definition: free("keeper", "hush-hush-hush"), SkipTest: true})
	if err := before.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}

	write(t, path, "")
	c := open(t, o)
	view := becomes(t, window(c), "keeper", domain.StateStopped)
	if view.Reason == nil || view.Reason.Code != domain.CodeSecretKeyMissing {
		t.Errorf("without the key: %+v", view.Reason)
	}
	write(t, path, named)
	becomes(t, window(c), "keeper", domain.StateReady)
}
