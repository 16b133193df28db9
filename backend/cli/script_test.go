package cli_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/lantest"
	"apollia.fr/connexions/backend/mcptest"
)

// eventLimit bounds every wait for something that must come.
const eventLimit = 60 * time.Second

// programs is the folder of the programs that the scripts run.
var programs string

func TestMain(m *testing.M) {
	mcptest.ServeIfAsked()
	lantest.ServeIfAsked()
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	folder, err := os.MkdirTemp("", "apollia-programs-")
	if err == nil {
		err = os.Chmod(folder, 0o755) // some scripts run as another user
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	programs = folder
	for name, build := range map[string][]string{
		"apollia":     {"-ldflags", "-X main.version=1.0.0-test", "../cmd/apollia"},
		"apollia-old": {"-ldflags", "-X main.version=0.9.0-test", "../cmd/apollia"},
		"mcpfake":     {"../mcptest/mcpfake"},
	} {
		args := append([]string{"build", "-o", filepath.Join(folder, name)}, build...)
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", name, err, out)
			return 1
		}
	}
	return m.Run()
}

func TestScripts(t *testing.T) { testscript.Run(t, scripts("testdata/script")) }

// scripts are those of a folder, with the commands that they may use.
func scripts(folder string) testscript.Params {
	return testscript.Params{
		Dir:                 folder,
		Setup:               setUp,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "until": until, "capture": capture, "fake": fake, "closed": closed, "plain": plain, "sigkill": sigkill, "newer": newer,
			"speaks": speaks, "features": features, "protected": protected, "signin": signIn,
		},
	}
}

func condition(name string) (bool, error) {
	if name == "root" {
		return os.Getuid() == 0, nil
	}
	return false, fmt.Errorf("there is no condition %q", name)
}

// setUp gives a script an empty home folder, a data folder to be made, and a free port.
func setUp(env *testscript.Env) error {
	home, data := filepath.Join(env.WorkDir, ".empty-home"), filepath.Join(env.WorkDir, "data")
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	servers, err := filepath.Abs("../../build/servers/node_modules/.bin")
	if err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("APOLLIA_HOME", data)
	env.Setenv("APOLLIA_LISTEN", "127.0.0.1:0")
	env.Setenv("SERVERS", servers)
	env.Setenv("NPM_CACHE", filepath.Join(servers, "../../../cache/npm"))
	env.Setenv("APOLLIA", filepath.Join(programs, "apollia"))
	env.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	env.Defer(func() { leaveNothing(env) })
	return nil
}

// leaveNothing ends an owner that the script started in the background of the background, and then insists that no
// process of the script is left.
func leaveNothing(env *testscript.Env) {
	stop := exec.Command(filepath.Join(programs, "apollia"), "stop")
	stop.Env = env.Vars
	_ = stop.Run() // most scripts leave nothing that could be stopped
	deadline := time.Now().Add(eventLimit)
	for {
		left := processesOf(env.WorkDir)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			for pid := range left { // testscript would wait for them for ever
				if process, err := os.FindProcess(pid); err == nil {
					_ = process.Kill()
				}
			}
			env.T().Fatal("processes are left: ", left)
		}
		pause()
	}
}

// processesOf finds the processes that know of a folder, by their environment or as their working folder, with what they
// were started as.
func processesOf(folder string) map[int]string {
	found := map[int]string{}
	if runtime.GOOS != "linux" {
		return found
	}
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range folders {
		environ, _ := os.ReadFile(process + "/environ") // processes of others, and those that just ended, cannot be read
		cwd, _ := os.Readlink(process + "/cwd")
		if strings.Contains(string(environ), folder) || strings.HasPrefix(cwd, folder) {
			command, _ := os.ReadFile(process + "/cmdline")
			if pid, err := strconv.Atoi(filepath.Base(process)); err == nil {
				found[pid] = strings.ReplaceAll(string(command), "\x00", " ")
			}
		}
	}
	return found
}

// pause lets others go on between two looks.
func pause() { <-time.After(20 * time.Millisecond) }

// exits CODE PROGRAM ARGS... runs a program that must end with this very code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// until PATTERN PROGRAM ARGS... runs a program again and again until its standard output matches.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until PATTERN PROGRAM ARGS...")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	deadline := time.Now().Add(eventLimit)
	for {
		err := ts.Exec(args[1], args[2:]...)
		if pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%v: standard output never matched %s", err, args[0])
		}
		pause()
	}
}

// capture NAME PATTERN sets a variable to what the group of the pattern matches in standard output.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture NAME PATTERN")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	match := pattern.FindStringSubmatch(ts.ReadFile("stdout"))
	if len(match) != 2 {
		ts.Fatalf("standard output does not match %s", args[1])
	}
	ts.Setenv(args[0], match[1])
}

// fake NAME http|sse|tls [BEHAVIOUR...] [revision=REVISION] [page=SIZE] starts an MCP server and sets a variable to its address.
func fake(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fake NAME http|sse|tls [BEHAVIOUR...] [revision=REVISION] [page=SIZE]")
	}
	o := mcptest.Options{Name: "fake"}
	for _, word := range args[2:] {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "revision":
			o.Revision = value
		case "page":
			size, err := strconv.Atoi(value)
			ts.Check(err)
			o.PageSize = size
		default:
			o.Behave = append(o.Behave, mcptest.Behaviour(word))
		}
	}
	var server *httptest.Server
	path := "/mcp"
	switch args[1] {
	case "http":
		server = httptest.NewServer(mcptest.NewHTTP(o))
	case "sse":
		server, path = httptest.NewServer(mcptest.NewSSE(o)), "/sse"
	case "tls":
		server = httptest.NewUnstartedServer(mcptest.NewHTTP(o))
		server.Config.ErrorLog = nil
		server.StartTLS() // with a certificate that nobody trusts
	default:
		ts.Fatalf("fake: %s is not http, sse or tls", args[1])
	}
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
	})
	ts.Setenv(args[0], server.URL+path)
}

// closed NAME sets a variable to an address of this computer where nothing listens.
func closed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: closed NAME")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(args[0], listener.Addr().String())
	ts.Check(listener.Close())
}

// plain NAME starts a program that listens and is none of ours, and sets a variable to its address.
func plain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain NAME")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html>hello</html>"))
	}))
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.Listener.Addr().String())
}

// newer FILE makes a database one of a version that is not written yet.
func newer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: newer FILE")
	}
	db, err := bbolt.Open(args[0], 0o600, nil)
	ts.Check(err)
	ts.Check(db.Update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("99")) }))
	ts.Check(db.Close())
}

// sigkill PID... kills processes that the script did not start itself, and waits for their end.
func sigkill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: sigkill PID...")
	}
	for _, arg := range args {
		pid, err := strconv.Atoi(arg)
		ts.Check(err)
		process, err := os.FindProcess(pid)
		ts.Check(err)
		ts.Check(process.Kill())
	}
}
