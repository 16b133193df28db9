package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

// compare shows how two values differ.
func compare(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const full = `# mine
call_idle_timeout = 90
[server]
listen = "127.0.0.1:0"
[ui]
theme = "dark"
letter_shortcuts = false
[defaults]
buffer_size = 1_048_576

[[policy.rules]]
verdict = "deny"
server = "git*"
actions = ["delete_*", "prompt:x"]
client = "cursor"
[[policy.rules]]
verdict = "allow"

[[mcp_servers]]
name = "acme-internal"
transport = "streamable-http"
url = "https://mcp.acme.internal/${REGION:-eu}"
requires_approval = true
headers = { Authorization = "Bearer ${ACME_TOKEN}" }

[mcp_servers.env]
ACME_TOKEN = "${ACME_TOKEN}"
PORT = 80

[[mcp_servers]]
name = "Local"
command = "npx"
args = ["-y", "x"]
cwd = "C:\\x"
inherit_env = true
timeout = 2.5
buffer_size = 65536
roots = ["/srv"]
requires_approval = false
enabled = false
[[mcp_servers]]
name = "old"
transport = "sse"
url = "http://localhost/sse"
auth = "oauth"
`

func TestLoad(t *testing.T) {
	c, err := Load(write(t, full))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, c.Servers, []domain.Server{
		{
			ID: "acme_internal", Trust: domain.Custom, Enabled: true, Source: domain.FromConfig, Line: 19,
			Definition: domain.Definition{
				Name: "acme-internal", Transport: domain.StreamableHTTP, URL: "https://mcp.acme.internal/${REGION:-eu}",
				Env:     []domain.Variable{{Name: "ACME_TOKEN", Value: "${ACME_TOKEN}"}, {Name: "PORT", Value: "80"}},
				Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer ${ACME_TOKEN}"}},
			},
		},
		{
			ID: "local", Trust: domain.Custom, Source: domain.FromConfig, Line: 30,
			Definition: domain.Definition{
				Name: "Local", Transport: domain.Stdio, Command: "npx", Args: []string{"-y", "x"}, Cwd: `C:\x`, InheritEnv: true,
				TimeoutMS: 2500, BufferSize: 65536, Roots: []string{"/srv"}, DefaultVerdict: domain.Allow,
			},
		},
		{
			ID: "old", Trust: domain.Custom, Enabled: true, Source: domain.FromConfig, Line: 41,
			Definition: domain.Definition{
				Name: "old", Transport: domain.SSE, URL: "http://localhost/sse", Auth: &domain.Auth{Type: "oauth"},
			},
		},
	})
	compare(t, c.Rules, []domain.Rule{
		{
			ID: "config:11", Verdict: domain.Deny, Server: "git*", Actions: []string{"delete_*", "prompt:x"}, Client: "cursor",
			Source: domain.FromConfig, Line: 11,
		},
		{ID: "config:16", Verdict: domain.Allow, Source: domain.FromConfig, Line: 16},
	})
	compare(t, c.Settings, map[string]Value{
		"call_idle_timeout": {"90", 2}, "server.listen": {"127.0.0.1:0", 4}, "ui.theme": {"dark", 6},
		"ui.letter_shortcuts": {"false", 7}, "defaults.buffer_size": {"1048576", 9},
	})
	if value, line, ok := c.SettingAt("ui.theme"); value != "dark" || line != 6 || !ok {
		t.Errorf("ui.theme is %q in line %d, %v", value, line, ok)
	}
	if _, _, ok := c.SettingAt("ui.language"); ok {
		t.Error("a setting that the file does not have is there")
	}
}

func TestLoadMissingFile(t *testing.T) {
	c, err := Load(filepath.Join(t.TempDir(), FileName))
	if err != nil || len(c.Servers) != 0 || len(c.Problems) != 0 {
		t.Errorf("got %v, %v", c, err)
	}
}

func TestTransportSpellings(t *testing.T) {
	for line, want := range map[string]domain.Transport{
		`transport = "http"` + "\nurl = 'http://x'":            domain.StreamableHTTP,
		`transport = "streamable_http"` + "\nurl = 'http://x'": domain.StreamableHTTP,
		`transport = "sse"` + "\nurl = '${ADDRESS}'":           domain.SSE,
		`transport = "stdio"` + "\ncommand = 'x'":              domain.Stdio,
		`url = "https://x/sse"`:                                domain.StreamableHTTP,
		`command = "x"`:                                        domain.Stdio,
	} {
		c, err := parse(FileName, []byte("[[mcp_servers]]\nname = 'x'\n"+line))
		if err != nil || c.Servers[0].Transport != want {
			t.Errorf("%s gives %v, %v", line, c.Servers, err)
		}
	}
}

