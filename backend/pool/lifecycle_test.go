package pool

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

// blackHole is an address that takes connections and never says a word.
func blackHole(t *testing.T) domain.Definition {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return domain.Definition{Name: "hole", Transport: domain.StreamableHTTP, URL: "http://" + listener.Addr().String() + "/mcp"}
}

func stateIs(p *Pool, id string, state domain.State) func() bool {
	return func() bool { return p.Status(id).State == state }
}

func TestOneBadServerDelaysNobody(t *testing.T) {
	p := newPool(t, nil)
	good := mcptest.NewHTTP(mcptest.Options{})
	servers := []domain.Server{
		server("hole", blackHole(t)),
		server("dies", mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Die}})),
		server("missing", domain.Definition{Transport: domain.Stdio, Command: "no-such-program"}),
	}
	for _, id := range []string{"a", "b", "c"} {
		servers = append(servers, server(id, mcptest.Serve(t, domain.StreamableHTTP, good)))
	}
	p.Sync(servers)
	for _, id := range []string{"a", "b", "c"} {
		mcptest.Eventually(t, id+" ready", stateIs(p, id, domain.StateReady))
	}
	mcptest.Eventually(t, "dies stopped", stateIs(p, "dies", domain.StateStopped))
	mcptest.Eventually(t, "missing stopped", stateIs(p, "missing", domain.StateStopped))
	if reason := p.Status("missing").Reason; reason == nil || reason.Code != domain.CodeProgramNotFound {
		t.Errorf("reason %v", reason)
	}
	if state := p.Status("hole").State; state != domain.StateStarting {
		t.Errorf("the black hole is %s", state)
	}
}

func TestSyncStartsChangesAndEnds(t *testing.T) {
	p := newPool(t, nil)
	one := server("one", mcptest.Command(mcptest.Options{}))
	two := server("two", mcptest.Command(mcptest.Options{}))
	two.Enabled = false
	p.Sync([]domain.Server{one, two})
	mcptest.Eventually(t, "one ready", stateIs(p, "one", domain.StateReady))
	if state := p.Status("two").State; state != domain.StateOff {
		t.Errorf("a server that is off is %s", state)
	}
	pid := p.Status("one").PID

	one.Trust = domain.Community // nothing that a session is made of
	one.Name, one.DefaultVerdict = "Number one", domain.Allow
	cancel, held := hold(t, p, "one")
	turn := turnOf(p, "one")
	p.Sync([]domain.Server{one, two})
	if got := p.Status("one"); turnOf(p, "one") != turn || got.State != domain.StateReady || got.PID != pid {
		t.Errorf("after a change of trust, name and verdict: %+v", got)
	}
	cancel()
	wantCode(t, <-held, domain.CodeCanceled)
	one.TimeoutMS = 5000
	two.Enabled = true
	p.Sync([]domain.Server{one, two})
	mcptest.Eventually(t, "one started again", func() bool {
		s := p.Status("one")
		return s.State == domain.StateReady && s.PID != pid
	})
	mcptest.Eventually(t, "two ready", stateIs(p, "two", domain.StateReady))

	p.Sync([]domain.Server{two})
	mcptest.Eventually(t, "one forgotten", func() bool { return p.find("one") == nil })
	if state := p.Status("one").State; state != domain.StateOff {
		t.Errorf("a removed server is %s", state)
	}
	p.Sync([]domain.Server{one, two})
	mcptest.Eventually(t, "one back", stateIs(p, "one", domain.StateReady))
}

// turnOf counts what was wanted of a server.
func turnOf(p *Pool, id string) uint64 {
	s := p.find(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.want.turn
}

func TestDisconnectConnectReconnect(t *testing.T) {
	p := newPool(t, nil)
	one := server("one", mcptest.Command(mcptest.Options{}))
	one.Name = "Number one"
	start(t, p, one)
	pid := p.Status("one").PID
	if err := p.Disconnect(mcptest.Within(t), "one"); err != nil {
		t.Fatal(err)
	}
	if state := p.Status("one").State; state != domain.StateOff {
		t.Errorf("disconnected it is %s", state)
	}
	_, err := p.Call(mcptest.Within(t), toolCall("one", "echo", ""))
	if e := wantCode(t, err, domain.CodeServerOff); e.Args["server"] != "Number one" || !domain.Unsent(err) {
		t.Errorf("the refusal is %+v", e)
	}
	p.Sync([]domain.Server{one}) // nothing changed: it stays down
	if state := p.Status("one").State; state != domain.StateOff {
		t.Errorf("after a sync it is %s", state)
	}
	if err := p.Connect(mcptest.Within(t), "one"); err != nil {
		t.Fatal(err)
	}
	second := p.Status("one").PID
	if err := p.Reconnect(mcptest.Within(t), "one"); err != nil {
		t.Fatal(err)
	}
	third := p.Status("one").PID
	if second == pid || third == second {
		t.Errorf("pids %d, %d, %d", pid, second, third)
	}
	wantCode(t, p.Connect(mcptest.Within(t), "unknown"), domain.CodeServerOff)
}

func TestReferencesCountCalls(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Command(mcptest.Options{})))
	if got := p.Status("one").References; got != 1 {
		t.Errorf("idle: %d references", got)
	}
	cancel, failed := hold(t, p, "one")
	cancel()
	wantCode(t, <-failed, domain.CodeCanceled)
	if got := p.Status("one").References; got != 1 {
		t.Errorf("after the call: %d references", got)
	}
}

