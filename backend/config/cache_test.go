package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// The example of the specification, "Smart Cache".
const cacheYAML = `modules:
  mcp:
    config:
      cache:
        ttl: 300          # time-to-live in seconds (default: 5 min)
        max_size: 200     # max entries per server
        enabled: true     # false to disable cache entirely
      servers:
        gmail:
          cacheable_tools: [list_labels, get_profile]
          cache_ttl: 60
        github:
          cacheable_tools: [list_repos, get_repo, get_file_contents]
          cache_ttl: 600
        memory: {}
`

func TestCacheOfAnApp(t *testing.T) {
	got, problems, err := ReadAppCache("app.yaml", []byte(cacheYAML))
	if err != nil || problems != nil {
		t.Fatal(err, problems)
	}
	compare(t, got, AppCache{
		Cache: domain.Cache{TTL: 300 * time.Second, MaxSize: 200, Enabled: true},
		Servers: map[string]ServerCache{
			"gmail":  {Tools: []string{"list_labels", "get_profile"}, Seconds: 60},
			"github": {Tools: []string{"list_repos", "get_repo", "get_file_contents"}, Seconds: 600},
		},
	})
}

func TestCacheOfAnAppThatSaysNothing(t *testing.T) {
	for _, text := range []string{"", "modules: {mcp: {config: {servers: [github]}}}\n", "modules: {mcp: {config: {cache: {}}}}\n"} {
		got, _, err := ReadAppCache("app.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, got, AppCache{Cache: domain.Cache{TTL: 300 * time.Second, MaxSize: 200, Enabled: true}, Servers: map[string]ServerCache{}})
	}
}

func TestCacheOfTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	text := "[cache]\nttl = 120\nmax_size = 10\nenabled = false\n[[mcp_servers]]\nname = \"Gmail\"\ncommand = \"gmail\"\n" +
		"cacheable_tools = [\"list_labels\", \"get_profile\"]\ncache_ttl = 60\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, c.Cache, domain.Cache{TTL: 120 * time.Second, MaxSize: 10})
	compare(t, c.Servers[0].CacheableTools, []string{"list_labels", "get_profile"})
	if c.Servers[0].CacheSeconds != 60 || c.Servers[0].CacheTTL(time.Hour) != time.Minute {
		t.Errorf("kept for %d s", c.Servers[0].CacheSeconds)
	}
	if c, err = Load(filepath.Join(t.TempDir(), "none.toml")); err != nil || c.Cache != domain.DefaultCache() {
		t.Errorf("without a file: %+v, %v", c.Cache, err)
	}
}

func TestFaultsOfTheCacheNameTheirPlace(t *testing.T) {
	for _, test := range []struct{ text, line, column, message string }{
		{"[cache]\nttl = 0", "2", "1", "between 1 and 86400 seconds"},
		{"[cache]\nttl = \"300\"", "2", "7", "ttl must be a number of seconds"},
		{"[cache]\nttl = 1.5", "2", "1", "a whole number of seconds"},
		{"[cache]\nmax_size = 10001", "2", "1", "between 1 and 10000 answers"},
		{"[cache]\nenabled = 1", "2", "11", "enabled must be true or false"},
		{"[cache]\nsize = 1", "2", "1", `unknown key "size" in [cache]`},
		{"cache = 3", "1", "9", "cache must be a table"},
		{"[[mcp_servers]]\nname = \"a\"\ncommand = \"a\"\ncacheable_tools = \"x\"", "4", "19", "must be a list of texts"},
		{"[[mcp_servers]]\nname = \"a\"\ncommand = \"a\"\ncacheable_tools = [\"\"]", "4", "1", "empty name"},
		{"[[mcp_servers]]\nname = \"a\"\ncommand = \"a\"\ncache_ttl = -1", "4", "1", "between 1 and 86400 seconds"},
	} {
		_, err := parse("config.toml", []byte(test.text+"\n"))
		e := domain.AsError(err)
		if e == nil || e.Code != domain.CodeConfigInvalid || e.Args["line"] != test.line || e.Args["column"] != test.column ||
			!strings.Contains(e.Message, test.message) {
			t.Errorf("%s: %+v", test.text, e)
		}
	}
	for _, text := range []string{"cache: {ttl: x}", "cache: 3", "servers: {a: {cache_ttl: 0}}", "servers: {a: {cacheable_tools: b}}", "cache: {tll: 3}"} {
		if _, problems, err := ReadAppCache("app.yaml", []byte("modules: {mcp: {config: {"+text+"}}}\n")); err == nil || len(problems) == 0 {
			t.Errorf("%s passes", text)
		}
	}
}
