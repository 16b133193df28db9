package config

import (
	"fmt"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/syntax"
)

// Bounds of what can be said of the middleware.
const (
	maxAttempts  = 10
	maxCallTime  = 24 * 3600 // seconds
	maxBudget    = 1_000_000 // calls in an hour
	maxThreshold = 1000      // calls in a row
	maxSlow      = 3600      // seconds
	maxContext   = 50        // results
	maxSuggested = 10        // tools
)

// stages read what is said of each stage, once it is switched on.
func stages() map[string]func(*table, *domain.Middleware) {
	return map[string]func(*table, *domain.Middleware){
		"retry": func(t *table, m *domain.Middleware) {
			m.Retry = &domain.Retry{MaxAttempts: t.wholeOr("max_attempts", "attempts", maxAttempts, domain.DefaultAttempts)}
		},
		"timeout": func(t *table, m *domain.Middleware) {
			m.Timeout = &domain.CallTime{Limit: t.timeOr("seconds", 1, maxCallTime, domain.DefaultCallTime)}
		},
		"budget": func(t *table, m *domain.Middleware) { m.Budget = t.budget() },
		"circuit_breaker": func(t *table, m *domain.Middleware) {
			m.CircuitBreaker = &domain.CircuitBreaker{
				FailureThreshold: t.wholeOr("failure_threshold", "calls", maxThreshold, domain.DefaultFailureThreshold),
				RecoveryTime:     t.timeOr("recovery_seconds", 1, maxCallTime, domain.DefaultRecoveryTime),
			}
		},
		"dedup": func(_ *table, m *domain.Middleware) { m.Dedup = &domain.Dedup{} },
		"streaming": func(t *table, m *domain.Middleware) {
			m.Streaming = &domain.Streaming{SlowAfter: t.timeOr("slow_after", 0.1, maxSlow, domain.DefaultSlowAfter)}
		},
		"cross_context": func(t *table, m *domain.Middleware) {
			m.CrossContext = &domain.CrossContext{MaxEntries: t.wholeOr("max_entries", "results", maxContext, domain.DefaultContextEntries)}
		},
		"auto_heal": func(t *table, m *domain.Middleware) {
			m.AutoHeal = &domain.AutoHeal{MaxSuggestions: t.wholeOr("max_suggestions", "tools", maxSuggested, domain.DefaultSuggestions)}
		},
		"semantic_cache": func(t *table, m *domain.Middleware) {
			m.SemanticCache = &domain.SemanticCache{TTL: t.timeOr("ttl", 1, maxCallTime, domain.DefaultCacheTTL)}
		},
		"audit": func(t *table, m *domain.Middleware) {
			m.AuditCalls = &domain.AuditCalls{LogParams: t.flag("log_params", false)}
		},
	}
}

// middleware reads the [middleware.…] tables.
func (r *reader) middleware(top *table) (m domain.Middleware) {
	section := r.section(top, "middleware")
	for name, read := range stages() {
		node := section.value(name)
		switch {
		case node == nil:
		case node.Is(syntax.Object):
			r.stage("[middleware."+name+"]", node, read, &m)
		default:
			section.wrongType(node.Position, name, "a table", node)
		}
	}
	section.done()
	return m
}

func (r *reader) stage(title string, node *syntax.Node, read func(*table, *domain.Middleware), into *domain.Middleware) {
	t := &table{reader: r, name: title, node: node}
	read(t, into)
	t.done()
}

// AppMiddleware reads modules.mcp.middleware of an app's YAML (specification, "Middleware Pipeline MCP"): a list of stages,
// each with what is said of it or with nothing. Their order in the file changes nothing. path is what messages call the
// file. When anything is wrong, the error is the first problem, a *domain.Error with CodeConfigInvalid and the line and column.
func AppMiddleware(path string, text []byte) (domain.Middleware, []*domain.Error, error) {
	r := &reader{path: path, language: inYAML()}
	root, err := syntax.ParseYAML(text)
	if err != nil {
		r.broken(err)
	}
	var m domain.Middleware
	if list := root.Get("modules").Get("mcp").Get("middleware"); list != nil {
		r.listed(list, &m)
	}
	problems, err := r.result()
	return m, problems, err
}

// listed reads the stages of a list, each at most once.
func (r *reader) listed(list *syntax.Node, into *domain.Middleware) {
	t := &table{reader: r, name: "middleware", node: list}
	if !list.Is(syntax.Array) {
		t.wrongType(list.Position, "middleware", "a list", list)
		return
	}
	seen := make(map[string]bool)
	for _, item := range list.Items {
		name, node := stageOf(item)
		read, known := stages()[name]
		switch {
		case name == "":
			t.badAt(item.Position, "middleware", "an entry of middleware must be the name of one stage", "Write it such as retry: {max_attempts: 3}.")
		case !known:
			t.badAt(item.Position, "middleware", fmt.Sprintf("there is no stage %q", name), "See docs/middleware.md for those there are.")
		case seen[name]:
			t.badAt(item.Position, "middleware", fmt.Sprintf("the stage %q is there twice", name), "Remove one of them.")
		case node.Is(syntax.Null) || node == nil:
			r.stage(name, &syntax.Node{Kind: syntax.Object, Position: item.Position}, read, into)
		case node.Is(syntax.Object):
			r.stage(name, node, read, into)
		default:
			t.wrongType(node.Position, name, "a table", node)
		}
		seen[name] = true
	}
}

// stageOf is the one stage that an entry is about; "" when it is about none or several.
func stageOf(item *syntax.Node) (string, *syntax.Node) {
	switch {
	case item.Is(syntax.String):
		return item.Text, nil
	case item.Is(syntax.Object) && len(item.Members) == 1:
		return item.Members[0].Key, item.Members[0].Value
	}
	return "", nil
}

func (t *table) budget() *domain.Budget {
	b := &domain.Budget{
		MaxCallsPerHour: t.whole("max_calls_per_hour", "calls", 1, maxBudget), ServerLimits: t.serverLimits(),
		CostPerCall: t.number("cost_per_call", "units", 0, maxBudget), AlertAt: t.number("alert_at", "of the limit", 0.01, 1),
	}
	if b.AlertAt == 0 {
		b.AlertAt = domain.DefaultAlertAt
	}
	return b
}

// serverLimits reads the calls in an hour by server, which is named as anywhere or by its id; 0 forbids them.
func (t *table) serverLimits() map[string]int {
	node := t.value("server_limits")
	if node == nil {
		return nil
	}
	if !node.Is(syntax.Object) {
		t.wrongType(node.Position, "server_limits", "a table", node)
		return nil
	}
	limits := make(map[string]int, len(node.Members))
	inner := &table{reader: t.reader, name: "server_limits", node: node}
	for _, m := range node.Members {
		id, err := naming.ServerID(m.Key)
		if err != nil {
			t.badAt(m.Position, m.Key, domain.AsError(err).Message, "Write the name of a server.")
			continue
		}
		limits[id] = inner.whole(m.Key, "calls", 0, maxBudget)
	}
	return limits
}

// wholeOr is whole from 1 on, with a default.
func (t *table) wholeOr(key, unit string, high, fallback int) int {
	if n := t.whole(key, unit, 1, high); n > 0 {
		return n
	}
	return fallback
}

// timeOr reads a time in seconds, which may have a fraction.
func (t *table) timeOr(key string, low, high float64, fallback time.Duration) time.Duration {
	if n := t.number(key, "seconds", low, high); n > 0 {
		return time.Duration(n * float64(time.Second))
	}
	return fallback
}
