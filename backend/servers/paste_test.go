package servers

import (
	"fmt"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// spelled writes a definition on one line; a secret ends in "!".
func spelled(d domain.Definition) string {
	parts := []string{d.Name, string(d.Transport)}
	if d.Command != "" {
		parts = append(parts, strings.Join(append([]string{d.Command}, d.Args...), "·"))
	}
	if d.URL != "" {
		parts = append(parts, d.URL)
	}
	parts = append(parts, spelledVariables("env", d.Env)...)
	parts = append(parts, spelledVariables("headers", d.Headers)...)
	if d.Cwd != "" {
		parts = append(parts, "cwd "+d.Cwd)
	}
	if len(d.Roots) > 0 {
		parts = append(parts, "roots "+strings.Join(d.Roots, ","))
	}
	if d.TimeoutMS != 0 {
		parts = append(parts, fmt.Sprint("timeout ", d.TimeoutMS))
	}
	if d.Auth != nil {
		parts = append(parts, "auth "+d.Auth.Type)
	}
	return strings.Join(parts, " | ")
}

func spelledVariables(label string, variables []domain.Variable) []string {
	var words []string
	for _, v := range variables {
		mark := ""
		if v.Secret {
			mark = "!"
		}
		words = append(words, v.Name+"="+v.Value+mark)
	}
	if words == nil {
		return nil
	}
	return []string{label + " " + strings.Join(words, "·")}
}

type pasteCase struct {
	name, text string
	format     string
	read       string
	want       []string
}

func runPaste(t *testing.T, cases []pasteCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Paste(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if p.Format != tt.format || p.Read != tt.read {
				t.Errorf("read as %s %q, want %s %q", p.Format, p.Read, tt.format, tt.read)
			}
			secrets := 0
			for i, d := range p.Definitions {
				got := spelled(d)
				secrets += strings.Count(got, "!")
				if i >= len(tt.want) || got != tt.want[i] {
					t.Errorf("got  %s", got)
				}
			}
			if len(p.Definitions) != len(tt.want) || t.Failed() {
				t.Errorf("want %s", strings.Join(tt.want, "\n     "))
			}
			if p.Secrets != secrets {
				t.Errorf("%d secrets are counted, %d are marked", p.Secrets, secrets)
			}
		})
	}
}

func TestPasteCommand(t *testing.T) {
	runPaste(t, []pasteCase{
		{
			"npx", "npx -y @modelcontextprotocol/server-everything", "command", "npx",
			[]string{"everything | stdio | npx·-y·@modelcontextprotocol/server-everything"},
		},
		{
			"folder with spaces", `npx -y @modelcontextprotocol/server-filesystem@2025.1 "/home/lea/My files"`, "command", "npx",
			[]string{"filesystem | stdio | npx·-y·@modelcontextprotocol/server-filesystem@2025.1·/home/lea/My files"},
		},
		{
			"environment before", `NOTES_KEY="k 1" MODE=ro npx -y notes-mcp`, "command", "npx",
			[]string{"notes | stdio | npx·-y·notes-mcp | env NOTES_KEY=k 1!·MODE=ro"},
		},
		{
			"env program", "env A=1 uvx mcp-server-git", "command", "uvx",
			[]string{"git | stdio | uvx·mcp-server-git | env A=1"},
		},
		{
			"exports, cd, prompts", "$ export API_TOKEN=$TOKEN\n$ cd ~/x && python3 -m weather_mcp", "command", "python3",
			[]string{"weather | stdio | python3·-m·weather_mcp | env API_TOKEN=${TOKEN} | cwd ${HOME}/x"},
		},
		{
			"docker", "docker run -i --rm -e GITHUB_TOKEN=ghp_abcdefgh1234 ghcr.io/github/github-mcp-server", "command", "docker",
			[]string{"github | stdio | docker·run·-i·--rm·-e·GITHUB_TOKEN=${GITHUB_TOKEN}·ghcr.io/github/github-mcp-server | env GITHUB_TOKEN=ghp_abcdefgh1234!"},
		},
		{
			"secrets in arguments", "acme-mcp --api-key=abc --token 'x y' --mode fast sk-ant-1234567890", "command", "acme-mcp",
			[]string{"acme | stdio | acme-mcp·--api-key=${API_KEY}·--token·${TOKEN}·--mode·fast·${SECRET} | env API_KEY=abc!·TOKEN=x y!·SECRET=sk-ant-1234567890!"},
		},
		{
			"windows", `PS C:\Users\lea> "C:\Program Files\node\npx.cmd" -y ` + "`\r\n" + `  pkg D:\data`, "command", "npx",
			[]string{`pkg | stdio | C:\Program Files\node\npx.cmd·-y·pkg·D:\data`},
		},
		{
			"uv directory", "uv --directory /srv/weather run weather.py", "command", "uv",
			[]string{"weather | stdio | uv·--directory·/srv/weather·run·weather.py"},
		},
		{"fenced", "```sh\nnpx x-mcp\n```\n", "command", "npx", []string{"x | stdio | npx·x-mcp"}},
		{"back quotes", "`npx x-mcp`", "command", "npx", []string{"x | stdio | npx·x-mcp"}},
		{
			"two lines", "npx a-mcp\nnpx a-mcp", "command", "npx",
			[]string{"a | stdio | npx·a-mcp", "a_2 | stdio | npx·a-mcp"},
		},
		{
			"bridge", `npx -y mcp-remote@latest https://mcp.ledger.example.com/mcp 3334 --header "X-Key: ${LEDGER}"`, "command", "npx",
			[]string{"ledger | streamable_http | https://mcp.ledger.example.com/mcp | headers X-Key=${LEDGER}"},
		},
		{
			"python bridge",
			"uvx mcp-proxy --transport=streamablehttp --headers Authorization 'Bearer abcdef' http://localhost:8000/mcp",
			"command", "uvx",
			[]string{"localhost | streamable_http | http://localhost:8000/mcp | headers Authorization=Bearer abcdef!"},
		},
		{
			"bridge the other way", "npx -y supergateway --stdio 'npx -y x' --port 8000", "command", "npx",
			[]string{"supergateway | stdio | npx·-y·supergateway·--stdio·npx -y x·--port·8000"},
		},
		{
			"curl",
			"curl -sS -X POST https://api.acme.com/mcp -H 'Authorization: Bearer abcdef' -H 'Content-Type: application/json' -H \"X-Team: $TEAM\" \\\n  -d '{\"a\":1}'",
			"command", "curl",
			[]string{"acme | streamable_http | https://api.acme.com/mcp | headers Authorization=Bearer abcdef!·X-Team=${TEAM}"},
		},
		{
			"curl with a user", "curl -u lea:pw localhost:3000/sse", "command", "curl",
			[]string{"localhost | sse | http://localhost:3000/sse | headers Authorization=Basic bGVhOnB3!"},
		},
	})
}

