package config

import (
	"errors"
	"fmt"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// Lookup finds the value of an environment variable.
type Lookup func(name string) (value string, ok bool)

// Expand fills in the variables and secrets of a definition, just before it is used. Values of Env see the process
// environment only; all other fields see the expanded Env first, then the process. What comes out is never expanded
// again. A variable or header whose value holds a secret, directly or through Env, has Secret set in the result.
//
// Everything that is missing is found before anything is fetched: CodeConfigInvalid for a template that cannot be
// read, CodeVariableUnset naming each variable with its field, then, one secret at a time, CodeCredentialMissing or
// the *domain.Error of the secret function.
func Expand(d domain.Definition, env Lookup, secret func(ref string) (string, error)) (domain.Definition, error) {
	fields, err := fieldsOf(&d)
	if err != nil {
		return domain.Definition{}, err
	}
	if err := unset(fields, env); err != nil {
		return domain.Definition{}, err
	}
	if secret == nil {
		secret = func(string) (string, error) { return "", errors.New("there is no secret store") }
	}
	x := &expansion{env: env, secret: secret, own: make(map[string]domain.Variable, len(d.Env))}
	for _, f := range fields {
		if err := x.fill(f); err != nil {
			return domain.Definition{}, err
		}
	}
	return d, nil
}

type expansion struct {
	env    Lookup
	secret func(string) (string, error)
	own    map[string]domain.Variable // Env, expanded
}

func (x *expansion) fill(f field) error {
	var b strings.Builder
	secret := f.secret
	for _, p := range f.template {
		switch {
		case p.name == "":
			b.WriteString(p.literal)
		case p.secret:
			value, err := x.secret(p.name)
			if err != nil {
				return missingSecret(f, p.name, err)
			}
			secret = true
			b.WriteString(value)
		default:
			value, fromSecret := x.variable(f, p)
			secret = secret || fromSecret
			b.WriteString(value)
		}
	}
	value := b.String()
	if found := strings.Contains(value, "\x00"); found || f.oneLine && strings.ContainsAny(value, "\r\n") {
		return unusable(f)
	}
	f.set(value, secret)
	if f.scope {
		x.own[f.variable] = domain.Variable{Value: value, Secret: secret}
	}
	return nil
}

func (x *expansion) variable(f field, p piece) (value string, secret bool) {
	own, ok := x.own[p.name]
	if ok && !f.scope {
		value, secret = own.Value, own.Secret
	} else {
		value, _ = x.env(p.name)
	}
	if value == "" && p.hasFallback {
		return p.fallback, false
	}
	return value, secret
}

// unset collects every variable that has no value, so that a person can mend them in one go.
func unset(fields []field, env Lookup) error {
	var variables, places, sentence []string
	var first field
	for _, r := range referencesOf(fields, env) {
		if r.Found {
			continue
		}
		if len(variables) == 0 {
			first = r.field
		}
		variables = append(variables, r.Name)
		places = append(places, r.Field)
		sentence = append(sentence, fmt.Sprintf("%s (in %s)", r.Name, r.field.where))
	}
	if len(variables) == 0 {
		return nil
	}
	verb := "variable %s is not set"
	if len(variables) > 1 {
		verb = "variables %s are not set"
	}
	return &domain.Error{
		Code: domain.CodeVariableUnset, Message: fmt.Sprintf("the "+verb, strings.Join(sentence, ", ")),
		Hint: "Set it before Apollia starts, add it to the server's own variables, or give a fallback with ${NAME:-value}.",
		Args: map[string]string{
			"variable": variables[0], "field": first.path, "where": first.where,
			"variables": strings.Join(variables, ","), "fields": strings.Join(places, ","),
		},
	}
}

func missingSecret(f field, ref string, err error) error {
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known.With("field", f.path)
	}
	return &domain.Error{
		Code: domain.CodeCredentialMissing, Message: fmt.Sprintf("the secret %s (in %s) could not be found", ref, f.where),
		Hint: "Give its value again in the server's settings.", Cause: err,
		Args: map[string]string{"secret": ref, "field": f.path, "where": f.where},
	}
}

// unusable refuses a value that would end a header early or be cut short. It may be a secret, so it is not shown.
func unusable(f field) error {
	return &domain.Error{
		Code:    domain.CodeInvalidInput,
		Message: fmt.Sprintf("the value of %s holds a line break or a NUL character", f.where),
		Hint:    "Remove it where the value comes from; a key that was read from a file often ends in one.",
		Args:    map[string]string{"field": f.path, "where": f.where},
	}
}