func TestProblems(t *testing.T) {
	stdio := "[[mcp_servers]]\nname = \"a\"\ncommand = \"x\"\n"
	for _, tt := range []struct {
		name, text   string
		line, column string
		problem      string
		message      string
	}{
		{"broken toml", "[ui]\ntheme = \n", "2", "9", "syntax", ""},
		{"not utf-8", "a = '\xe9'", "1", "6", "syntax", "UTF-8"},
		{"top-level typo", "[polcy]\n", "1", "2", "unknown_key", `unknown key "polcy" in config.toml`},
		{"typo in a server", stdio + "comand = 'x'", "4", "1", "unknown_key", `unknown key "comand" in [[mcp_servers]]`},
		{"typo in a rule", "[[policy.rules]]\nverdict = 'deny'\naction = ['x']", "3", "1", "unknown_key", `"action"`},
		{"typo in a section", "[ui]\ncolour = 'x'", "2", "1", "unknown_key", "[ui]"},
		{"typo of the list", "[[policy.rule]]\nverdict = 'deny'", "1", "10", "unknown_key", `"rule" in [policy]`},
		{"no name", "[[mcp_servers]]\ncommand = 'x'", "1", "1", "missing_key", "needs a name"},
		{"illegal name", "\n[[mcp_servers]]\nname = '***'\ncommand = 'x'", "3", "1", "illegal_name", "has no letter"},
		{"duplicate name", stdio + "[[mcp_servers]]\nname = 'A '\ncommand = 'y'", "4", "1", "duplicate_name", "line 1"},
		{"wrong type", stdio + "args = 'x'", "4", "8", "wrong_type", "args must be a list of texts, not text"},
		{"wrong type in a list", stdio + "args = ['x', 1]", "4", "14", "wrong_type", "args must be a list of texts"},
		{"wrong type of a flag", stdio + "enabled = 1", "4", "11", "wrong_type", "true or false"},
		{"wrong type of text", "[[mcp_servers]]\nname = 1\ncommand = 'x'", "2", "8", "wrong_type", "name must be text, not a whole number"},
		{"wrong type of env", stdio + "env = ['A=1']", "4", "1", "wrong_type", "env must be a table"},
		{"wrong type in env", stdio + "env = { A = [1] }", "4", "9", "wrong_type", "env.A"},
		{"wrong type of a number", stdio + "timeout = '30'", "4", "11", "wrong_type", "a number of seconds"},
		{"wrong type of a section", "ui = 1", "1", "6", "wrong_type", "ui must be a table"},
		{"wrong type of a setting", "[ui]\ntheme = ['dark']", "2", "1", "wrong_type", "ui.theme"},
		{"servers are no list", "[mcp_servers.x]\ncommand = 'x'", "1", "2", "bad_value", "list of tables"},
		{"servers are no tables", "mcp_servers = ['x']", "1", "16", "bad_value", "list of tables"},
		{"timeout too long", stdio + "timeout = 1e9", "4", "1", "bad_value", "between 0 and 3600 seconds"},
		{"timeout not a number", stdio + "timeout = nan", "4", "1", "bad_value", "between 0 and 3600 seconds"},
		{"buffer too small", stdio + "buffer_size = 1", "4", "1", "bad_value", "between 65536 and 1073741824 bytes"},
		{"unknown transport", stdio + "transport = 'tcp'", "4", "1", "bad_value", `unknown transport "tcp"`},
		{"no command", "[[mcp_servers]]\nname = 'a'", "1", "1", "missing_key", "needs command"},
		{"empty command", "[[mcp_servers]]\nname = 'a'\ncommand = ' '", "3", "1", "missing_key", "needs command"},
		{"no address", "[[mcp_servers]]\nname = 'a'\ntransport = 'http'", "1", "1", "missing_key", "needs url"},
		{"not an address", "[[mcp_servers]]\nname = 'a'\nurl = 'x.org'", "3", "1", "bad_value", "not the address"},
		{"useless key", stdio + "url = 'https://x'", "4", "1", "bad_value", "url does nothing"},
		{"unknown sign-in", "[[mcp_servers]]\nname = 'a'\nurl = 'https://x'\nauth = 'x'", "4", "1", "bad_value", "sign in"},
		{"header twice", "[[mcp_servers]]\nname = 'a'\nurl = 'https://x'\nheaders = { A = '1', a = '2' }", "4", "1", "bad_value", "twice"},
		{"header with a line break", "[[mcp_servers]]\nname = 'a'\nurl = 'https://x'\nheaders = { A = \"1\\n\" }", "4", "1", "bad_value", "line break"},
		{"nul", "[[mcp_servers]]\nname = 'a'\ncommand = \"x\\u0000\"", "3", "11", "bad_value", "NUL"},
		{"bad template", stdio + "args = ['${A']", "4", "9", "bad_template", `no "}"`},
		{"bad template in env", stdio + "env = { A = '${input:x}' }", "4", "13", "bad_template", "${input:x}"},
		{"unknown verdict", "[[policy.rules]]\nverdict = 'block'", "2", "1", "bad_value", `unknown verdict "block"`},
		{"no verdict", "[[policy.rules]]\nserver = 'x'", "1", "1", "missing_key", "needs a verdict"},
		{"rule for nothing", "[[policy.rules]]\nverdict = 'allow'\nserver = ''", "3", "1", "bad_value", "server is empty"},
		{"rule without actions", "[[policy.rules]]\nverdict = 'allow'\nactions = []", "3", "1", "bad_value", "actions is empty"},
		{"rule with an empty action", "[[policy.rules]]\nverdict = 'allow'\nactions = ['']", "3", "1", "bad_value", "empty name"},
		{"policy is no table", "policy = 1", "1", "10", "wrong_type", "policy must be a table"},
		{"bad setting", "[approvals]\nfrom_cli = 'yes'", "2", "12", "bad_value", "one of terminal, always, never"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Load(write(t, tt.text))
			if domain.CodeOf(err) != domain.CodeConfigInvalid || len(c.Problems) == 0 || !errors.Is(err, c.Problems[0]) {
				t.Fatalf("got %v with the problems %v", err, c.Problems)
			}
			e := domain.AsError(err)
			if len(c.Problems) != 1 {
				t.Errorf("more than one problem: %v", c.Problems)
			}
			if e.Args["line"] != tt.line || e.Args["column"] != tt.column || e.Args["problem"] != tt.problem {
				t.Errorf("got %s at %s:%s, want %s at %s:%s", e.Args["problem"], e.Args["line"], e.Args["column"], tt.problem, tt.line, tt.column)
			}
			if !strings.Contains(e.Message, tt.message) || !strings.Contains(e.Message, "line "+tt.line) || e.Hint == "" {
				t.Errorf("got %q with the hint %q, want …%s…", e.Message, e.Hint, tt.message)
			}
		})
	}
}

