package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"apollia.fr/connexions/backend/domain"
)

func parseDefinition(t *testing.T, args ...string) (domain.Definition, error) {
	t.Helper()
	var d definitionFlags
	flags := pflag.NewFlagSet("add-server", pflag.ContinueOnError)
	d.register(flags)
	if err := flags.Parse(args); err != nil {
		return domain.Definition{}, err
	}
	return d.definition(func(_, name string) (string, error) { return "asked for " + name, nil })
}

func TestDefinitionFromFlags(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want domain.Definition
	}{
		{
			"as in the specification",
			[]string{"--name", "acme-internal", "--transport", "http", "--url", "https://h/mcp", "--header", "Authorization=Bearer a=b:c"},
			domain.Definition{
				Name: "acme-internal", Transport: domain.StreamableHTTP, URL: "https://h/mcp",
				Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer a=b:c"}},
			},
		},
		{
			"a header as in HTTP, every spelling of the transport",
			[]string{"--name", "a", "--transport", "streamable-http", "--url", "https://h/mcp", "--header", "X-Key:  v=1 "},
			domain.Definition{
				Name: "a", Transport: domain.StreamableHTTP, URL: "https://h/mcp",
				Headers: []domain.Variable{{Name: "X-Key", Value: "v=1"}},
			},
		},
		{
			"arguments keep their order and their spaces",
			[]string{"--name", "f", "--command", "npx", "--args", `-y "pkg name"`, "--arg", "/My files", "--arg", "-v", "--args", "$HOME ~"},
			domain.Definition{
				Name: "f", Transport: domain.Stdio, Command: "npx", Cwd: here,
				Args: []string{"-y", "pkg name", "/My files", "-v", "${HOME}", "${HOME}"},
			},
		},
		{
			"the rest",
			[]string{
				"--name", "r", "--transport", "stdio", "--command", "x", "--env", "K=v w", "--env", "EMPTY=", "--cwd", "sub",
				"--timeout", "45", "--buffer-size", "65536", "--root", "docs",
			},
			domain.Definition{
				Name: "r", Transport: domain.Stdio, Command: "x", Cwd: filepath.Join(here, "sub"),
				Env:       []domain.Variable{{Name: "K", Value: "v w"}, {Name: "EMPTY", Value: ""}},
				TimeoutMS: 45000, BufferSize: 65536, Roots: []string{filepath.Join(here, "docs")},
			},
		},
		{
			"a folder that is only known later",
			[]string{"--name", "r", "--command", "x", "--cwd", "${PROJECT}/sub"},
			domain.Definition{Name: "r", Transport: domain.Stdio, Command: "x", Cwd: "${PROJECT}/sub"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseDefinition(t, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			same := cmp.Comparer(func(a, b domain.Variable) bool { return a == b })
			if diff := cmp.Diff(test.want, got, same); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDefinitionSaysWhichFlagIsWrong(t *testing.T) {
	tests := []struct {
		args string
		want string // a part of the sentence
	}{
		{"--command x", "--name"},
		{"--name a", "--transport"},
		{"--name a --transport carrier-pigeon --url https://h", "--transport"},
		{"--name a --command x --url https://h", "--transport"},
		{"--name a --transport stdio --url https://h", "--url"},
		{"--name a --transport stdio", "--command"},
		{"--name a --transport sse", "--url"},
		{"--name a --transport http --url https://h --command x", "--command"},
		{"--name a --url https://h --cwd /", "--cwd"},
		{"--name a --command x --env n0value", "--env"},
		{"--name a --command x --env =v", "--env"},
		{"--name a --url https://h --header s3cret", "--header"},
		{"--name a --command x --args 'unclosed", "--args"},
		{"--name a --command x --args a|b", "--args"},
		{"--name a --command x --timeout soon", "--timeout"},
	}
	for _, test := range tests {
		_, err := parseDefinition(t, strings.Fields(test.args)...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want it to name %s", test.args, err, test.want)
		}
	}
}

func TestSecretIsNotRepeatedInAnError(t *testing.T) {
	_, err := parseDefinition(t, "--name", "a", "--url", "https://h", "--header", "hunter2")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v: want an error that does not hold what was given", err)
	}
}

func TestNameAloneIsAskedFor(t *testing.T) {
	d, err := parseDefinition(t, "--name", "a", "--command", "x", "--env", "API_TOKEN")
	want := domain.Variable{Name: "API_TOKEN", Value: "asked for API_TOKEN", Secret: true}
	if err != nil || len(d.Env) != 1 || d.Env[0] != want {
		t.Errorf("got %#v, %v", d.Env, err)
	}
	d, err = parseDefinition(t, "--name", "a", "--url", "https://h", "--header", "Authorization")
	if err != nil || len(d.Headers) != 1 || d.Headers[0].Value != "asked for Authorization" {
		t.Errorf("got %#v, %v", d.Headers, err)
	}
}
