package core_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/toolbox"
)

// staged is a core with one server, the stages of a config.toml, and the ledger of what the server ran.
type staged struct {
	*core.Core
	ledger string
}

// stagesOf starts a server process that behaves as it is told to.
func stagesOf(t *testing.T, file string, behave ...mcptest.Behaviour) staged {
	t.Helper()
	o := options(t, core.Serve)
	write(t, filepath.Join(o.Home, "config.toml"), file)
	s := staged{open(t, o), filepath.Join(t.TempDir(), "ran")}
	d := mcptest.Command(mcptest.Options{Name: "fake", Behave: behave, Ledger: s.ledger})
	d.Name, d.DefaultVerdict = "fake", domain.Allow
	ask(t, window(s.Core), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	return s
}

func (s staged) call(t *testing.T, tool, arguments string) api.CallView {
	t.Helper()
	return end(t, s.Core, decode[api.CallView](t, ask(t, window(s.Core), http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: domain.ToolCall, Name: tool, Arguments: json.RawMessage(arguments), WaitMS: 60_000,
	})))
}

func (s staged) wantRan(t *testing.T, message string, times int) {
	t.Helper()
	ran, err := mcptest.ReadLedger(s.ledger)
	if err != nil || ran[message] != times {
		t.Errorf("%q ran %d times, want %d: %v", message, ran[message], times, err)
	}
}

// A server that dies while it works on a call is started again for what only reads; what writes ran once, and nobody knows more.
func TestRetryThroughAServerThatDies(t *testing.T) {
	s := stagesOf(t, "[middleware.retry]\n", mcptest.Stumble)
	if call := s.call(t, "echo", `{"message":"read"}`); call.Error != nil || call.Result.Meta.Attempts != 2 || !strings.Contains(string(call.Result.Raw), "read") {
		t.Errorf("the read came to %+v, %v", call.Result, call.Error)
	}
	s.wantRan(t, "read", 2)
	if call := s.call(t, "fail", `{"message":"write"}`); call.Error == nil || call.Error.Code != domain.CodeOutcomeUnknown {
		t.Errorf("the write came to %+v, %v", call.Result, call.Error)
	}
	s.wantRan(t, "write", 1)
	verified(t, s.Core)
}

func TestTimeoutThroughAServerThatHangs(t *testing.T) {
	s := stagesOf(t, "[middleware.retry]\n[middleware.timeout]\nseconds = 1\n")
	call := s.call(t, "wait", `{"message":"hang"}`)
	if call.Error == nil || call.Error.Code != domain.CodeCallTimeout || call.Error.Args["limit"] != "max" || call.Error.Args["max_seconds"] != "1" {
		t.Errorf("%+v", call.Error)
	}
	s.wantRan(t, "hang", 1) // nothing says that it may run twice
}

// A server that fails is left alone, then tried with one call, and called again as before when it answers.
func TestBreakerThroughAServerThatComesBack(t *testing.T) {
	s := stagesOf(t, "[middleware.circuit_breaker]\nfailure_threshold = 1\nrecovery_seconds = 1\n", mcptest.Stumble)
	state := func() domain.Breaker {
		t.Helper()
		list := decode[api.PoolState](t, ask(t, window(s.Core), http.MethodGet, "/api/pool", nil)).Breakers
		if len(list) != 1 || list[0].Server != "fake" {
			t.Fatalf("%+v", list)
		}
		return list[0]
	}
	if call := s.call(t, "echo", `{"message":"down"}`); call.Error == nil || state().State == domain.BreakerClosed {
		t.Fatalf("%+v, %+v", call.Error, state())
	}
	mcptest.Eventually(t, "the server is tried again", func() bool {
		call := s.call(t, "echo", `{"message":"down"}`)
		if call.Error != nil && call.Error.Code != domain.CodeBreakerOpen {
			t.Errorf("it came to %v", call.Error)
		}
		return call.Error == nil
	})
	if state().State != domain.BreakerClosed {
		t.Errorf("%+v", state())
	}
	s.wantRan(t, "down", 2)
}

func TestStreamingThroughASlowServer(t *testing.T) {
	s := stagesOf(t, "[middleware.streaming]\nslow_after = 0.1\n")
	call := s.call(t, "slow", `{"ms":1200}`)
	told := slices.ContainsFunc(call.Notices, func(n domain.Notice) bool {
		return n.Kind == domain.NoticeProgress && strings.Contains(string(n.Params), "takes its time")
	})
	if call.Error != nil || !call.Result.Meta.Slow || !told {
		t.Errorf("%+v, told %v, %v", call.Result, told, call.Error)
	}
}

// An agent that goes round in circles does nothing twice, and hears that it went round; in its next turn it may.
func TestDedupThroughAServer(t *testing.T) {
	s := stagesOf(t, "[middleware.dedup]\n")
	run := func(turn string, duplicate bool) {
		t.Helper()
		use := toolbox.Use{Caller: domain.Caller{Kind: domain.CallerClient, Name: "agent", User: domain.LocalUser, Session: "1"}, Turn: turn}
		result := s.Toolbox().Run(mcptest.Within(t), use, "mcp_fake.fail", json.RawMessage(`{"message":"again"}`))
		if data, ok := result.Data.(toolbox.Data); !ok || data.Text != "it failed" || result.Metadata.Duplicate != duplicate {
			t.Errorf("turn %s: %+v", turn, result)
		}
	}
	becomes(t, window(s.Core), "fake", domain.StateReady)
	run("1", false)
	run("1", true)
	s.wantRan(t, "again", 1)
	run("2", false)
	s.wantRan(t, "again", 2)
}

// What one account fetched is not given to the next, within the same turn either.
func TestAnotherSignInForgetsTheTurn(t *testing.T) {
	provider := oauthtest.New(t, oauthtest.Options{Auto: true})
	d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
	d.Name, d.DefaultVerdict = "vault", domain.Allow
	o := options(t, core.Serve)
	callbackAt(t, o.Home)
	config, err := os.ReadFile(filepath.Join(o.Home, "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(o.Home, "config.toml"), string(config)+"[middleware.dedup]\n")
	c := open(t, o)
	h := window(c)
	ask(t, h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	becomes(t, h, "vault", domain.StateNeedsSignIn)
	signIn(t, h, "vault")
	becomes(t, h, "vault", domain.StateReady)
	use := toolbox.Use{Caller: domain.Caller{Kind: domain.CallerClient, Name: "agent", User: domain.LocalUser, Session: "1"}, Turn: "1"}
	run := func() toolbox.ActionResult {
		return c.Toolbox().Run(mcptest.Within(t), use, "mcp_vault.echo", json.RawMessage(`{"message":"mine"}`))
	}
	if first, again := run(), run(); !first.Success || !again.Metadata.Duplicate {
		t.Fatalf("%+v, then %+v", first, again)
	}
	ask(t, h, http.MethodPost, "/api/servers/vault/sign-out", nil)
	if after := run(); after.Success || after.Metadata.Duplicate {
		t.Errorf("after the sign-out: %+v", after)
	}
	signIn(t, h, "vault")
	becomes(t, h, "vault", domain.StateReady)
	if after := run(); !after.Success || after.Metadata.Duplicate {
		t.Errorf("after another sign-in: %+v", after)
	}
}
