package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/domain"
)

// outcome is what one command line came to.
type outcome struct {
	exit     int
	out, err string
}

// code is the code of the error document.
func (o outcome) code(t *testing.T) domain.Code {
	t.Helper()
	var document failure
	if err := json.Unmarshal([]byte(o.out), &document); err != nil || document.Error == nil {
		t.Fatalf("standard output holds no error document: %q, %v", o.out, err)
	}
	return document.Error.Code
}

// fakeProgram is a program whose core is a handler, with a data folder of its own.
func fakeProgram(t *testing.T, handler http.Handler) Program {
	t.Helper()
	home := t.TempDir()
	return Program{
		Version: "1.2.3", Stdin: strings.NewReader(""),
		Getenv: func(name string) string { return map[string]string{"APOLLIA_HOME": home}[name] },
		OpenLocal: func(context.Context, string) (Local, error) {
			return Local{Handler: handler, Close: func() error { return nil }}, nil
		},
		Serve: func(context.Context, ServeOptions) error { return errors.New("not here") },
	}
}

func run(ctx context.Context, p Program, args ...string) outcome {
	var out, err bytes.Buffer
	p.Stdout, p.Stderr = &out, &err
	exit := Run(ctx, p, args)
	return outcome{exit, out.String(), err.String()}
}

// answers is an API that gives the same document for each "METHOD /path".
func answers(t *testing.T, documents map[string]any) http.Handler {
	t.Helper()
	mux := http.NewServeMux()
	for pattern, document := range documents {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { writeDocument(t, w, document) })
	}
	return mux
}

func writeDocument(t *testing.T, w http.ResponseWriter, document any) {
	t.Helper()
	if failed, ok := document.(*domain.Error); ok {
		w.WriteHeader(http.StatusBadRequest)
		document = failure{failed}
	}
	if err := json.NewEncoder(w).Encode(document); err != nil {
		t.Error(err)
	}
}

func commandsOf(root *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{root}
	for _, cmd := range root.Commands() {
		all = append(all, commandsOf(cmd)...)
	}
	return all
}

func TestEveryCommandExplainsItself(t *testing.T) {
	p := fakeProgram(t, http.NotFoundHandler())
	in := &invocation{Program: p, printer: newPrinter(p)}
	for _, cmd := range commandsOf(newRootCmd(in)) {
		words := strings.Fields(cmd.CommandPath())[1:]
		help := run(t.Context(), p, append(words, "--help")...)
		if help.exit != 0 || help.err != "" || !strings.Contains(help.out, cmd.Short) && cmd.Long == "" {
			t.Errorf("%s --help: %+v", cmd.CommandPath(), help)
		}
		if !strings.Contains(help.out, "Examples:") || !strings.Contains(cmd.Example, cmd.CommandPath()) {
			t.Errorf("%s --help has no example of itself", cmd.CommandPath())
		}
		if !strings.Contains(help.out, "--json") {
			t.Errorf("%s does not take --json", cmd.CommandPath())
		}
	}
}

func TestWrongUsage(t *testing.T) {
	tests := []struct {
		args string
		want string // a part of what is said
	}{
		{"srve", "Did you mean: apollia serve?"},
		{"nothing-like-it", "See: apollia --help"},
		{"mcp lst", "Did you mean: apollia mcp list"},
		{"inbox aprove 3", "Did you mean: apollia inbox approve"},
		{"audit verfy", "Did you mean: apollia audit verify"},
		{"mcp list --bogus", "unknown flag: --bogus"},
		{"mcp list extra", "there is a word too many: extra"},
		{"mcp info", "SERVER is missing"},
		{"mcp call acme", "TOOL is missing"},
		{"mcp list --status sleeping", "there is no state sleeping"},
		{"mcp call acme echo --args {", "--args is not JSON"},
		{"mcp call acme echo --args @nowhere.json", "--args"},
		{"mcp call acme echo --args @.", "--args"},
		{"mcp call acme echo --wait -1", "--wait"},
		{"mcp call acme echo --wait soon", "--wait"},
		{"inbox approve 3 --always --session", "exclude each other"},
		{"audit --since yesterday", "--since"},
		{"completion tcsh", "there is no completion for tcsh"},
		{"mcp add-server", "--name"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			p := fakeProgram(t, http.NotFoundHandler())
			got := run(t.Context(), p, strings.Fields(test.args)...)
			if got.exit != 2 || !strings.Contains(got.err, test.want) || got.out != "" {
				t.Errorf("exit %d, stderr %q, stdout %q: want 2 and %q", got.exit, got.err, got.out, test.want)
			}
			got = run(t.Context(), p, append(strings.Fields(test.args), "--json")...)
			if got.exit != 2 || got.code(t).Class() != domain.Usage || strings.Count(got.out, "\n") != 1 {
				t.Errorf("with --json: %+v", got)
			}
		})
	}
}

