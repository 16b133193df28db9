package servers

import (
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

const claudeDesktop = `{ "mcpServers": {
  "notes":  { "command": "npx", "args": ["-y", "@example/notes-mcp", "/Users/lea/Notes"], "env": { "NOTES_KEY": "k-123" } },
  "ledger": { "command": "npx", "args": ["-y", "mcp-remote", "https://mcp.ledger.example.com/sse", "--transport", "http-only",
     "--header", "Authorization:${AUTH}"], "env": {"AUTH": "Bearer abc1"} } } }`

const vsCode = `{ // settings
  "inputs": [ { "type": "promptString", "id": "ledger-token", "password": true } ],
  "servers": {
   "notes":  { "type": "stdio", "command": "npx", "args": ["-y", "@example/notes-mcp", "${workspaceFolder}"],
     "env": { "NOTES_KEY": "${env:NOTES_KEY}", "PORT": 80, "NONE": null }, "envFile": "x" },
   "ledger": { "type": "http", "url": "https://mcp.ledger.example.com/mcp", "headers": { "Authorization": "Bearer ${input:ledger-token}" } }, } }`

const zed = `{ "theme": "One", "context_servers": {
  "old": {"source":"custom","command":{"path":"npx","args":["a"],"env":{"K":"1"}}},
  "ext": {"source":"extension","settings":{}},
  "ledger": { "url": "https://l.com/mcp", "headers": { "Authorization": "Bearer abcd" } } } }`

const gemini = `{"mcpServers":{"notes":{"command":"npx","args":["-y","n"],"env":{"NOTES_KEY":"$NOTES_KEY"},"timeout":30000,"trust":true},
 "ledger":{"httpUrl":"https://l.com/sse","headers":{"Authorization":"Bearer $LEDGER"}},"old":{"url":"https://o.com/sse","timeout":5}}}`

const codex = `[mcp_servers.notes]
command = "npx"
args = ["-y", "n"]
env = { NOTES_MODE = "ro" }
env_vars = ["NOTES_KEY"]          # forwarded
startup_timeout_sec = 20

[mcp_servers.ledger]
url = "https://l.com/mcp"
bearer_token_env_var = "LEDGER_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-API-Key" = "LEDGER_KEY" }
`

const goose = `extensions:
  developer: { name: developer, type: builtin, enabled: true }
  notes:  { name: notes, type: stdio, cmd: npx, args: ["-y", n], envs: {}, env_keys: [NOTES_KEY], timeout: 300, bundled: null }
  ledger: { name: ledger, type: streamable_http, uri: "https://l.com/sse", headers: { Authorization: "Bearer abcd" } }
`

const continueDev = `mcpServers:
  - name: notes
    type: stdio
    command: npx
    args: ["-y", n]
    env: { NOTES_KEY: "${{ secrets.NOTES_KEY }}" }
  - name: ledger
    type: streamable-http
    url: https://l.com/mcp
    requestOptions: { headers: { Authorization: "Bearer ${{ secrets.LEDGER }}" } }
`

const opencode = `{ "$schema": "x", "mcp": { "notes": { "type": "local", "command": ["npx", "-y", "n"], "environment": { "K": "{env:NOTES_KEY}" } },
  "ledger": { "type": "remote", "url": "https://l.com/mcp", "headers": { "Authorization": "Bearer {env:LEDGER}" } } } }`

const ourConfig = `[[mcp_servers]]
name = "acme"
transport = "streamable-http"
url = "https://a.com"
requires_approval = false
roots = ["/x"]
auth = "oauth"
[mcp_servers.env]
T = "${T}"
`

const ourApp = `app:
  app_id: demo
modules:
  mcp:
    config:
      servers:
        github: { token: "{{secret.GITHUB_TOKEN}}" }
        slack:
          transport: stdio
          command: npx
          args: ["@a/mcp-server-slack"]
          env:
            SLACK_TOKEN: "{{env.SLACK_TOKEN}}"
          timeout: 30
`

func TestPasteSnippets(t *testing.T) {
	notes := "notes | stdio | npx·-y·n"
	runPaste(t, []pasteCase{
		{"Claude Desktop", claudeDesktop, "json", "mcpServers", []string{
			"notes | stdio | npx·-y·@example/notes-mcp·/Users/lea/Notes | env NOTES_KEY=k-123!",
			"ledger | streamable_http | https://mcp.ledger.example.com/sse | env AUTH=Bearer abc1! | headers Authorization=${AUTH}",
		}},
		{"VS Code", vsCode, "json", "servers", []string{
			"notes | stdio | npx·-y·@example/notes-mcp·${workspaceFolder} | env NOTES_KEY=${NOTES_KEY}·PORT=80",
			"ledger | streamable_http | https://mcp.ledger.example.com/mcp | headers Authorization=Bearer ${LEDGER_TOKEN}",
		}},
		{
			"VS Code settings", `{"editor.x": 1, "mcp": {"inputs": [], "servers": {"a": {"command": "a"}}}}`,
			"json", "mcp.servers",
			[]string{"a | stdio | a"},
		},
		{
			"dev container", `{"customizations": {"vscode": {"mcp": {"servers": {"a": {"command": "a"}}}}}}`,
			"json", "customizations.vscode.mcp.servers",
			[]string{"a | stdio | a"},
		},
		{
			"Claude Code projects", `{"projects": {"/srv/x": {"mcpServers": {"a": {"command": "a"}}}}}`,
			"json", "projects./srv/x.mcpServers",
			[]string{"a | stdio | a"},
		},
		{
			"Windsurf", `{"mcpServers": {"a": {"serverUrl": "https://a.com/mcp"}}}`,
			"json", "mcpServers",
			[]string{"a | streamable_http | https://a.com/mcp"},
		},
		{
			"Amp", `{"amp.mcpServers": {"a": {"url": "https://a.com/mcp"}}}`,
			"json", "amp.mcpServers",
			[]string{"a | streamable_http | https://a.com/mcp"},
		},
		{
			"Cline", `{"mcpServers": {"a": {"type": "streamableHttp", "url": "https://a.com/sse"}}}`,
			"json", "mcpServers",
			[]string{"a | streamable_http | https://a.com/sse"},
		},
		{"Zed", zed, "json", "context_servers", []string{
			"old | stdio | npx·a | env K=1", "ledger | streamable_http | https://l.com/mcp | headers Authorization=Bearer abcd!",
		}},
		{"Gemini CLI", gemini, "json", "mcpServers", []string{
			notes + " | env NOTES_KEY=${NOTES_KEY} | timeout 30000",
			"ledger | streamable_http | https://l.com/sse | headers Authorization=Bearer ${LEDGER}",
			"old | sse | https://o.com/sse | timeout 5000",
		}},
		{"Codex", codex, "toml", "mcp_servers", []string{
			notes + " | env NOTES_MODE=ro·NOTES_KEY=${NOTES_KEY} | timeout 20000",
			"ledger | streamable_http | https://l.com/mcp | headers X-Region=eu·X-API-Key=${LEDGER_KEY}·Authorization=Bearer ${LEDGER_TOKEN}",
		}},
		{"Goose", goose, "yaml", "extensions", []string{
			notes + " | env NOTES_KEY=${NOTES_KEY} | timeout 300000",
			"ledger | streamable_http | https://l.com/sse | headers Authorization=Bearer abcd!",
		}},
		{"Continue", continueDev, "yaml", "mcpServers", []string{
			notes + " | env NOTES_KEY=${NOTES_KEY}", "ledger | streamable_http | https://l.com/mcp | headers Authorization=Bearer ${LEDGER}",
		}},
		{"opencode", opencode, "json", "mcp", []string{
			notes + " | env K=${NOTES_KEY}", "ledger | streamable_http | https://l.com/mcp | headers Authorization=Bearer ${LEDGER}",
		}},
		{"opencode 2", `{"mcp": {"servers": {"notes": {"type": "local", "command": ["npx", "-y", "n"]}}}}`, "json", "mcp.servers", []string{notes}},
		{"our app", ourApp, "yaml", "modules.mcp.config.servers", []string{
			"slack | stdio | npx·@a/mcp-server-slack | env SLACK_TOKEN=${SLACK_TOKEN} | timeout 30000",
		}},
		{
			"our config", ourConfig,
			"toml", "mcp_servers",
			[]string{"acme | streamable_http | https://a.com | env T=${T} | roots /x | auth oauth"},
		},
		{"bare entry", `{"type": "sse", "url": "https://x.acme.com/events"}`, "json", "", []string{"x | sse | https://x.acme.com/events"}},
		{"bare toml", "# mine\ncommand = \"npx\"\nargs = [\"a-mcp\"]\n", "toml", "", []string{"a | stdio | npx·a-mcp"}},
		{"bare toml without spaces", `command="npx"`, "toml", "", []string{"npx | stdio | npx"}},
		{"bare yaml", "name: a\nurl: https://a.com/mcp", "yaml", "", []string{"a | streamable_http | https://a.com/mcp"}},
		{
			"named entries", `{"a": {"command": "x"}, "b": {"url": "https://b.com"}}`,
			"json", "",
			[]string{"a | stdio | x", "b | streamable_http | https://b.com"},
		},
		{"without braces", "\"a\": {\n \"command\": \"x\"\n},", "json", "", []string{"a | stdio | x"}},
		{"without the first brace", `"mcpServers": {"a": {"command": "x"}}}`, "json", "mcpServers", []string{"a | stdio | x"}},
		{"known key without braces", `  "mcpServers": {"a": {"command": "x"}}`, "json", "mcpServers", []string{"a | stdio | x"}},
		{"list", `[{"name": "a", "command": "x"}, {"command": "y"}]`, "json", "", []string{"a | stdio | x", "y | stdio | y"}},
		{"fence, bom, crlf", "\ufeff```json\r\n{\"a\": {\"command\": \"x\"}}\r\n```\r\n", "json", "", []string{"a | stdio | x"}},
		{
			"one text as command", `{"command": "npx -y 'a b'", "env": ["K=V", {"name": "L", "value": "W"}]}`,
			"json", "",
			[]string{"a b | stdio | npx·-y·a b | env K=V·L=W"},
		},
		{
			"path with spaces as command", `{"command": "C:\\Program Files\\x.exe", "args": "--a 'b c'"}`,
			"json", "",
			[]string{`x | stdio | C:\Program Files\x.exe·--a·b c`},
		},
		{"path with spaces alone", `{"command": "/opt/my tools/x"}`, "json", "", []string{"x | stdio | /opt/my tools/x"}},
		{
			"windows bridge", `{"l": {"command": "cmd", "args": ["/c", "npx", "mcp-remote", "https://l.com/sse"]}}`,
			"json", "",
			[]string{"l | sse | https://l.com/sse"},
		},
		{"cmd stays", `{"l": {"command": "cmd", "args": ["/c", "npx", "-y", "x"]}}`, "json", "", []string{"l | stdio | cmd·/c·npx·-y·x"}},
		{"command and address", `{"a": {"command": "x", "url": "https://a.com"}}`, "json", "", []string{"a | stdio | x"}},
		{
			"database password", `{"a": {"command": "x", "env": {"DATABASE_URL": "postgres://lea:pw@db/x"}}}`,
			"json", "",
			[]string{"a | stdio | x | env DATABASE_URL=postgres://lea:pw@db/x!"},
		},
	})
}

func TestPasteWarnings(t *testing.T) {
	for text, want := range map[string][]string{
		vsCode: {`the variables of the file in "envFile" were not read`},
		ourApp: {`"github" was left out: it has no command and no address`},
		`{"mcpServers": {"a": {"command": "x", "args": [["y"]]}, "b": {}}}`: {
			`"b" was left out: it has no command and no address`, "a value that is no text was left out",
		},
	} {
		p, err := Paste(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range p.Warnings {
			got = append(got, w.Args["reason"])
			if w.Args["line"] == "" {
				t.Errorf("%v has no line", w)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What another program trusts or lets through is no reason to do so here.
func TestPasteTakesNoRightsOver(t *testing.T) {
	for _, key := range []string{`"requires_approval": false`, `"trust": true`, `"autoApprove": ["*"]`, `"alwaysAllow": ["x"]`} {
		p, err := Paste(`{"mcpServers": {"a": {"command": "x", ` + key + `}}}`)
		if err != nil || p.Definitions[0].DefaultVerdict != domain.Ask {
			t.Errorf("%s gives %v, %v", key, p.Definitions, err)
		}
	}
}

func FuzzPaste(f *testing.F) {
	for _, seed := range []string{
		claudeDesktop, vsCode, codex, goose, ourApp, "A=1 npx -y x --token y", "https://a:b@c.com/sse?key=1", `"a": {"command": "x"}`,
		"claude mcp add -e A=B x -- y", "curl -u a:b x.com -H 'A: b'", "cmd /c npx mcp-remote http://x --header a", "apollia mcp add-server --url x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Paste(text)
		if err != nil {
			if e := domain.AsError(err); e.Code != domain.CodeInvalidInput || e.Args["line"] == "" || e.Hint == "" {
				t.Fatalf("a poor error: %+v", e)
			}
			return
		}
		if len(p.Definitions) == 0 || p.Format == "" {
			t.Fatalf("nothing was recognised, and no error: %+v", p)
		}
		for _, d := range p.Definitions {
			if d.Name == "" || d.Transport == "" || (d.Transport == domain.Stdio) == (d.Command == "") {
				t.Fatalf("half a definition: %s", spelled(d))
			}
		}
	})
}