func TestPasteURL(t *testing.T) {
	runPaste(t, []pasteCase{
		{"streamable", "  https://mcp.sentry.dev/mcp\n", "url", "url", []string{"sentry | streamable_http | https://mcp.sentry.dev/mcp"}},
		{"sse", "https://x.example.com/sse/?a=1", "url", "url", []string{"x | sse | https://x.example.com/sse/?a=1"}},
		{"no scheme", "mcp.acme.internal/mcp", "url", "url", []string{"acme | streamable_http | https://mcp.acme.internal/mcp"}},
		{"this machine", "localhost:3001", "url", "url", []string{"localhost | streamable_http | http://localhost:3001"}},
		{"address in numbers", "http://192.168.1.2:80/mcp", "url", "url", []string{"192.168.1.2 | streamable_http | http://192.168.1.2:80/mcp"}},
		{
			"key in the query", "https://a.com/mcp?x=%20&api_key=abc&y", "url", "url",
			[]string{"a | streamable_http | https://a.com/mcp?x=%20&api_key=${API_KEY}&y | env API_KEY=abc!"},
		},
		{
			"key in the path", "https://a.com/s/sk-1234567890/mcp", "url", "url",
			[]string{"a | streamable_http | https://a.com/s/${URL_SECRET}/mcp | env URL_SECRET=sk-1234567890!"},
		},
		{
			"user and password", "https://lea:p%40w@a.com/mcp", "url", "url",
			[]string{"a | streamable_http | https://a.com/mcp | headers Authorization=Basic bGVhOnBAdw==!"},
		},
	})
}