func TestProgressAndLogsReachTheCall(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		p := newPool(t, nil)
		start(t, p, server("one", d))
		var notices []domain.Notice
		call := toolCall("one", "slow", `{"name":"slow","arguments":{"ms":4},"_meta":{"progressToken":"mine"}}`)
		call.Sink = func(n domain.Notice) { notices = append(notices, n) }
		callText(t, p, call)
		if len(notices) != 4 || notices[3].Kind != domain.NoticeProgress || !strings.Contains(string(notices[3].Params), `"progress":4`) {
			t.Errorf("notices %+v", notices)
		}
		call = toolCall("one", "log", `{"name":"log","arguments":{"message":"careful"}}`)
		notices = nil
		call.Sink = func(n domain.Notice) { notices = append(notices, n) }
		callText(t, p, call)
		if len(notices) != 1 || notices[0].Kind != domain.NoticeLog {
			t.Errorf("notices %+v", notices)
		}
		if texts := strings.Join(logTexts(p, "one"), "\n"); !strings.Contains(texts, "[warning] fake: careful") {
			t.Errorf("log:\n%s", texts)
		}
	})
}

func TestServerRequestsGetAnAnswer(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		p := newPool(t, nil)
		start(t, p, server("one", d))
		if got := callText(t, p, toolCall("one", "ping", "")); got != "{}" {
			t.Errorf("ping = %s", got)
		}
		if got := callText(t, p, toolCall("one", "sample", "")); !strings.Contains(got, "-32601") {
			t.Errorf("sample = %s", got)
		}
	})
}

func TestChangedListsAreListedAgain(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		var events atomic.Int32
		p := newPool(t, func(o *Options) {
			o.Publish = func(e domain.Event) {
				if e == (domain.Event{Topic: domain.TopicServers, ID: "one"}) {
					events.Add(1)
				}
			}
		})
		start(t, p, server("one", d))
		before := events.Load()
		var all sync.WaitGroup
		for range 20 { // a flood
			all.Go(func() { callText(t, p, toolCall("one", "grow", "")) })
		}
		all.Wait()
		mcptest.Eventually(t, "all new tools", func() bool { return p.Status("one").Tools == len(mcptest.Standing)+20 })
		mcptest.Eventually(t, "an event", func() bool { return events.Load() > before })
	})
}

func TestServerErrorsOfCalls(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Command(mcptest.Options{})))
	result, err := p.Call(mcptest.Within(t), toolCall("one", "fail", ""))
	if err != nil || !strings.Contains(string(result.Raw), `"isError":true`) {
		t.Errorf("a tool that fails: %s, %v", result.Raw, err)
	}
	_, err = p.Call(mcptest.Within(t), toolCall("one", "unheard_of", ""))
	if e := wantCode(t, err, domain.CodeToolFailed); e.Args["rpc_code"] != "-32602" || !errors.As(err, new(*jsonrpc.Error)) {
		t.Errorf("error %+v", e)
	}
	_, err = p.Call(mcptest.Within(t), domain.Call{Kind: domain.ResourceRead, Server: "one", Name: "test://none"})
	wantCode(t, err, domain.CodeUnknownItem)
	result, err = p.Call(mcptest.Within(t), domain.Call{Kind: domain.PromptGet, Server: "one", Name: "greet", Params: json.RawMessage(`{"name":"greet","arguments":{"who":"Ada"}}`)})
	if err != nil || !strings.Contains(string(result.Raw), "Bonjour Ada") {
		t.Errorf("prompt: %s, %v", result.Raw, err)
	}
}

func TestUnsetVariableStartsNothing(t *testing.T) {
	p := newPool(t, func(o *Options) {
		o.Expand = func(context.Context, domain.Server) (domain.Definition, error) {
			return domain.Definition{}, &domain.Error{Code: domain.CodeVariableUnset, Message: "TOKEN is not set"}
		}
	})
	wantCode(t, ensure(t, p, server("one", mcptest.Command(mcptest.Options{}))), domain.CodeVariableUnset)
	if status := p.Status("one"); status.State != domain.StateStopped || status.Reason.Code != domain.CodeVariableUnset {
		t.Errorf("status %+v", status)
	}
}

