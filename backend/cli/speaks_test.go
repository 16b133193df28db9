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
		{[]string{"call", server, "elicit"}, `"action":"cancel"`},
		{[]string{"prompt", server, "greet", "--args", `{"who":"Zoé"}`}, `Bonjour Zoé`},
		{[]string{"skills", server}, `^invoices +skill://invoices/SKILL\.md `},
		{[]string{"read", server, "skill://invoices/rates.csv"}, `^FR;20$`},
	} {
		says(ts, use.want, use.args...)
	}
}

// features SERVER REVISION insists that what a server tells by itself reaches the command line: the values it proposes,
// its log from a level on, a list that changed, a resource that is followed, our folders that it asks for, and tasks.
func features(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: features SERVER REVISION")
	}
	server, revision := args[0], args[1]
	for _, use := range []struct {
		args []string
		want string
	}{
		{[]string{"test", server, "--json"}, `"ok":true,.*"protocol_version":"` + revision + `"`},
		{[]string{"complete", server, "greet", "who", "r"}, `^red\nrose\n$`},
		{[]string{"complete", server, "test://item/{id}", "id", "--with", "colour=blue", "--json"}, `^{"values":\["blue-red","blue-rose","blue-green"\],"total":3,"more":false}$`},
		{[]string{"logs", server, "--level", "warning"}, `started|connected|ready`},
		{[]string{"call", server, "level"}, `^warning$`},
		{[]string{"call", server, "log", "--args", `{"message":"a drop of oil"}`}, `^logged$`},
		{[]string{"call", server, "roots"}, `"uri":"file://[^"]*/folder"`},
		{[]string{"call", server, "grow"}, `^grown$`},
	} {
		says(ts, use.want, use.args...)
	}
	until(ts, false, []string{`\[warning\] fake: a drop of oil`, "apollia", "mcp", "logs", server})
	until(ts, false, []string{`"name":"tool_`, "apollia", "mcp", "tools", server, "--json"})
	follows(ts, server)
	if revision >= "2025-11-25" {
		says(ts, `^done as a task$`, "call", server, "task", "--args", `{"message":"done"}`)
	}
}

// says insists on what a command of apollia mcp prints.
func says(ts *testscript.TestScript, want string, args ...string) {
	ts.Check(ts.Exec("apollia", append([]string{"mcp"}, args...)...))
	if got := ts.ReadFile("stdout"); !regexp.MustCompile("(?m)" + want).MatchString(got) {
		ts.Fatalf("apollia mcp %v says %q, want %s", args, got, want)
	}
}