func TestProblemsAreInTheOrderOfTheFile(t *testing.T) {
	c, err := Load(write(t, "[ui]\ntheme = 'x'\n[[mcp_servers]]\nname = 'good'\ncommand = 'x'\n[[mcp_servers]]\nname = 'b'\n"+
		"[[policy.rules]]\nverdict = 'deny'\n[x]\n"))
	var lines []string
	for _, p := range c.Problems {
		lines = append(lines, p.Args["line"])
	}
	compare(t, lines, []string{"2", "6", "10"})
	if domain.AsError(err) != c.Problems[0] {
		t.Errorf("the error is %v", err)
	}
	if len(c.Servers) != 2 || len(c.Rules) != 1 {
		t.Errorf("what can be read is lost: %v, %v", c.Servers, c.Rules)
	}
}

func TestUnreadableFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), FileName)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Load(folder)
	if e := domain.AsError(err); e == nil || e.Code != domain.CodeConfigInvalid || e.Args["problem"] != "unreadable" {
		t.Errorf("got %v", err)
	}
	_, err = Load(write(t, strings.Repeat("#\n", maxFile)))
	if err == nil || !strings.Contains(err.Error(), "longer than 1 MiB") {
		t.Errorf("got %v", err)
	}
}

func TestHome(t *testing.T) {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	folder := t.TempDir()
	environ := map[string]string{variable: folder}
	getenv := func(name string) string { return environ[name] }
	home, err := Home(getenv)
	if err != nil || home != filepath.Join(folder, ".apollia") {
		t.Errorf("got %q, %v", home, err)
	}
	environ["APOLLIA_HOME"] = "relative"
	home, err = Home(getenv)
	if err != nil || !filepath.IsAbs(home) || filepath.Base(home) != "relative" {
		t.Errorf("got %q, %v", home, err)
	}
	if got := Path(home); got != filepath.Join(home, "config.toml") {
		t.Errorf("got %q", got)
	}
	_, err = Home(func(string) string { return "" })
	if domain.CodeOf(err) != domain.CodeInvalidInput {
		t.Errorf("got %v", err)
	}
}
