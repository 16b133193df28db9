package mcptest

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// argsName names the variable that turns a test program into a server.
const argsName = "MCPTEST_SERVE"

// Main runs the tests of a package, or, in a process that Command describes, the server instead. A test package that
// uses Command calls it from TestMain. It does not return.
func Main(m *testing.M) {
	ServeIfAsked()
	os.Exit(m.Run())
}

// ServeIfAsked is the first half of Main, for a TestMain that does more: it does not return in a server's process.
func ServeIfAsked() {
	raw, asked := os.LookupEnv(argsName)
	if !asked {
		return
	}
	var args []string
	err := json.Unmarshal([]byte(raw), &args)
	if err == nil {
		var o Options
		if o, err = parse(args); err == nil {
			os.Exit(ServeStdio(o, os.Stdin, os.Stdout, os.Stderr))
		}
	}
	fmt.Fprintln(os.Stderr, "mcptest:", err)
	os.Exit(2)
}

func argsEnv(o Options) string { return argsName + "=" + string(mustJSON(o.args())) }

// Command describes a stdio server that is this test program itself, started again.
func Command(o Options) domain.Definition {
	return domain.Definition{
		Name: o.Name, Transport: domain.Stdio, Command: os.Args[0],
		Env: []domain.Variable{
			{Name: argsName, Value: string(mustJSON(o.args()))},
			// A program under the race detector otherwise sleeps for a second before it ends.
			{Name: "GORACE", Value: "atexit_sleep_ms=0"},
		},
	}
}
