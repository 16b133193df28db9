package core_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

// options are those of a core in an empty data folder of its own, with this machine's PATH.
func options(t *testing.T, role core.Role) core.Options {
	t.Helper()
	return core.Options{
		Home: t.TempDir(), Version: "1.0-test", Role: role, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		UI:      fstest.MapFS{"index.html": {Data: []byte("<title>Apollia</title>")}, "assets/a.js": {Data: []byte("1")}},
		Environ: []string{"PATH=" + os.Getenv("PATH"), "APOLLIA_LISTEN=127.0.0.1:0"},
	}
}

func open(t *testing.T, o core.Options) *core.Core {
	t.Helper()
	c, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return c
}

// answer is one reply of the API.
type answer struct {
	status int
	body   []byte
}

func (a answer) code(t *testing.T) domain.Code {
	t.Helper()
	var failure struct{ Error domain.Error }
	if err := json.Unmarshal(a.body, &failure); err != nil {
		t.Fatalf("not an error: %s", a.body)
	}
	return failure.Error.Code
}

func decode[T any](t *testing.T, a answer) T {
	t.Helper()
	var v T
	if a.status >= http.StatusBadRequest {
		t.Fatalf("status %d: %s", a.status, a.body)
	}
	if err := json.Unmarshal(a.body, &v); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return v
}

// ask sends one request to the API as the given caller.
func ask(t *testing.T, h http.Handler, method, path string, body any) answer {
	t.Helper()
	var reader io.Reader = http.NoBody
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(data)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, reader))
	return answer{status: w.Code, body: w.Body.Bytes()}
}

func window(c *core.Core) http.Handler { return c.Handler(api.WindowPrincipal()) }

func TestEmptyFolderIsReadyAndSaysSo(t *testing.T) {
	c := open(t, options(t, core.Serve))
	status := decode[api.Status](t, ask(t, window(c), http.MethodGet, "/api/status", nil))
	if !status.Running || status.Servers.Total != 0 || status.Inbox != 0 || len(status.Problems) != 0 {
		t.Fatalf("%+v", status)
	}
}

func TestSecondOwnerIsRefused(t *testing.T) {
	o := options(t, core.Serve)
	open(t, o)
	if _, err := core.Open(t.Context(), o); domain.CodeOf(err) != domain.CodeFolderBusy {
		t.Fatalf("got %v, want %s", err, domain.CodeFolderBusy)
	}
}

func TestBrokenConfigKeepsTheLastGoodOneAndIsTold(t *testing.T) {
	o := options(t, core.Serve)
	path := filepath.Join(o.Home, "config.toml")
	write(t, path, "[[mcp_servers]]\nname = \"one\"\ntransport = \"stdio\"\ncommand = \"true\"\nenabled = false\n")
	c := open(t, o)
	list := func() api.ServerList {
		return decode[api.ServerList](t, ask(t, window(c), http.MethodGet, "/api/servers", nil))
	}
	if got := list(); len(got.Servers) != 1 || got.Servers[0].Source != domain.FromConfig || got.Servers[0].Line != 1 {
		t.Fatalf("%+v", got)
	}
	events, cancel := c.Subscribe()
	defer cancel()
	write(t, path, "[[mcp_servers]\n")
	wait(t, events, func() bool { return len(c.Problems()) == 1 })
	if p := c.Problems()[0]; p.Code != domain.CodeConfigInvalid || p.Args["line"] != "1" {
		t.Fatalf("%+v", p)
	}
	if got := list(); len(got.Servers) != 1 {
		t.Fatalf("the last good configuration is gone: %+v", got)
	}
	if a := ask(t, window(c), http.MethodDelete, "/api/servers/one", nil); a.code(t) != domain.CodeManagedByFile {
		t.Fatalf("%s", a.body)
	}
}

func TestBrokenConfigKeepsTheLastGoodOneOverARestart(t *testing.T) {
	o := options(t, core.Serve)
	path := filepath.Join(o.Home, "config.toml")
	write(t, path, "[[policy.rules]]\nverdict = \"deny\"\nserver = \"*\"\nactions = [\"delete_*\"]\n")
	first, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, path, "x =\n")
	if err := os.RemoveAll(filepath.Join(o.Home, "run")); err != nil { // as the guide allows
		t.Fatal(err)
	}
	c := open(t, o)
	rules := decode[api.RuleList](t, ask(t, window(c), http.MethodGet, "/api/policy", nil))
	if len(rules.Rules) != 1 || rules.Rules[0].Verdict != domain.Deny || rules.Problem == nil {
		t.Fatalf("%+v, want the deny rule of the last good version, and the problem", rules)
	}
}

func TestLastGoodConfigOfAnEarlierVersionIsFound(t *testing.T) {
	o := options(t, core.Serve)
	old := filepath.Join(o.Home, "run", "config.last-good.toml")
	if err := os.Mkdir(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, old, "[[policy.rules]]\nverdict = \"deny\"\nserver = \"*\"\n")
	write(t, filepath.Join(o.Home, "config.toml"), "x =\n")
	rules := decode[api.RuleList](t, ask(t, window(open(t, o)), http.MethodGet, "/api/policy", nil)).Rules
	if len(rules) != 1 || rules[0].Verdict != domain.Deny {
		t.Errorf("the rules are %+v, want the deny rule of the last good version", rules)
	}
}

// wait returns when the condition holds, looking again at each event.
func wait(t *testing.T, events <-chan domain.Event, holds func() bool) {
	t.Helper()
	limit := time.After(time.Minute)
	for !holds() {
		select {
		case <-events:
		case <-limit:
			t.Fatal("waited a minute")
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestUnknownAddressAndBadBodyHaveOurShape(t *testing.T) {
	c := open(t, options(t, core.Command))
	if a := ask(t, window(c), http.MethodGet, "/api/nothing", nil); a.status != http.StatusNotFound || a.code(t) != domain.CodeUnknownItem {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := ask(t, window(c), http.MethodPost, "/api/calls", map[string]any{"server": 7}); a.code(t) != domain.CodeInvalidInput {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := ask(t, window(c), http.MethodGet, "/api/servers/ghost", nil); a.status != http.StatusNotFound || a.code(t) != domain.CodeUnknownServer {
		t.Errorf("%d %s", a.status, a.body)
	}
}
