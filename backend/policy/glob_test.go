package policy

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

func TestGlob(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"delete_*", "delete_", true},
		{"delete_*", "delete_repository", true},
		{"delete_*", "undelete_x", false},
		{"*", "", true},
		{"*", "a/b c", true},
		{"?", "é", true},
		{"?", "", false},
		{"a*b*c", "a-b-b-c", true},
		{"a*b*c", "a-c-b", false},
		{"file:///*", "file:///home/x/y.md", true},
		{"Case", "case", false},
		{`\*`, "*", true},
		{`\*`, "x", false},
		{`a\\b`, `a\b`, true},
		{`a\`, `a\`, true},
		{"[ab]", "a", false},
		{"[ab]", "[ab]", true},
		{"", "", true},
		{"", "a", false},
	}
	for _, test := range tests {
		if got := matches(test.pattern, test.name); got != test.want {
			t.Errorf("matches(%q, %q) = %t, want %t", test.pattern, test.name, got, test.want)
		}
	}
}

func TestGlobIsNotSlow(t *testing.T) {
	pattern := strings.Repeat("*a", 500) + "b"
	if matches(pattern, strings.Repeat("a", 20_000)) {
		t.Error("matches a name without a b")
	}
}

func TestActionsMatchTheirKindOnly(t *testing.T) {
	tests := []struct {
		action string
		kind   domain.CallKind
		name   string
		want   bool
	}{
		{"echo", domain.ToolCall, "echo", true},
		{"echo", domain.PromptGet, "echo", false},
		{"*", domain.ResourceRead, "file:///a", false},
		{"resource:file:///*", domain.ResourceRead, "file:///a", true},
		{"resource:file:///*", domain.ToolCall, "resource:file:///a", false},
		{"prompt:review", domain.PromptGet, "review", true},
		{"prompt:review", domain.ToolCall, "review", false},
		{"prompt:", domain.PromptGet, "", false},
	}
	for _, test := range tests {
		q := Question{Kind: test.kind, Name: test.name}
		if _, got := rankOf(domain.Rule{Actions: []string{test.action}}, q); got != test.want {
			t.Errorf("%q on %s %q: got %t, want %t", test.action, test.kind, test.name, got, test.want)
		}
	}
}

func TestARuleWithoutActionsCoversEveryKind(t *testing.T) {
	deny := domain.Rule{Verdict: domain.Deny, Server: "a"}
	for _, kind := range []domain.CallKind{domain.ToolCall, domain.ResourceRead, domain.PromptGet} {
		q := Question{Server: domain.Server{ID: "a"}, Kind: kind, Name: "x"}
		if got := Decide(q, Rules{Owner: []domain.Rule{deny}}); got.Verdict != domain.Deny {
			t.Errorf("%s: got %s, want deny", kind, got.Verdict)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("a*b?", "axxbc")
	f.Add(`\**`, "*x")
	f.Add("**", "")
	f.Add(`a\`, `a\`)
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 200 || len(name) > 200 || !utf8.ValidString(pattern) || !utf8.ValidString(name) {
			return
		}
		if got, want := matches(pattern, name), regexpOf(t, pattern).MatchString(name); got != want {
			t.Fatalf("matches(%q, %q) = %t, want %t", pattern, name, got, want)
		}
	})
}

// regexpOf says the same as a pattern in another language.
func regexpOf(t *testing.T, pattern string) *regexp.Regexp {
	t.Helper()
	var b strings.Builder
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			b.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case r == '\\':
			escaped = true
		case r == '*':
			b.WriteString(".*")
		case r == '?':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	if escaped {
		b.WriteString(`\\`)
	}
	re, err := regexp.Compile(`(?s)\A` + b.String() + `\z`)
	if err != nil {
		t.Fatal(err)
	}
	return re
}

func FuzzAction(f *testing.F) {
	for _, seed := range []string{"echo", "*", "resource:x", "prompt:*", `a\b`, "[x]{y}?", " delete"} {
		f.Add(seed, "other")
	}
	f.Fuzz(func(t *testing.T, name, other string) {
		if name == "" || len(name) > 500 || !utf8.ValidString(name) || !utf8.ValidString(other) {
			return
		}
		for _, kind := range []domain.CallKind{domain.ToolCall, domain.ResourceRead, domain.PromptGet} {
			rule := domain.Rule{Actions: []string{Action(kind, name)}}
			if err := Check(rule); err != nil {
				t.Fatalf("Check of the action for %s %q: %v", kind, name, err)
			}
			rank, ok := rankOf(rule, Question{Kind: kind, Name: name})
			if !ok || rank != exactName {
				t.Fatalf("%q on its own name %q: %t, rank %d", rule.Actions, name, ok, rank)
			}
			if _, ok := rankOf(rule, Question{Kind: kind, Name: other}); ok != (name == other) {
				t.Fatalf("%q on %q: %t", rule.Actions, other, ok)
			}
		}
	})
}
