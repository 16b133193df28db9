package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func saved() domain.Server {
	return domain.Server{
		ID: "acme", Enabled: true, Trust: domain.Custom,
		Definition: domain.Definition{
			Name: "Acme", Transport: domain.StreamableHTTP, URL: "https://acme.example/mcp", TimeoutMS: 2500,
			Headers: []domain.Variable{{Name: "Authorization", Value: "${secret:acme/header.Authorization}", Secret: true}},
			Env:     []domain.Variable{{Name: "REGION", Value: "eu"}},
		},
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAppendServer(t *testing.T) {
	before := "\ufeff# mine\r\n[ui]\r\ntheme = 'dark' # keep"
	path := write(t, before)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := AppendServer(path, saved()); err != nil {
		t.Fatal(err)
	}
	after := read(t, path)
	if !strings.HasPrefix(after, before+"\r\n\r\n[[mcp_servers]]\r\n") {
		t.Errorf("the file is now %q", after)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is now %v", info.Mode())
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := saved()
	want.Source, want.Line = domain.FromConfig, 5
	want.Headers[0].Secret = false
	compare(t, c.Servers, []domain.Server{want})
	leftovers, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".config*"))
	compare(t, leftovers, []string(nil))
}

func TestAppendServerMakesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", FileName)
	s := domain.Server{ID: "x", Definition: domain.Definition{
		Name: "x", Command: `C:\Program Files\x.exe`, Transport: domain.Stdio, Args: []string{"it's", "\"\n\t"}, TimeoutMS: 60000,
		Cwd: "/tmp", InheritEnv: true, BufferSize: 1 << 20, Roots: []string{"/srv"}, DefaultVerdict: domain.Allow,
	}}
	if err := AppendServer(path, s); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if text := read(t, path); !strings.Contains(text, "\ntimeout = 60\n") {
		t.Errorf("the timeout is not plain seconds:\n%s", text)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Trust, s.Source, s.Line = domain.Custom, domain.FromConfig, 1
	compare(t, c.Servers, []domain.Server{s})

	second := saved()
	second.Auth = &domain.Auth{Type: "oauth"}
	if err := AppendServer(path, second); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(path); err != nil || len(c.Servers) != 2 || c.Servers[1].Auth == nil {
		t.Errorf("got %v, %v", c.Servers, err)
	}
}

func TestAppendServerKeepsALink(t *testing.T) {
	target := write(t, "# dotfiles\n")
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.Symlink(target, path); err != nil {
		if runtime.GOOS == "windows" {
			return // needs a right that most users lack
		}
		t.Fatal(err)
	}
	if err := AppendServer(path, saved()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info, err)
	}
	if !strings.Contains(read(t, target), "acme") {
		t.Error("the target was not written")
	}
}

func TestAppendServerRefuses(t *testing.T) {
	exposed := saved()
	exposed.Headers[0].Value = "Bearer abc"
	latin := saved()
	latin.Env[0].Value = "\xe9"
	broken := saved()
	broken.URL = "${"
	for name, tt := range map[string]struct {
		before string
		server domain.Server
		code   domain.Code
	}{
		"broken file":         {"[ui\n", saved(), domain.CodeConfigInvalid},
		"file with a problem": {"[uii]\n", saved(), domain.CodeConfigInvalid},
		"list as a value":     {"mcp_servers = []\n", saved(), domain.CodeConfigInvalid},
		"duplicate":           {"[[mcp_servers]]\nname = 'ACME'\ncommand = 'x'\n", saved(), domain.CodeDuplicateName},
		"secret in clear":     {"", exposed, domain.CodeInvalidInput},
		"not UTF-8":           {"", latin, domain.CodeInvalidInput},
		"unreadable template": {"", broken, domain.CodeConfigInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, tt.before)
			err := AppendServer(path, tt.server)
			if domain.CodeOf(err) != tt.code {
				t.Errorf("got %v", err)
			}
			if strings.Contains(err.Error(), "abc") {
				t.Errorf("the message holds the secret: %v", err)
			}
			if got := read(t, path); got != tt.before {
				t.Errorf("the file is now %q", got)
			}
		})
	}
	if err := AppendServer(t.TempDir(), saved()); domain.CodeOf(err) != domain.CodeConfigInvalid {
		t.Errorf("a folder gives %v", err)
	}
}
