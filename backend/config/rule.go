package config

import (
	"cmp"
	"fmt"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/syntax"
)

// rules reads the [[policy.rules]] entries.
func (r *reader) rules(top *table) []domain.Rule {
	section := r.section(top, "policy")
	var rules []domain.Rule
	for _, entry := range r.entries(section.value("rules"), "policy.rules") {
		if rule, ok := r.rule(entry); ok {
			rules = append(rules, rule)
		}
	}
	section.done()
	return rules
}

// rule reads one rule; false when anything about it is wrong, since part of a rule is another rule.
func (r *reader) rule(node *syntax.Node) (domain.Rule, bool) {
	before := len(r.problems)
	t := &table{reader: r, name: "[[policy.rules]]", node: node}
	rule := domain.Rule{ID: fmt.Sprintf("config:%d", node.Line), Source: domain.FromConfig, Line: node.Line}
	rule.Verdict = t.verdict()
	rule.Server, rule.Actions, rule.Client = t.pattern("server"), t.texts("actions"), t.pattern("client")
	t.checkActions(rule.Actions)
	t.checkPatterns(domain.Rule{Server: rule.Server, Client: rule.Client})
	t.done()
	return rule, len(r.problems) == before
}

func (t *table) verdict() domain.Verdict {
	var verdict domain.Verdict
	word := t.text("verdict")
	switch {
	case t.node.Member("verdict") == nil:
		t.add(t.node.Position, fault{
			kind: "missing_key", message: "a [[policy.rules]] entry needs a verdict", hint: `Add verdict = "deny", "ask" or "allow".`,
			args: map[string]string{"key": "verdict", "table": t.name},
		})
	case t.node.Get("verdict").Is(syntax.String) && verdict.UnmarshalText([]byte(word)) != nil:
		t.bad("verdict", fmt.Sprintf("unknown verdict %q", word), "Use deny, ask or allow.")
	}
	return verdict
}

// pattern reads a glob. An empty one would match everything, which is not what an emptied line looks like.
func (t *table) pattern(key string) string {
	text := t.text(key)
	if text == "" && t.node.Get(key).Is(syntax.String) {
		t.bad(key, key+" is empty", "Leave it out to mean all of them.")
	}
	return text
}

func (t *table) checkActions(actions []string) {
	if t.node.Get("actions").Is(syntax.Array) && len(actions) == 0 {
		t.bad("actions", "actions is empty", "Leave it out to mean all tools.")
	}
	if slices.Contains(actions, "") {
		t.bad("actions", "actions holds an empty name", "Remove it.")
		return
	}
	t.checkPatterns(domain.Rule{Actions: actions})
}

// checkPatterns reports a pattern that cannot mean what it says. Empty ones are for the caller.
func (t *table) checkPatterns(rule domain.Rule) {
	rule.Server = cmp.Or(rule.Server, "*")
	if err := policy.Check(rule); err != nil {
		e := domain.AsError(err)
		t.bad(e.Args["field"], e.Message, e.Hint)
	}
}