func TestPasteClientLines(t *testing.T) {
	runPaste(t, []pasteCase{
		{
			"claude http",
			`claude mcp add --transport http sentry https://mcp.sentry.dev/mcp --header "Authorization: Bearer $TOKEN"`,
			"claude", "claude mcp add",
			[]string{"sentry | streamable_http | https://mcp.sentry.dev/mcp | headers Authorization=Bearer ${TOKEN}"},
		},
		{
			"claude sse", "claude mcp add -t sse -s user asana https://mcp.asana.com/x -H 'X-API-Key: abc'", "claude", "claude mcp add",
			[]string{"asana | sse | https://mcp.asana.com/x | headers X-API-Key=abc!"},
		},
		{
			"claude stdio",
			"claude mcp add airtable --env AIRTABLE_API_KEY=k B=2 --scope=project -- npx -y airtable-mcp-server --x",
			"claude", "claude mcp add",
			[]string{"airtable | stdio | npx·-y·airtable-mcp-server·--x | env AIRTABLE_API_KEY=k!·B=2"},
		},
		{
			"claude without separator", "claude mcp add playwright npx @playwright/mcp@latest --headless", "claude", "claude mcp add",
			[]string{"playwright | stdio | npx·@playwright/mcp@latest·--headless"},
		},
		{"claude address alone", "claude mcp add x https://x.com/sse", "claude", "claude mcp add", []string{"x | sse | https://x.com/sse"}},
		{
			"claude oauth", "claude mcp add -t http --client-id abc --client-secret --callback-port 8080 x https://x.com", "claude", "claude mcp add",
			[]string{"x | streamable_http | https://x.com | auth oauth"},
		},
		{
			"claude json", `claude mcp add-json weather '{"type":"http","url":"https://w.com/mcp"}'`, "claude", "claude mcp add-json",
			[]string{"weather | streamable_http | https://w.com/mcp"},
		},
		{
			"codex", "codex mcp add ledger --url https://l.com/mcp --bearer-token-env-var LEDGER_TOKEN", "claude", "codex mcp add",
			[]string{"ledger | streamable_http | https://l.com/mcp | headers Authorization=Bearer ${LEDGER_TOKEN}"},
		},
		{
			"code", `code --add-mcp '{"name":"notes","command":"npx","args":["-y","n"],"env":{"K":"${input:notes-key}"}}'`, "claude", "code --add-mcp",
			[]string{"notes | stdio | npx·-y·n | env K=${NOTES_KEY}"},
		},
		{
			"ours",
			"apollia mcp add-server --name acme-internal \\\n" +
				"    --transport http \\\n" +
				"    --url https://mcp.acme.internal \\\n    --header \"Authorization=Bearer $ACME_TOKEN\"",
			"claude", "apollia mcp add-server",
			[]string{"acme-internal | streamable_http | https://mcp.acme.internal | headers Authorization=Bearer ${ACME_TOKEN}"},
		},
		{
			"ours, stdio",
			"apollia mcp add-server --name=x --command npx --arg -y --args 'a \"b c\"' --env K=V --cwd /srv --timeout 2.5 --buffer-size 65536 --root /data",
			"claude", "apollia mcp add-server",
			[]string{"x | stdio | npx·-y·a·b c | env K=V | cwd /srv | roots /data | timeout 2500"},
		},
	})
}

func TestPasteNotRecognised(t *testing.T) {
	for _, tt := range []struct {
		name, text   string
		read         string
		line, column string
		reason       string
	}{
		{"nothing", " \n\t", "text", "1", "1", "nothing to read"},
		{"a sentence", "Hello world, how are you", "command", "1", "1", "no command line"},
		{"lower-case sentence", "please add the server", "command", "1", "1", "no command line"},
		{"only settings", "export A=1", "command", "1", "1", "no command here"},
		{"a pipe", "npx a |\n b", "command", "1", "7", "pipes"},
		{"something to run", "npx $(cat x)", "command", "1", "5", "never run"},
		{"open quote", "npx 'a", "command", "1", "5", ""},
		{"broken json", "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"npx\" \"args\": []}\n}}", "json", "3", "28", ""},
		{"cut-off json", `{"mcpServers": {"a": {"command":`, "json", "1", "33", "ends too early"},
		{"cut-off fragment", `"a": {"command": "x"`, "json", "1", "21", "ends too early"},
		{"broken fragment", `"a": {"command" "x"}`, "json", "1", "17", ""},
		{"json without servers", `{"theme": "dark"}`, "json", "1", "1", "no server with a command or an address in JSON"},
		{
			"servers from a catalogue", "modules:\n  mcp:\n    config:\n      servers:\n        - github\n",
			"yaml", "1", "1", "in modules.mcp.config.servers",
		},
		{"broken toml", "[mcp_servers.a]\ncommand = \n", "toml", "2", "11", ""},
		{"broken toml key", "command = npx", "toml", "1", "11", ""},
		{"broken yaml", "mcpServers:\n  a: {command: x\n", "yaml", "2", "", ""},
		{"another scheme", "ftp://x.com/mcp", "url", "1", "1", "address of a server"},
		{"curl without address", "curl -H 'A: b'", "url", "1", "1", "address of a server"},
		{"add without server", "claude mcp add", "claude mcp add", "1", "1", "names no server"},
		{"add without command", "x; claude mcp add a", "claude mcp add", "1", "4", "no address"},
		{"add of a bad address", "claude mcp add -t http a npx", "url", "1", "1", "address of a server"},
		{"add-json without json", "claude mcp add-json a", "claude mcp add-json", "1", "1", "its JSON"},
		{"add-json of broken json", "claude mcp add-json a '{'", "claude mcp add-json", "1", "1", "is broken"},
		{"add-mcp without server", "code --add-mcp", "code --add-mcp", "1", "1", "names no server"},
		{"ours without anything", "apollia mcp add-server --name x", "apollia mcp add-server", "1", "1", "no address"},
		{"not UTF-8", "npx \xff", "command", "1", "5", "not UTF-8"},
		{"too many", strings.Repeat("npx a\n", maxPastedServers+1), "command", "1", "1", "more than 200 servers"},
		{"no command", `""`, "command", "1", "1", "no command line"},
		{"too long", strings.Repeat("x", maxPasted+1), "text", "1", "1", "longer than 256 KiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Paste(tt.text)
			e := domain.AsError(err)
			if e == nil || e.Code != domain.CodeInvalidInput || e.Hint == "" {
				t.Fatalf("got %v", err)
			}
			if e.Args["read"] != tt.read || e.Args["line"] != tt.line || tt.column != "" && e.Args["column"] != tt.column {
				t.Errorf("stopped reading %s at %s:%s, want %s at %s:%s", e.Args["read"], e.Args["line"], e.Args["column"], tt.read, tt.line, tt.column)
			}
			if !strings.Contains(e.Args["reason"], tt.reason) {
				t.Errorf("got %q, want …%s…", e.Args["reason"], tt.reason)
			}
		})
	}
}

