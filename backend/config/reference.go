package config

import (
	"fmt"
	"maps"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

// Reference is one use of a variable in a definition.
type Reference struct {
	Name string
	// Field is where it is used, as a path: "url", "args[0]", "headers[1].value".
	Field string
	Found bool
	// From is "env" for the definition's own variables, "process" for our environment, "fallback" for ${NAME:-x}, empty
	// when not found.
	From string

	field field
}

// References lists which variables a definition uses, where, and whether each has a value now. Secrets are not among
// them, nor are templates that cannot be read.
func References(d domain.Definition, env Lookup) []Reference {
	fields, _ := fieldsOf(&d)
	return referencesOf(fields, env)
}

func referencesOf(fields []field, env Lookup) []Reference {
	own := make(map[string]bool)
	for _, f := range fields {
		if f.scope {
			own[f.variable] = true
		}
	}
	var references []Reference
	for _, f := range fields {
		for _, p := range f.template {
			if p.name == "" || p.secret {
				continue
			}
			from := source(f, p, own, env)
			references = append(references, Reference{Name: p.name, Field: f.path, Found: from != "", From: from, field: f})
		}
	}
	return references
}

func source(f field, p piece, own map[string]bool, env Lookup) string {
	if !f.scope && own[p.name] {
		return "env"
	}
	value, ok := env(p.name)
	switch {
	case p.hasFallback && value == "":
		return "fallback"
	case ok:
		return "process"
	}
	return ""
}

// field is one text of a definition that may hold references.
type field struct {
	path string
	// where names the field in a sentence.
	where string
	// scope marks a value of Env: the other fields see it under the name in variable.
	scope    bool
	variable string
	// secret marks a value that is one whatever its template says.
	secret bool
	// oneLine marks a value that a line break would damage.
	oneLine  bool
	template template
	set      func(value string, secret bool)
}

// fieldsOf lists the fields of a definition, its Env first, and copies the slices it will write to. The error is the
// first template that cannot be read; its field is left out.
func fieldsOf(d *domain.Definition) ([]field, error) {
	c := &collector{}
	*d = d.Clone()
	for i := range d.Env {
		v := &d.Env[i]
		c.variable(v, field{path: fmt.Sprintf("env[%d].value", i), where: "the variable " + v.Name, scope: true, variable: v.Name})
	}
	c.text(&d.Command, field{path: "command", where: "the command"})
	for i := range d.Args {
		c.text(&d.Args[i], field{path: fmt.Sprintf("args[%d]", i), where: fmt.Sprintf("argument %d", i+1)})
	}
	c.text(&d.Cwd, field{path: "cwd", where: "the working folder"})
	c.text(&d.URL, field{path: "url", where: "the address", oneLine: true})
	for i := range d.Headers {
		v := &d.Headers[i]
		c.variable(v, field{path: fmt.Sprintf("headers[%d].value", i), where: "the header " + v.Name, oneLine: true})
	}
	for i := range d.Roots {
		c.text(&d.Roots[i], field{path: fmt.Sprintf("roots[%d]", i), where: fmt.Sprintf("root %d", i+1)})
	}
	c.auth(d.Auth)
	return c.fields, c.err
}

type collector struct {
	fields []field
	err    error
}

// auth collects the fields of a sign-in.
func (c *collector) auth(a *domain.Auth) {
	if a == nil {
		return
	}
	texts := a.Texts()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		c.text(texts[name], field{path: "auth." + name, where: "the sign-in's " + name, oneLine: true})
	}
	for i := range a.Scopes {
		c.text(&a.Scopes[i], field{path: fmt.Sprintf("auth.scopes[%d]", i), where: fmt.Sprintf("scope %d", i+1), oneLine: true})
	}
	for i := range a.Secrets {
		v := &a.Secrets[i]
		c.variable(v, field{path: "auth." + v.Name, where: "the sign-in's " + v.Name})
	}
}

func (c *collector) text(at *string, f field) {
	c.add(*at, f, func(value string, _ bool) { *at = value })
}

func (c *collector) variable(v *domain.Variable, f field) {
	f.secret = v.Secret
	c.add(v.Value, f, func(value string, secret bool) {
		v.Value, v.Secret = value, secret
	})
}

func (c *collector) add(text string, f field, set func(string, bool)) {
	t, err := parseTemplate(text)
	if err == nil {
		f.template, f.set = t, set
		c.fields = append(c.fields, f)
		return
	}
	if c.err == nil {
		c.err = &domain.Error{
			Code: domain.CodeConfigInvalid, Message: f.where + ": " + err.Error(), Hint: templateHint,
			Args: map[string]string{"field": f.path, "where": f.where, "reason": err.Error(), "problem": "bad_template"},
		}
	}
}
