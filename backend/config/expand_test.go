package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func environment(pairs ...string) Lookup {
	values := make(map[string]string)
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

func vault(ref string) (string, error) {
	if strings.HasPrefix(ref, "known/") {
		return "s3cr3t", nil
	}
	return "", errors.New("not found")
}

func TestTemplates(t *testing.T) {
	env := environment("A", "1", "EMPTY", "", "T", "${A}", "ProgramFiles(x86)", "p")
	for in, want := range map[string]string{
		"":                         "",
		"plain $ $A $$ pa$$word":   "plain $ $A $$ pa$$word",
		"${A}":                     "1",
		"x${env:A}y${A}":           "x1y1",
		"${EMPTY}":                 "",
		"${NONE:-a b:-c}":          "a b:-c",
		"${EMPTY:-x}":              "x",
		"${A:-x}":                  "1",
		"${env:NONE:-}":            "",
		"${T}":                     "${A}",
		"${NONE:-$A}":              "$A",
		"$${A} ${A}":               "${A} 1",
		"$$${A}":                   "$${A}",
		"${A}$${A}":                "1${A}",
		"${ProgramFiles(x86)}":     "p",
		"Bearer ${secret:known/k}": "Bearer s3cr3t",
		"{A} {{A}} }":              "{A} {{A}} }",
	} {
		d, err := Expand(domain.Definition{Command: in}, env, vault)
		if err != nil || d.Command != want {
			t.Errorf("%q gives %q, %v; want %q", in, d.Command, err, want)
		}
	}
	for in, message := range map[string]string{
		"${A":            `no "}"`,
		"${}":            "names no variable",
		"${:-x}":         "names no variable",
		"${env:}":        "names no variable",
		"${a b}":         "not the name",
		"${1A}":          "not the name",
		"${input:token}": "${input:token}",
		"${A:-${B}}":     "plain text",
		"${secret:x}":    "server's id and a key",
		"${secret:X/y}":  "server's id and a key",
	} {
		_, err := Expand(domain.Definition{Args: []string{"x", in}}, env, vault)
		e := domain.AsError(err)
		if e == nil || e.Code != domain.CodeConfigInvalid || !strings.Contains(e.Message, message) || e.Args["field"] != "args[1]" {
			t.Errorf("%q gives %v", in, err)
		}
	}
}

func TestScopes(t *testing.T) {
	d := domain.Definition{
		Env: []domain.Variable{
			{Name: "TOKEN", Value: "${TOKEN}-own"},
			{Name: "OTHER", Value: "${TOKEN}"},
			{Name: "KEY", Value: "${secret:known/k}"},
			{Name: "LITERAL", Value: "$${TOKEN}"},
		},
		Command: "${DIR}/run", Args: []string{"${TOKEN}", "${LITERAL}"}, Cwd: "${DIR}", URL: "https://${OTHER}/x",
		Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer ${KEY}"}, {Name: "X", Value: "${env:TOKEN}"}},
		Roots:   []string{"${DIR}/data"},
	}
	got, err := Expand(d, environment("TOKEN", "process", "DIR", "/srv"), vault)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, plainly(got), plainly(domain.Definition{
		Env: []domain.Variable{
			{Name: "TOKEN", Value: "process-own"},
			{Name: "OTHER", Value: "process"},
			{Name: "KEY", Value: "s3cr3t", Secret: true},
			{Name: "LITERAL", Value: "${TOKEN}"},
		},
		Command: "/srv/run", Args: []string{"process-own", "${TOKEN}"}, Cwd: "/srv", URL: "https://process/x",
		Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer s3cr3t", Secret: true}, {Name: "X", Value: "process-own"}},
		Roots:   []string{"/srv/data"},
	}))
	if d.Args[0] != "${TOKEN}" || d.Env[0].Value != "${TOKEN}-own" || d.Headers[0].Secret {
		t.Error("the definition that was given is changed")
	}
	if shown := fmt.Sprintf("%v %+v %#v %s", got, got, got, got.Headers); strings.Contains(shown, "s3cr3t") || strings.Contains(shown, "process") {
		t.Errorf("printing the result shows %s", shown)
	}
}

// plainly opens what Variable hides from printing.
func plainly(d domain.Definition) []string {
	lines := append([]string{d.Command, d.Cwd, d.URL}, d.Args...)
	lines = append(lines, d.Roots...)
	for _, v := range append(append([]domain.Variable{}, d.Env...), d.Headers...) {
		lines = append(lines, fmt.Sprint(v.Name, "=", v.Value, v.Secret))
	}
	return lines
}

