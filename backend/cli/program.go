package cli

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

// Program is what the commands need from outside. All fields are required.
type Program struct {
	Version        string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Terminal says that a person sits there: standard input and standard error are interactive.
	Terminal bool
	// Environ is our environment as "NAME=value" entries, for the programs that are started; Getenv reads one of it.
	Environ []string
	Getenv  func(string) string
	// OpenLocal opens the core in this process for one short command. It starts no server but the one a request names.
	// CodeFolderBusy when another process has the data folder.
	OpenLocal func(ctx context.Context, home string) (Local, error)
	// Serve owns the data folder until ctx ends or a caller of the API stops it.
	Serve func(ctx context.Context, o ServeOptions) error
}

// Local is a core in this process.
type Local struct {
	// Handler is the API, bound to the command line as the caller.
	Handler http.Handler
	// Problems are what is wrong with the data folder: a broken config.toml, a database that was set aside.
	Problems []*domain.Error
	Close    func() error
}

// ServeOptions say how a long-lived owner runs.
type ServeOptions struct {
	Home string
	// Listen is the address asked for; empty for the configured one.
	Listen string
	// IdleExit ends the owner a minute after its last client, call or request.
	IdleExit bool
	// Ready is called once, when requests are answered. Its error ends the owner.
	Ready func(ServeInfo) error
}

// ServeInfo says where an owner is reached.
type ServeInfo struct {
	// URL is the base address, without a secret.
	URL string `json:"url"`
	// SignInURL signs a browser in, once.
	SignInURL string `json:"sign_in_url"`
	MCPURL    string `json:"mcp_url"`
	PID       int    `json:"pid"`
	// Problems are as those of Local. The owner goes on with the last good configuration.
	Problems []*domain.Error `json:"-"`
}

// Run runs one command line and returns the exit code: 0 done, 1 failed, 2 wrong usage or configuration, 3 needs
// sign-in or a credential, 4 refused or waiting for approval, 5 server unreachable.
func Run(ctx context.Context, p Program, args []string) (exitCode int) {
	in := &invocation{Program: p, printer: newPrinter(p)}
	root := newRootCmd(in)
	root.SetArgs(args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := readable(args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		return exitDone
	}
	// A command line that cannot be parsed may not have come as far as its --json.
	in.json = in.json || asksForJSON(args)
	if _, told := errors.AsType[*toldError](err); !told {
		in.fail(err)
	}
	return exitOf(err)
}

// readable refuses bytes that are not UTF-8: on their way to the API they would be replaced in silence.
func readable(args []string) error {
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return wrongUsage("a word of the command is not valid UTF-8: "+quoted(arg), "Type it again, in a terminal that is set to UTF-8.")
		}
	}
	return nil
}

func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}

// invocation is one run of the program: what it needs from outside, and how it answers.
type invocation struct {
	Program
	*printer
	// lines are what the person types, once something was asked.
	lines <-chan string
}
