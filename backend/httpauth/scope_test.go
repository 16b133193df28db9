package httpauth

import (
	"strings"
	"testing"
)

func TestScopesOfStrangersAreNamesAndBounded(t *testing.T) {
	for text, want := range map[string]string{
		"read a\u202eb write \x1b[31m read " + strings.Repeat("x", 1000): "read write",
		strings.Repeat("a b ", 1000):                                     "a b",
		"":                                                               "",
	} {
		if got := strings.Join(ScopesOf(text), " "); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

func TestMissingScopes(t *testing.T) {
	for header, want := range map[string]string{
		`Bearer error="insufficient_scope", scope="admin audit admin"`: "admin audit",
		`Bearer error="insufficient_scope"`:                            "",
		`DPoP error="insufficient_scope", scope="mail"`:                "mail",
	} {
		scopes, missing := ChallengeOf(map[string][]string{"Www-Authenticate": {header}}).Missing()
		if got := strings.Join(scopes, " "); !missing || got != want {
			t.Errorf("%s: %q, %v", header, got, missing)
		}
	}
	for _, header := range []string{`Bearer scope="admin"`, `Bearer error="invalid_token", scope="admin"`, `Basic error="insufficient_scope"`, ``} {
		if scopes, missing := ChallengeOf(map[string][]string{"Www-Authenticate": {header}}).Missing(); missing {
			t.Errorf("%s: misses %q", header, scopes)
		}
	}
}
