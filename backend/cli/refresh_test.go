package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
)

const (
	tokenLife = 4 * time.Second
	// renewedAfter is when Apollia renews such a token, when a call needs it: a fifth of its life before its end.
	renewedAfter = tokenLife * 4 / 5
	callers      = 3
	underFire    = 30 * time.Second
)

// user is somebody at a command line, with a data folder of their own.
type user struct {
	t    *testing.T
	home string
}

func newUser(t *testing.T) user {
	u := user{t: t, home: t.TempDir()}
	data := filepath.Join(u.home, "data")
	err := os.Mkdir(data, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "config.toml"), []byte("[approvals]\nfrom_cli = \"always\"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.command(context.Background(), "stop").Run() }) // what runs, if anything does
	return u
}

func (u user) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(programs, "apollia"), args...)
	cmd.Env = []string{"HOME=" + u.home, "APOLLIA_HOME=" + filepath.Join(u.home, "data"), "APOLLIA_LISTEN=127.0.0.1:0", "PATH=" + os.Getenv("PATH")}
	return cmd
}

func (u user) must(args ...string) string {
	u.t.Helper()
	out, err := u.command(u.t.Context(), args...).CombinedOutput()
	if err != nil {
		u.t.Fatalf("apollia %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// owner starts an owner and returns once it answers.
func (u user) owner() *exec.Cmd {
	u.t.Helper()
	cmd := u.command(u.t.Context(), "serve", "--json")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		u.t.Fatal(err)
	}
	if !bufio.NewScanner(out).Scan() {
		u.t.Fatal("the owner says nothing")
	}
	return cmd
}

// Calls of several commands use one token while it is renewed again and again, by one owner and, after that is killed in
// the middle of a renewal, by the next: each refresh token is used once, nothing is revoked, and nobody signs in again.
func TestOneTokenServesAllCallersAndOutlivesItsOwner(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true, Rotate: true, Lifetime: tokenLife, TokenDelay: 300 * time.Millisecond})
	server := httptest.NewServer(provider.Guard(mcptest.NewHTTP(mcptest.Options{Name: "fake"})))
	t.Cleanup(server.Close)
	u := newUser(t)
	u.must("mcp", "add-server", "--no-test", "--name", "vault", "--transport", "http", "--url", server.URL+"/mcp")
	u.must("policy", "allow", "vault")
	port, err := mcptest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	u.must("settings", "set", "oauth.callback_port", port)
	owner := u.owner()
	u.signIn("vault")

	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), underFire)
	defer cancel()
	var all sync.WaitGroup
	for range callers {
		all.Go(func() { u.callOn(ctx) })
	}
	before := tokenRequests(provider)
	mcptest.Eventually(t, "a renewal begins", func() bool { return tokenRequests(provider) > before })
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait()
	u.owner()
	all.Wait()
	due := int(time.Since(began)/renewedAfter) + 1
	if got := provider.Refreshes(); got == 0 || got > due+1 {
		t.Errorf("%d refreshes while a token was due %d times", got, due)
	}
	if n := provider.RevokedFamilies(); n != 0 {
		t.Errorf("%d families revoked", n)
	}
	if n := len(provider.Authorizations()); n != 1 {
		t.Errorf("%d sign-ins, want the one", n)
	}
}

// tokenRequests counts those that reached the token endpoint, answered or not.
func tokenRequests(provider *oauthtest.Server) int {
	count := 0
	for _, request := range provider.Requests() {
		if strings.HasPrefix(request, "POST ") && strings.HasSuffix(request, "/token") {
			count++
		}
	}
	return count
}

// callOn calls until ctx ends. Between two owners a call may find nobody, but never a server that wants a sign-in.
func (u user) callOn(ctx context.Context) {
	for ctx.Err() == nil {
		out, err := u.command(ctx, "mcp", "call", "vault", "echo", "--args", `{"message":"bonjour"}`, "--json").Output()
		if err == nil || ctx.Err() != nil {
			continue
		}
		var failure struct{ Error struct{ Code string } }
		if json.Unmarshal(out, &failure) == nil && failure.Error.Code == "sign_in_needed" {
			u.t.Errorf("a call wants a sign-in: %s", out)
			return
		}
	}
}

// signIn signs in by the command line, with a browser that says yes.
func (u user) signIn(server string) {
	u.t.Helper()
	if err := runSignIn(u.t.Context(), u.command(u.t.Context(), "mcp", "auth", server, "--no-browser")); err != nil {
		u.t.Fatal("sign in: ", err)
	}
}
