package config

import (
	"errors"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
)

func isKnown(module string) bool { return module == "mcp_slack" || module == "mcp_github" }

func TestCapabilities(t *testing.T) {
	got, problems, err := Capabilities("app.yaml", []byte(`
app: {app_id: demo}
capabilities:
  default_policy: auto
  max_risk_level: low
  grant:
    - module: mcp_slack
      actions: [list_channels, post_*]
  approve:
    - {module: mcp_github, actions: ["resource:*", "prompt:review"]}
  deny:
    - module: mcp_github
      actions:
        - delete_repository
    - module: mcp_slack
`), isKnown)
	if err != nil || problems != nil {
		t.Fatal(err, problems)
	}
	compare(t, got, &policy.Capabilities{
		Default: domain.Allow, MaxRisk: domain.LowRisk,
		Grant:   []policy.Capability{{Module: "mcp_slack", Actions: []string{"list_channels", "post_*"}}},
		Approve: []policy.Capability{{Module: "mcp_github", Actions: []string{"resource:*", "prompt:review"}}},
		Deny:    []policy.Capability{{Module: "mcp_github", Actions: []string{"delete_repository"}}, {Module: "mcp_slack"}},
	})
}

func TestAnAppWithoutCapabilitiesRestrictsNothing(t *testing.T) {
	for _, text := range []string{"", "app: {app_id: demo}\n", "# nothing\n"} {
		if got, _, err := Capabilities("app.yaml", []byte(text), isKnown); got != nil || err != nil {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	got, _, err := Capabilities("app.yaml", []byte("capabilities: {}\n"), isKnown)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, &policy.Capabilities{Default: domain.Ask})
}

// A slip never widens: with one, nothing of the block counts.
func TestFaultsOfCapabilitiesNameTheirPlace(t *testing.T) {
	const good = "capabilities:\n  deny: [{module: mcp_slack}]\n"
	for _, test := range []struct{ text, line, column, message string }{
		{good + "  allow: [{module: mcp_slack}]", "3", "3", `unknown key "allow" in capabilities`},
		{good + "  default_policy: always", "3", "3", `unknown policy "always"`},
		{good + "  default_policy: [auto]", "3", "19", "default_policy must be text"},
		{good + "  max_risk_level: mild", "3", "3", `unknown level "mild"`},
		{good + "  grant: mcp_slack", "3", "10", "capabilities.grant must be a list"},
		{good + "  grant: [mcp_slack]", "3", "11", "capabilities.grant must be a list"},
		{good + "  grant: [{module: mcp_stripe}]", "3", "12", `no module "mcp_stripe"`},
		{good + "  grant: [{module: slack}]", "3", "12", `no module "slack"`},
		{good + "  grant:\n    - actions: [x]", "4", "7", "needs a module"},
		{good + "  grant: [{module: 3}]", "3", "20", "module must be text"},
		{good + "  grant: [{module: mcp_slack, actions: x}]", "3", "40", "actions must be a list"},
		{good + "  grant: [{module: mcp_slack, actions: []}]", "3", "31", "actions is empty"},
		{good + "  grant: [{module: mcp_slack, actions: ['']}]", "3", "31", "empty name"},
		{good + "  grant: [{module: mcp_slack, actions: ['a[b']}]", "3", "31", "cannot be used"},
		{good + "  grant: [{module: mcp_slack, action: [a]}]", "3", "31", `unknown key "action"`},
		{"capabilities: [a]", "1", "15", "capabilities must be a table"},
		{"capabilities: auto", "1", "15", "capabilities must be a table"},
		{"capabilities:\n  grant: [", "2", "10", ""},
	} {
		c, problems, err := Capabilities("app.yaml", []byte(test.text+"\n"), isKnown)
		var e *domain.Error
		if c != nil || !errors.As(err, &e) || e.Code != domain.CodeConfigInvalid || len(problems) == 0 || problems[0] != e {
			t.Errorf("%s: %+v, %v, %v", test.text, c, problems, err)
			continue
		}
		if e.Args["line"] != test.line || e.Args["column"] != test.column || !strings.Contains(e.Message, test.message) || e.Hint == "" {
			t.Errorf("%s: at %s:%s %q with the hint %q, want %s:%s %q", test.text, e.Args["line"], e.Args["column"], e.Message, e.Hint, test.line, test.column, test.message)
		}
	}
}
