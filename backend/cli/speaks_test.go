package cli_test

import (
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"

	"apollia.fr/connexions/backend/mcptest"
)

// speaks SERVER REVISION insists that a fake server is spoken to in this revision, and that what it offers, over several
// pages, can be used.
func speaks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: speaks SERVER REVISION")
	}
	server, revision := args[0], args[1]
	last := mcptest.Standing[len(mcptest.Standing)-1]
	for _, use := range []struct {
		args []string
		want string
	}{
		{[]string{"test", server, "--json"}, `"ok":true,.*"protocol_version":"` + revision + `"`},
		{[]string{"health", server}, `^` + server + ` +ok`},
		{[]string{"tools", server, "--json"}, `"name":"echo".*"name":"` + last + `"`},
		{[]string{"call", server, "echo", "--args", `{"message":"bonjour"}`}, `^bonjour$`},
		{[]string{"resources", server}, `(?s)test://text.*test://item/\{id\}`},
		{[]string{"read", server, "test://text"}, `^bonjour$`},
		{[]string{"read", server, "test://item/42"}, `^42$`},
		{[]string{"read", server, "test://binary"}, `PNG`},
		{[]string{"read", server, "ui://widget"}, `^<p>hi</p>$`},
		{[]string{"call", server, "widget", "--json"}, `"vendor":\{"n":1e3\}`},
		{[]string{"call", server, "elicit"}, `"action":"decline"`},
		{[]string{"prompt", server, "greet", "--args", `{"who":"Zoé"}`}, `Bonjour Zoé`},
	} {
		ts.Check(ts.Exec("apollia", append([]string{"mcp"}, use.args...)...))
		if got := ts.ReadFile("stdout"); !regexp.MustCompile("(?m)" + use.want).MatchString(got) {
			ts.Fatalf("apollia mcp %v says %q, want %s", use.args, got, use.want)
		}
	}
}