func TestCloseWhileStartingLeavesNothing(t *testing.T) {
	p := New(Options{Expand: asIs, Patience: quick})
	p.Sync([]domain.Server{server("hole", blackHole(t)), server("mute", domain.Definition{Transport: domain.Stdio, Command: "/bin/cat"})})
	waiting := make(chan error, 1)
	go func() {
		_, err := p.Call(mcptest.Within(t), toolCall("hole", "echo", ""))
		waiting <- err
	}()
	mcptest.Eventually(t, "a caller waits", func() bool { return p.Status("hole").References == 2 })
	if err := p.Close(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; !errors.Is(err, domain.ErrUnsent) {
		t.Errorf("the caller got %v", err)
	}
	wantCode(t, ensure(t, p, server("late", domain.Definition{})), domain.CodeServerOff)
}

// memory keeps offers as a store does.
type memory struct {
	mu     sync.Mutex
	offers map[string]json.RawMessage
}

func (m *memory) SaveOffer(id string, offer json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.offers[id] = offer
	return nil
}

func (m *memory) Offer(id string) (json.RawMessage, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	offer, ok := m.offers[id]
	return offer, ok, nil
}

func TestOffersOutliveThePool(t *testing.T) {
	kept := &memory{offers: make(map[string]json.RawMessage)}
	remember := func(o *Options) { o.Offers = kept }
	p := newPool(t, remember)
	d := mcptest.Command(mcptest.Options{Tools: 2})
	p.Remember(server("tested", d), p.Probe(mcptest.Within(t), "tested", d, nil))
	start(t, p, server("started", d))
	if err := p.Close(mcptest.Within(t)); err != nil { // what is kept is written before the pool is closed, not before ready
		t.Fatal(err)
	}
	next := newPool(t, remember)
	for _, id := range []string{"tested", "started"} {
		offer, ok := next.Offer(id)
		if !ok || len(offer.Tools) != len(mcptest.Standing)+2 || len(offer.Resources) != 2 {
			t.Fatalf("%s: known %v, %d tools", id, ok, len(offer.Tools))
		}
		if tool := offer.Tools[0]; tool.Name != "echo" || tool.Effect != domain.Reads || !strings.Contains(string(tool.Raw), "x-unknown") {
			t.Errorf("%s: tool %+v", id, tool)
		}
	}
	if _, ok := next.Offer("nobody"); ok {
		t.Error("an offer of nobody")
	}
}

func TestLogOfAServerThatIsNoMoreIsNotWrittenAnew(t *testing.T) {
	dir := t.TempDir()
	p := New(Options{Expand: asIs, LogDir: dir, Patience: quick, Environ: os.Environ()})
	d := mcptest.Command(mcptest.Options{})
	start(t, p, server("one", d))
	start(t, p, server("two", d))
	p.Sync([]domain.Server{server("two", d)}) // one is ending now, or has ended
	for _, id := range []string{"one", "two", "none"} {
		if err := p.ForgetLog(id); err != nil {
			t.Error(err)
		}
	}
	if err := p.Close(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "two.log" {
		t.Errorf("the files are %v (%v)", files, err)
	}
}

func TestLogsAreAlsoWrittenToFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	p := New(Options{Expand: asIs, LogDir: dir, Patience: quick})
	start(t, p, server("one", mcptest.Command(mcptest.Options{})))
	if err := p.Close(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "one.log"))
	if err != nil || !strings.Contains(string(text), "lifecycle ready: ") || !strings.Contains(string(text), "lifecycle ended, ") {
		t.Errorf("the file says %q (%v)", text, err)
	}
}

// Why a server ended is found out later, often: by the next program, or by a command alone.
func TestLogsOutliveThePool(t *testing.T) {
	dir := t.TempDir()
	p := New(Options{Expand: asIs, LogDir: dir, Patience: quick})
	start(t, p, server("one", mcptest.Command(mcptest.Options{Text: "panic: out of memory"})))
	_, err := p.Call(mcptest.Within(t), toolCall("one", "crash", ""))
	wantCode(t, err, domain.CodeServerExited)
	if err := p.Close(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}
	before, _ := p.Logs("one", 0, 0)

	next := newPool(t, func(o *Options) { o.LogDir = dir })
	alone, _ := next.Logs("one", 0, 0)
	off := server("one", mcptest.Command(mcptest.Options{}))
	off.Enabled = false
	next.Want(off)
	mcptest.Eventually(t, "the lines of before", func() bool {
		lines, _ := next.Logs("one", 0, 0)
		return len(lines) == len(before)
	})
	later, _ := next.Logs("one", 0, 0)
	for i, line := range before {
		if got := alone[i]; got.Seq != line.Seq || got.Stream != line.Stream || got.Text != line.Text || !got.At.Equal(line.At.Truncate(time.Millisecond)) {
			t.Errorf("line %d is %+v, want %+v", i, got, line)
		}
		if later[i] != alone[i] {
			t.Errorf("line %d in the pool is %+v, want %+v", i, later[i], alone[i])
		}
	}
	off.Enabled = true
	start(t, next, off)
	if lines, _ := next.Logs("one", uint64(len(before)), 1); len(lines) != 1 || !strings.HasPrefix(lines[0].Text, "started ") {
		t.Errorf("the log goes on with %+v", lines)
	}
}
