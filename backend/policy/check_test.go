package policy

import (
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestCheckAccepts(t *testing.T) {
	for _, r := range []domain.Rule{
		{Server: "*"},
		{Server: "Git Hub", Client: "Claude*"},
		{Actions: []string{"delete_*", "resource:file:///*", "prompt:review", `\[x]`}},
		{Client: "c", Verdict: domain.Deny},
	} {
		if err := Check(r); err != nil {
			t.Errorf("Check(%+v): %v", r, err)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	tests := []struct {
		name, field string
		rule        domain.Rule
	}{
		{"nothing", "server", domain.Rule{Verdict: domain.Deny}},
		{"an empty action", "actions", domain.Rule{Server: "a", Actions: []string{""}}},
		{"a resource without a pattern", "actions", domain.Rule{Server: "a", Actions: []string{"resource:"}}},
		{"a prompt without a name", "actions", domain.Rule{Server: "a", Actions: []string{"x", "prompt:"}}},
		{"a character class", "actions", domain.Rule{Actions: []string{"delete_[ab]"}}},
		{"alternatives", "server", domain.Rule{Server: "{a,b}"}},
		{"an escape of nothing", "client", domain.Rule{Client: `a\`}},
		{"broken text", "client", domain.Rule{Client: "\xff"}},
		{"a book", "server", domain.Rule{Server: strings.Repeat("a", 2000)}},
	}
	for _, test := range tests {
		err := Check(test.rule)
		if domain.CodeOf(err) != domain.CodeInvalidInput {
			t.Errorf("%s: got %v, want %s", test.name, err, domain.CodeInvalidInput)
			continue
		}
		e := domain.AsError(err)
		if e.Args["field"] != test.field || e.Hint == "" || len(e.Message) > 300 {
			t.Errorf("%s: got %+v, want field %s, a hint and a short message", test.name, e, test.field)
		}
	}
}