func TestPasteGarbage(t *testing.T) {
	for _, unit := range []string{
		"[", "{", "{\"a\":", "- ", "a: ", "a = ", "[a]\n", "\"a\": {", "npx $(", "`", "\x00", "\u202e", "%", "<a>", "'", "\r", "${", "A=1 ", "---\n",
	} {
		for _, size := range []int{1 << 10, maxPasted, 1 << 20} {
			_, err := Paste(strings.Repeat(unit, size/len(unit)))
			if e := domain.AsError(err); e == nil || e.Code != domain.CodeInvalidInput || e.Args["line"] == "" {
				t.Errorf("%d bytes of %q give %v", size, unit, err)
			}
		}
	}
}

func TestPasteLeavesOutTheHeadersOfTheProtocol(t *testing.T) {
	p, err := Paste(`{"url": "http://x", "headers": {"Content-Type": "application/json", "accept": "*/*", "X-Team": "a"}}`)
	if err != nil || len(p.Definitions[0].Headers) != 1 || p.Definitions[0].Headers[0].Name != "X-Team" {
		t.Errorf("got %v, %v", p.Definitions, err)
	}
}

func TestPasteRefusesWhatNoServerHas(t *testing.T) {
	many := func(unit string) string {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, unit, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	for _, text := range []string{
		`{"command": "x", "env": {` + many(`"K%d":"v",`) + `}}`,
		`{"url": "http://x/", "headers": {` + many(`"K%d":"v",`) + `}}`,
		`{"command": "x", "args": [` + many(`"--token=secret%d",`) + `]}`,
		"[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\n" + many("K%d = \"v\"\n"),
		"http://x/" + many("ghp_abcdefgh%d/"),
		"http://x/?" + many("token%[1]d=secret%[1]d&"),
	} {
		if _, err := Paste(text); domain.CodeOf(err) != domain.CodeInvalidInput {
			t.Errorf("%.60s… gives %v, want %s", text, err, domain.CodeInvalidInput)
		}
	}
}

func TestPasteNames(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers": {"日本": {"command": "x"}}}`:                             "server",
		`{"mcpServers": {"` + strings.Repeat("long-", 9) + `": {"url": "a"}}}`: "long-long-long-long-long-long-lo",
		"node /srv/tools/weather/build/index.js":                               "index",
		"/opt/acme/bin/acme_server":                                            "acme",
		"uvx --from git+https://github.com/a/serena serena-mcp-server":         "serena",
		"cmd /c npx -y @a/b-mcp":                                               "b",
		"docker run -i -v /a:/b mcp/time":                                      "time",
		"docker compose":                                                       "compose",
		// A name as long as the paste may be takes no longer than the paste itself.
		`{"mcpServers": {"` + strings.Repeat("long-", maxPasted/6) + `": {"url": "a"}}}`: "long-long-long-long-long-long-lo",
		"npx":         "npx",
		"https://mcp": "mcp",
	} {
		p, err := Paste(text)
		if err != nil || p.Definitions[0].Name != want {
			t.Errorf("%s is named %v, %v; want %s", text, p.Definitions, err, want)
		}
	}
	long := strings.Repeat("a", 32)
	p, err := Paste(fmt.Sprintf(`[{"name": %q, "url": "http://x"}, {"name": %q, "url": "http://x"}]`, long, long))
	if err != nil || p.Definitions[1].Name != long[:30]+"_2" {
		t.Errorf("got %v, %v", p.Definitions, err)
	}
}
