package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// language is how a file writes what its hints propose.
type language struct{ assign, variables, entry string }

func inTOML() language {
	return language{" = ", `{ NAME = "value" }`, "Start each entry with [[%s]]."}
}

func inYAML() language {
	return language{": ", "{ NAME: value }", "Start each entry of %s with a dash."}
}

// reader turns the tree of a file into what it means and collects what is wrong with it.
type reader struct {
	path     string
	language language
	problems []problem
}

type problem struct {
	at  syntax.Position
	err *domain.Error
}

// fault is one thing that is wrong. Its kind is a stable word, so that the UI can say it in the person's language.
type fault struct {
	kind    string
	message string
	hint    string
	args    map[string]string
}

func (r *reader) add(at syntax.Position, f fault) {
	e := &domain.Error{
		Code:    domain.CodeConfigInvalid,
		Message: fmt.Sprintf("%s, line %d, column %d: %s", r.path, at.Line, at.Column, f.message),
		Hint:    f.hint,
		Args: map[string]string{
			"file": r.path, "line": strconv.Itoa(at.Line), "column": strconv.Itoa(at.Column), "problem": f.kind,
		},
	}
	maps.Copy(e.Args, f.args)
	r.problems = append(r.problems, problem{at, e})
}

// result lists the problems in the order of the file; the error is the first of them.
func (r *reader) result() ([]*domain.Error, error) {
	if len(r.problems) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(r.problems, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Column, b.at.Column))
	})
	list := make([]*domain.Error, len(r.problems))
	for i, p := range r.problems {
		list[i] = p.err
	}
	return list, list[0]
}

// broken reports a text that is not in its language.
func (r *reader) broken(err error) {
	var located *syntax.Error
	if !errors.As(err, &located) {
		located = &syntax.Error{Position: syntax.Position{Line: 1, Column: 1}, Message: err.Error()}
	}
	r.add(located.Position, fault{
		kind: "syntax", message: located.Message,
		hint: "Correct this line. Until then, the last version that could be read stays in force.",
		args: map[string]string{"reason": located.Message},
	})
}

// table reads the keys of one TOML table and remembers which it was asked for.
type table struct {
	*reader
	// name is the table's header, as in "[[mcp_servers]]".
	name string
	node *syntax.Node
	// templates marks a table whose text may hold ${VAR}.
	templates bool
	asked     []string
}

func (t *table) at(key string) syntax.Position {
	if m := t.node.Member(key); m != nil {
		return m.Position
	}
	return t.node.Position
}

func (t *table) value(key string) *syntax.Node {
	t.asked = append(t.asked, key)
	return t.node.Get(key)
}

// done reports the keys that nothing asked for: a misspelt key must not silently do nothing.
func (t *table) done() {
	for _, m := range t.node.Members {
		if slices.Contains(t.asked, m.Key) {
			continue
		}
		t.add(m.Position, fault{
			kind: "unknown_key", message: fmt.Sprintf("unknown key %q in %s", m.Key, t.name),
			hint: "Known here: " + strings.Join(t.asked, ", ") + ".",
			args: map[string]string{"key": m.Key, "table": t.name, "known": strings.Join(t.asked, ", ")},
		})
	}
}

func (t *table) wrongType(at syntax.Position, key, want string, got *syntax.Node) {
	t.add(at, fault{
		kind: "wrong_type", message: fmt.Sprintf("%s must be %s, not %s", key, want, got.Kind),
		hint: "Write " + t.language.example(key, want) + ".", args: map[string]string{"key": key, "want": want, "got": got.Kind.String()},
	})
}

func (l language) example(key, want string) string {
	key += l.assign
	switch want {
	case "text":
		return key + `"…"`
	case "a list of texts":
		return key + `["…", "…"]`
	case "true or false":
		return key + "true or " + key + "false"
	case "a table":
		return key + l.variables
	default:
		return key + "30"
	}
}

func (t *table) bad(key, message, hint string) {
	t.badAt(t.at(key), key, message, hint)
}

func (t *table) badAt(at syntax.Position, key, message, hint string) {
	t.add(at, fault{kind: "bad_value", message: message, hint: hint, args: map[string]string{"key": key}})
}

func (t *table) text(key string) string {
	v := t.value(key)
	switch {
	case v == nil:
		return ""
	case !v.Is(syntax.String):
		t.wrongType(v.Position, key, "text", v)
		return ""
	}
	t.checkText(key, v)
	return v.Text
}

// checkText refuses what no field can carry, and templates that could never be expanded.
func (t *table) checkText(key string, v *syntax.Node) {
	if strings.ContainsRune(v.Text, 0) {
		t.badAt(v.Position, key, key+" holds a NUL character", "Remove it.")
	}
	if !t.templates {
		return
	}
	if _, err := parseTemplate(v.Text); err != nil {
		t.add(v.Position, fault{
			kind: "bad_template", message: key + ": " + err.Error(), hint: templateHint,
			args: map[string]string{"key": key, "reason": err.Error()},
		})
	}
}

func (t *table) texts(key string) []string {
	v := t.value(key)
	if v == nil {
		return nil
	}
	if !v.Is(syntax.Array) {
		t.wrongType(v.Position, key, "a list of texts", v)
		return nil
	}
	texts := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if !item.Is(syntax.String) {
			t.wrongType(item.Position, key, "a list of texts", item)
			continue
		}
		t.checkText(key, item)
		texts = append(texts, item.Text)
	}
	return texts
}

func (t *table) flag(key string, fallback bool) bool {
	v := t.value(key)
	if v == nil {
		return fallback
	}
	value, ok := v.Bool()
	if !ok {
		t.wrongType(v.Position, key, "true or false", v)
		return fallback
	}
	return value
}

// number reads a number between two bounds; 0 when the key is absent or wrong.
func (t *table) number(key, unit string, low, high float64) float64 {
	v := t.value(key)
	if v == nil {
		return 0
	}
	value, ok := v.Number()
	if !ok {
		t.wrongType(v.Position, key, "a number of "+unit, v)
		return 0
	}
	if !(low <= value && value <= high) { // so written, NaN is refused too
		t.bad(key, fmt.Sprintf("%s must be between %v and %.0f %s", key, low, high, unit), "Leave it out for the default.")
		return 0
	}
	return value
}

// variables reads a table of names and values. Numbers and booleans are taken as they are written.
func (t *table) variables(key string) []domain.Variable {
	v := t.value(key)
	if v == nil {
		return nil
	}
	if !v.Is(syntax.Object) {
		t.wrongType(v.Position, key, "a table", v)
		return nil
	}
	variables := make([]domain.Variable, 0, len(v.Members))
	for _, m := range v.Members {
		if !m.Value.Scalar() {
			t.wrongType(m.Position, key+"."+m.Key, "text", m.Value)
			continue
		}
		t.checkText(key+"."+m.Key, m.Value)
		variables = append(variables, domain.Variable{Name: m.Key, Value: m.Value.Text})
	}
	return variables
}
