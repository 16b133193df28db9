package config

import (
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Values of the specification, "Middleware Pipeline MCP".
func specified() domain.Middleware {
	return domain.Middleware{
		Retry: &domain.Retry{MaxAttempts: 3}, Timeout: &domain.CallTime{Limit: 30 * time.Second},
		Budget:       &domain.Budget{MaxCallsPerHour: 100, ServerLimits: map[string]int{"github": 50}, AlertAt: 0.8},
		CrossContext: &domain.CrossContext{MaxEntries: 20}, AutoHeal: &domain.AutoHeal{MaxSuggestions: 3},
		AuditCalls: &domain.AuditCalls{LogParams: true},
	}
}

func TestMiddlewareOfAnApp(t *testing.T) {
	got, problems, err := AppMiddleware("app.yaml", []byte(`modules:
  mcp:
    middleware:
      - retry:
          max_attempts: 3
      - timeout:
          seconds: 30
      - budget:
          max_calls_per_hour: 100
          server_limits:
            github: 50
      - cross_context:
          max_entries: 20
      - auto_heal:
          max_suggestions: 3
      - audit:
          log_params: true
    config:
      servers:
        github: {}
`))
	if err != nil || problems != nil {
		t.Fatal(err, problems)
	}
	compare(t, got, specified())
}

func TestMiddlewareOfTheFile(t *testing.T) {
	got, err := parse("config.toml", []byte(`
[middleware.retry]
max_attempts = 3
[middleware.timeout]
seconds = 30
[middleware.budget]
max_calls_per_hour = 100
[middleware.budget.server_limits]
GitHub = 50
[middleware.cross_context]
max_entries = 20
[middleware.auto_heal]
max_suggestions = 3
[middleware.audit]
log_params = true
`))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got.Middleware, specified())
}

// A stage that is named and says nothing has its defaults; one that is not named is off.
func TestDefaultsOfTheMiddleware(t *testing.T) {
	want := domain.Middleware{
		Retry: &domain.Retry{MaxAttempts: 3}, Timeout: &domain.CallTime{Limit: 30 * time.Second}, Budget: &domain.Budget{AlertAt: 0.8},
		CircuitBreaker: &domain.CircuitBreaker{FailureThreshold: 5, RecoveryTime: time.Minute}, Dedup: &domain.Dedup{},
		Streaming: &domain.Streaming{SlowAfter: 2 * time.Second}, AuditCalls: &domain.AuditCalls{},
		CrossContext: &domain.CrossContext{MaxEntries: 20}, AutoHeal: &domain.AutoHeal{MaxSuggestions: 3},
		SemanticCache: &domain.SemanticCache{TTL: 300 * time.Second},
	}
	got, _, err := AppMiddleware("app.yaml", []byte(
		"modules:\n  mcp:\n    middleware:\n      - retry\n      - timeout:\n      - budget: {}\n      - circuit_breaker\n      - dedup\n      - streaming\n      - audit\n"+
			"      - cross_context\n      - auto_heal:\n      - semantic_cache: {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, want)
	names := []string{"retry", "timeout", "budget", "circuit_breaker", "dedup", "streaming", "audit", "cross_context", "auto_heal", "semantic_cache"}
	file, err := parse("config.toml", []byte("[middleware."+strings.Join(names, "]\n[middleware.")+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, file.Middleware, want)
	if file, err = parse("config.toml", nil); err != nil {
		t.Fatal(err)
	}
	compare(t, file.Middleware, domain.Middleware{})
}

func TestFaultsOfTheMiddlewareNameTheirPlace(t *testing.T) {
	for _, test := range []struct{ text, line, column, message string }{
		{"[middleware.retry]\nmax_attempts = 0", "2", "1", "between 1 and 10 attempts"},
		{"[middleware.retry]\ntimes = 3", "2", "1", `unknown key "times" in [middleware.retry]`},
		{"[middleware.repeat]", "1", "13", `unknown key "repeat" in [middleware]`},
		{"middleware = 3", "1", "14", "middleware must be a table"},
		{"[middleware]\nretry = 3", "2", "9", "retry must be a table"},
		{"[middleware.timeout]\nseconds = '30'", "2", "11", "seconds must be a number of seconds"},
		{"[middleware.budget]\nserver_limits = 3", "2", "17", "server_limits must be a table"},
		{"[middleware.budget.server_limits]\ngithub = -1", "2", "1", "between 0 and 1000000 calls"},
		{"[middleware.budget]\nalert_at = 2", "2", "1", "alert_at must be between"},
		{"[middleware.streaming]\nslow_after = 0", "2", "1", "between 0.1 and 3600 seconds"},
		{"[middleware.cross_context]\nmax_entries = 51", "2", "1", "between 1 and 50 results"},
		{"[middleware.auto_heal]\nmax_suggestions = 0", "2", "1", "between 1 and 10 tools"},
		{"[middleware.semantic_cache]\nttl = 0", "2", "1", "between 1 and 86400 seconds"},
		{"[middleware.audit]\nlog_params = 1", "2", "14", "true or false"},
	} {
		_, err := parse("config.toml", []byte(test.text+"\n"))
		e := domain.AsError(err)
		if e == nil || e.Args["line"] != test.line || e.Args["column"] != test.column || !strings.Contains(e.Message, test.message) {
			t.Errorf("%s: %+v", test.text, e)
		}
	}
	for _, list := range []string{"3", "[3]", "[repeat]", "[retry, retry: {}]", "[{retry: {}, dedup: {}}]", "[retry: 3]", "[retry: {times: 3}]"} {
		if _, problems, err := AppMiddleware("app.yaml", []byte("modules: {mcp: {middleware: "+list+"}}\n")); err == nil || problems[0].Args["line"] != "1" {
			t.Errorf("%s: %v", list, err)
		}
	}
}