func TestEmptyWordIsMissing(t *testing.T) {
	if got := run(t.Context(), fakeProgram(t, http.NotFoundHandler()), "mcp", "info", " "); got.exit != 2 {
		t.Errorf("%+v, want exit 2", got)
	}
}

func TestVersionOpensNothing(t *testing.T) {
	p := fakeProgram(t, nil)
	p.OpenLocal = func(context.Context, string) (Local, error) {
		t.Error("version opened the core")
		return Local{}, errors.New("no")
	}
	if got := run(t.Context(), p, "version"); got.exit != 0 || got.out != "apollia 1.2.3\n" {
		t.Errorf("%+v", got)
	}
	if got := run(t.Context(), p, "version", "--json"); !strings.HasPrefix(got.out, `{"version":"1.2.3","go":`) {
		t.Errorf("%+v", got)
	}
	if got := run(t.Context(), p, "--version"); got.out != "apollia 1.2.3\n" {
		t.Errorf("%+v", got)
	}
}

func TestFailureOfTheAPIIsTold(t *testing.T) {
	handler := answers(t, map[string]any{"GET /api/servers": &domain.Error{
		Code: domain.CodeDBNewer, Message: "the database is newer", Hint: "Update.", Args: map[string]string{"file": "apollia.db"},
	}})
	p := fakeProgram(t, handler)
	got := run(t.Context(), p, "mcp", "list")
	if got.exit != 1 || got.err != "error: the database is newer\nhint: Update.\n" {
		t.Errorf("%+v", got)
	}
	got = run(t.Context(), p, "mcp", "list", "--json")
	if got.code(t) != domain.CodeDBNewer || !strings.Contains(got.out, `"args":{"file":"apollia.db"}`) {
		t.Errorf("%+v", got)
	}
}

func TestAnswerThatIsNoJSON(t *testing.T) {
	p := fakeProgram(t, http.NotFoundHandler())
	got := run(t.Context(), p, "mcp", "list", "--json")
	if got.exit != 1 || got.code(t) != domain.CodeInternal {
		t.Errorf("%+v", got)
	}
}

func TestHomeMustBeKnown(t *testing.T) {
	p := fakeProgram(t, http.NotFoundHandler())
	p.Getenv = func(string) string { return "" }
	for _, command := range []string{"status", "stop", "serve", "desktop", "mcp list"} {
		got := run(t.Context(), p, append(strings.Fields(command), "--json")...)
		if got.exit != 2 || got.code(t) != domain.CodeInvalidInput {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// endless is an input that never ends.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func TestArgumentsWithoutEndAreRefused(t *testing.T) {
	p := fakeProgram(t, http.NotFoundHandler())
	p.Stdin = endless{}
	got := run(t.Context(), p, "mcp", "call", "acme", "echo", "--args", "-")
	if got.exit != 2 || !strings.Contains(got.err, "longer than 16 MiB") {
		t.Errorf("%+v, want exit 2", got)
	}
}

func TestBytesThatAreNotUTF8AreRefused(t *testing.T) {
	got := run(t.Context(), fakeProgram(t, http.NotFoundHandler()), "mcp", "info", "caf\xe9")
	if got.exit != 2 || !strings.Contains(got.err, `not valid UTF-8: "caf\xe9"`) {
		t.Errorf("%+v, want exit 2", got)
	}
}