func TestUnsetVariablesAreAllNamed(t *testing.T) {
	d := domain.Definition{
		Env:     []domain.Variable{{Name: "A", Value: "${A}"}, {Name: "S", Value: "${secret:known/k}"}},
		URL:     "https://${HOST}/${A}",
		Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer ${TOKEN}"}},
	}
	asked := false
	got, err := Expand(d, environment(), func(string) (string, error) {
		asked = true
		return "x", nil
	})
	e := domain.AsError(err)
	if e == nil || e.Code != domain.CodeVariableUnset || asked || got.URL != "" {
		t.Fatalf("got %v, %v; secrets were asked for: %v", got, err, asked)
	}
	if e.Args["variables"] != "A,HOST,TOKEN" || e.Args["fields"] != "env[0].value,url,headers[0].value" {
		t.Errorf("got %v", e.Args)
	}
	if want := "the variables A (in the variable A), HOST (in the address), TOKEN (in the header Authorization) are not set"; e.Message != want {
		t.Errorf("got %q, want %q", e.Message, want)
	}
	_, err = Expand(domain.Definition{Command: "${X}"}, environment(), nil)
	if e := domain.AsError(err); e.Message != "the variable X (in the command) is not set" || e.Args["variable"] != "X" || e.Args["field"] != "command" {
		t.Errorf("got %v, %v", err, e.Args)
	}
}

func TestMissingSecrets(t *testing.T) {
	d := domain.Definition{URL: "${secret:gone/k}"}
	_, err := Expand(d, environment(), vault)
	if e := domain.AsError(err); e.Code != domain.CodeCredentialMissing || e.Args["secret"] != "gone/k" || e.Args["field"] != "url" {
		t.Errorf("got %v", err)
	}
	_, err = Expand(d, environment(), nil)
	if domain.CodeOf(err) != domain.CodeCredentialMissing {
		t.Errorf("without a store: %v", err)
	}
	_, err = Expand(d, environment(), func(string) (string, error) { return "", &domain.Error{Code: domain.CodeReadOnly} })
	if e := domain.AsError(err); e.Code != domain.CodeReadOnly || e.Args["field"] != "url" {
		t.Errorf("the store's own error becomes %v", err)
	}
}

func TestUnusableValues(t *testing.T) {
	env := environment("KEY", "hidden\n", "NUL", "hidden\x00")
	for field, d := range map[string]domain.Definition{
		"headers[0].value": {Headers: []domain.Variable{{Name: "X", Value: "${KEY}"}}},
		"url":              {URL: "https://${KEY}"},
		"env[0].value":     {Env: []domain.Variable{{Name: "X", Value: "${NUL}"}}},
	} {
		_, err := Expand(d, env, vault)
		e := domain.AsError(err)
		if e == nil || e.Code != domain.CodeInvalidInput || e.Args["field"] != field || strings.Contains(e.Message, "hidden") {
			t.Errorf("%s gives %v", field, err)
		}
	}
	if _, err := Expand(domain.Definition{Args: []string{"${KEY}"}}, env, vault); err != nil {
		t.Errorf("an argument may hold a line break: %v", err)
	}
}

func TestReferences(t *testing.T) {
	d := domain.Definition{
		Env:     []domain.Variable{{Name: "A", Value: "${P}"}, {Name: "B", Value: "${A}"}},
		Args:    []string{"${A}", "${NONE}", "${NONE:-x}", "${broken", "${secret:known/k}"},
		Headers: []domain.Variable{{Name: "H", Value: "${P}"}},
	}
	var got []string
	for _, r := range References(d, environment("P", "1")) {
		got = append(got, fmt.Sprint(r.Name, " ", r.Field, " ", r.Found, " ", r.From))
	}
	compare(t, got, []string{
		"P env[0].value true process", "A env[1].value false ", "A args[0] true env", "NONE args[1] false ",
		"NONE args[2] true fallback", "P headers[0].value true process",
	})
}

func TestHasReference(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "$A": false, "$${A}": false, "${A}": true, "x${secret:a/b}": true, "${A": true,
	} {
		if got := HasReference(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"${A}", "$${A}", "${A:-b}", "${secret:a/b}", "${env:A}${", "$$${}"} {
		f.Add(seed, "${A}")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		env := func(string) (string, bool) { return value, true }
		d := domain.Definition{Args: []string{text}}
		got, err := Expand(d, env, func(string) (string, error) { return value, nil })
		if !strings.Contains(text, "${") && !strings.Contains(text, "\x00") && (err != nil || got.Args[0] != text) {
			t.Fatalf("%q without a reference became %v, %v", text, got.Args, err)
		}
		if text == "${A}" && err == nil && got.Args[0] != value {
			t.Fatalf("the value %q was expanded again to %q", value, got.Args[0])
		}
		if (len(References(d, env)) > 0) && !HasReference(text) {
			t.Fatalf("%q has references and has none", text)
		}
	})
}
