package config

import (
	"fmt"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/syntax"
)

// Capabilities reads the capabilities block of an app's YAML (specification, "Security"); nil for a file without one,
// which restricts nothing. path is what messages call the file; known tells which modules there are.
//
// When anything is wrong with the block, nothing of it counts: the error is the first problem, a *domain.Error with
// CodeConfigInvalid and the line and column, and problems are all of them in the order of the file.
func Capabilities(path string, text []byte, known func(module string) bool) (c *policy.Capabilities, problems []*domain.Error, err error) {
	r := &reader{path: path, language: inYAML()}
	root, err := syntax.ParseYAML(text)
	if err != nil {
		r.broken(err)
	}
	if node := root.Get("capabilities"); node != nil {
		c = r.capabilities(node, known)
	}
	if problems, err = r.result(); err != nil {
		return nil, problems, err
	}
	return c, nil, nil
}

func (r *reader) capabilities(node *syntax.Node, known func(string) bool) *policy.Capabilities {
	t := &table{reader: r, name: "capabilities", node: node}
	if !node.Is(syntax.Object) {
		t.wrongType(node.Position, t.name, "a table", node)
		return nil
	}
	c := &policy.Capabilities{
		Grant: r.capability(t, "grant", known), Approve: r.capability(t, "approve", known), Deny: r.capability(t, "deny", known),
		Default: t.defaultPolicy(), MaxRisk: t.risk(),
	}
	t.done()
	return c
}

// capability reads one of the lists.
func (r *reader) capability(of *table, verb string, known func(string) bool) (list []policy.Capability) {
	for _, node := range r.entries(of.value(verb), "capabilities."+verb) {
		t := &table{reader: r, name: "capabilities." + verb, node: node}
		entry := policy.Capability{Module: t.module(known), Actions: t.texts("actions")}
		t.checkActions(entry.Actions)
		t.done()
		list = append(list, entry)
	}
	return list
}

func (t *table) module(known func(string) bool) string {
	module := t.text("module")
	switch written := t.node.Get("module"); {
	case written == nil:
		t.add(t.node.Position, fault{
			kind: "missing_key", message: "an entry of " + t.name + " needs a module", hint: "Add module: mcp_ and the server's id.",
			args: map[string]string{"key": "module", "table": t.name},
		})
	case written.Is(syntax.String) && !known(module):
		t.bad("module", fmt.Sprintf("there is no module %q", module), "The module of a server is mcp_ and its id, such as mcp_github.")
	}
	return module
}

// defaultPolicy reads default_policy; approve where it is left out.
func (t *table) defaultPolicy() domain.Verdict {
	word := t.text("default_policy")
	verdicts := map[string]domain.Verdict{"auto": domain.Allow, "approve": domain.Ask, "block": domain.Deny}
	verdict, ok := verdicts[word]
	if !ok && t.node.Get("default_policy").Is(syntax.String) {
		t.bad("default_policy", fmt.Sprintf("unknown policy %q", word), "Use auto, approve or block.")
	}
	return verdict
}

func (t *table) risk() domain.Risk {
	risk := domain.Risk(t.text("max_risk_level"))
	switch {
	case risk == domain.LowRisk, risk == domain.MediumRisk, risk == domain.HighRisk:
	case t.node.Get("max_risk_level").Is(syntax.String):
		t.bad("max_risk_level", fmt.Sprintf("unknown level %q", risk), "Use low, medium or high.")
	}
	return risk
}
