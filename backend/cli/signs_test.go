package cli_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
)

// protected NAME [FLAG...] starts a fake server that wants a sign-in, at an authorization server with these flags, and sets
// a variable to its address, and CALLBACK to a port that is free.
func protected(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: protected NAME [FLAG...]")
	}
	set := flag.NewFlagSet("protected", flag.ContinueOnError)
	o := oauthtest.Flags(set)
	ts.Check(set.Parse(args[1:]))
	signIns := httptest.NewUnstartedServer(nil)
	provider, err := oauthtest.Start(*o, signIns.Listener)
	ts.Check(err)
	server := httptest.NewServer(provider.Guard(mcptest.NewHTTP(mcptest.Options{Name: "fake"})))
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
		provider.Close()
	})
	ts.Setenv(args[0], server.URL+"/mcp")
	port, err := mcptest.FreePort()
	ts.Check(err)
	ts.Setenv("CALLBACK", port)
}

// signIn SERVER signs in to a server by the command line, with a browser that says yes.
func signIn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: signin SERVER")
	}
	ctx, cancel := context.WithTimeout(context.Background(), eventLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, ts.Getenv("APOLLIA"), "mcp", "auth", args[0], "--no-browser")
	cmd.Env = []string{
		"HOME=" + ts.Getenv("HOME"), "APOLLIA_HOME=" + ts.Getenv("APOLLIA_HOME"), "APOLLIA_LISTEN=" + ts.Getenv("APOLLIA_LISTEN"), "PATH=" + ts.Getenv("PATH"),
	}
	var out strings.Builder
	cmd.Stdout = &out
	ts.Check(runSignIn(ctx, cmd))
	if !strings.Contains(out.String(), "signed in to "+args[0]) {
		ts.Fatalf("apollia mcp auth says %q", out.String())
	}
}

// runSignIn runs apollia mcp auth, and has a browser open the address that it prints.
func runSignIn(ctx context.Context, cmd *exec.Cmd) error {
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	link := regexp.MustCompile(`https?://\S+`)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		address := link.FindString(lines.Text())
		if address == "" {
			continue
		}
		if _, err := oauthtest.Visit(ctx, nil, address); err != nil {
			return errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		}
	}
	return cmd.Wait()
}
