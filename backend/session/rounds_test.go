package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

func TestMain(m *testing.M) {
	mcptest.ServeIfAsked()
	m.Run()
}

// answers gives the same answer to every question of a method, and remembers what was asked.
type answers struct {
	by map[string]string

	mu    sync.Mutex
	asked []Question
	// completed are the pages that a server says are done with.
	completed []string
}

func (a *answers) Capabilities() map[string]json.RawMessage {
	return map[string]json.RawMessage{"elicitation": json.RawMessage(`{}`), "sampling": json.RawMessage(`{}`)}
}

func (a *answers) Completed(server, elicitation string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.completed = append(a.completed, server+" "+elicitation)
}

func (a *answers) Answer(_ context.Context, q Question) (json.RawMessage, *jsonrpc.Error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, q)
	if text, ok := a.by[q.Method]; ok {
		return json.RawMessage(text), nil
	}
	return nil, transport.MethodNotFound(q.Method)
}

// open begins a session with a server.
func open(t *testing.T, d domain.Definition, o Options) *Session {
	t.Helper()
	link, err := transport.Dial(mcptest.Within(t), "one", d, transport.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := link.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	s := New(link, o)
	if err := s.Greet(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}
	if err := s.Agree(mcptest.Within(t)); err != nil {
		t.Fatal(err)
	}
	return s
}

func call(t *testing.T, s *Session, c domain.Call) (domain.Result, error) {
	t.Helper()
	c.Kind = domain.ToolCall
	return s.Call(mcptest.Within(t), c)
}

// A server asks in both ways: by a request of its own, or by a result that needs more.
func TestServersAreAnsweredInEveryRevision(t *testing.T) {
	for _, revision := range Revisions() {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == Stateless && d.Transport == domain.SSE {
				return // that transport has only the older revisions
			}
			who := &answers{by: map[string]string{
				MethodElicitation: `{"action":"accept","content":{"name":"Ada"}}`, MethodSampling: `{"role":"assistant","model":"m","content":{"type":"text","text":"hi"}}`,
			}}
			s := open(t, d, Options{ServerID: "one", Answerer: who, Handshake: d.Transport == domain.SSE})
			for tool, want := range map[string]string{"elicit": `{"action":"accept","content":{"name":"Ada"}}`, "sample": who.by[MethodSampling]} {
				var heard []domain.NoticeKind
				result, err := call(t, s, domain.Call{Name: tool, Sink: func(n domain.Notice) { heard = append(heard, n.Kind) }})
				if err != nil || !strings.Contains(mcptest.Text(t, result.Raw), want) {
					t.Errorf("%s %s: %s, %v", revision, tool, result.Raw, err)
				}
				if !slices.Equal(heard, []domain.NoticeKind{domain.NoticeAsked, domain.NoticeAnswered}) {
					t.Errorf("%s %s: the caller heard %v", revision, tool, heard)
				}
			}
			who.mu.Lock()
			defer who.mu.Unlock()
			if len(who.asked) != 2 || who.asked[0].Server != "one" || who.asked[0].Call == nil {
				t.Errorf("%s: asked %+v", revision, who.asked)
			}
		})
	}
}

func TestAQuestionThatIsNotAnsweredEndsTheCall(t *testing.T) {
	s := open(t, mcptest.Command(mcptest.Options{Revision: Stateless}), Options{})
	_, err := call(t, s, domain.Call{Name: "elicit"})
	if e := domain.AsError(err); e == nil || e.Code != domain.CodeInputRefused || e.Args["method"] != MethodElicitation {
		t.Errorf("got %v", err)
	}
}

func TestRootsAreToldInEveryRevision(t *testing.T) {
	for _, revision := range Revisions() {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == Stateless && d.Transport == domain.SSE {
				return // that transport has only the older revisions
			}
			s := open(t, d, Options{Handshake: d.Transport == domain.SSE, Roots: folders("/srv/files")})
			result, err := call(t, s, domain.Call{Name: "roots"})
			if err != nil || mcptest.Text(t, result.Raw) != `{"roots":[{"uri":"file:///srv/files","name":"files"}]}` {
				t.Errorf("%s over %s: %s, %v", revision, d.Transport, result.Raw, err)
			}
		})
	}
}

// What a revision or an extension adds that is not known here goes through as it came: members, _meta, ui:// addresses,
// how long a result may be kept.
func TestWhatIsNotKnownGoesThroughAsItCame(t *testing.T) {
	for _, revision := range Revisions() {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == Stateless && d.Transport == domain.SSE {
				return
			}
			s := open(t, d, Options{Handshake: d.Transport == domain.SSE})
			var o Offer
			for _, section := range Sections() {
				if _, err := s.List(mcptest.Within(t), section, &o); err != nil {
					t.Fatal(err)
				}
			}
			tool := o.Tools[slices.IndexFunc(o.Tools, func(tool domain.Tool) bool { return tool.Name == "widget" })]
			if !strings.Contains(string(tool.Raw), `"_meta":{"ui":{"resourceUri":"ui://widget"}}`) {
				t.Errorf("%s over %s: tool %s", revision, d.Transport, tool.Raw)
			}
			result, err := call(t, s, domain.Call{Name: "widget"})
			if err != nil || !strings.Contains(string(result.Raw), `"vendor":{"n":1e3}`) {
				t.Errorf("%s over %s: result %s, %v", revision, d.Transport, result.Raw, err)
			}
			result, err = s.Call(mcptest.Within(t), domain.Call{Kind: domain.ResourceRead, Name: "ui://widget"})
			if err != nil || !strings.Contains(string(result.Raw), `"mimeType":"text/html;profile=mcp-app"`) {
				t.Errorf("%s over %s: page %s, %v", revision, d.Transport, result.Raw, err)
			}
			if revision == Stateless && !strings.Contains(string(result.Raw), `"ttlMs":0`) {
				t.Errorf("over %s: no caching hint in %s", d.Transport, result.Raw)
			}
		})
	}
}

func TestRootsAreToldToServersThatAsk(t *testing.T) {
	s := &Session{options: Options{Roots: folders("/home/lea/Notes de frais", "/srv"), Answerer: nobody{}}}
	got, failure := s.answer(t.Context(), MethodRoots, nil)
	const want = `{"roots":[{"uri":"file:///home/lea/Notes%20de%20frais","name":"Notes de frais"},{"uri":"file:///srv","name":"srv"}]}`
	if failure != nil || string(got) != want {
		t.Errorf("roots %s, %v", got, failure)
	}
}

// A server is told of nothing by default, whatever its revision, and can learn of a folder later.
func TestNoFolderIsToldByDefault(t *testing.T) {
	for _, revision := range Revisions() {
		s := open(t, mcptest.Command(mcptest.Options{Revision: revision}), Options{})
		result, err := call(t, s, domain.Call{Name: "roots"})
		if err != nil || mcptest.Text(t, result.Raw) != `{"roots":[]}` {
			t.Errorf("%s: %s, %v", revision, result.Raw, err)
		}
	}
}

// A server whose revision knows of it is told when the folders change, and the answer is that of the moment.
func TestServersHearThatTheFoldersChanged(t *testing.T) {
	for _, revision := range Revisions() {
		log := transport.NewLog(nil, nil)
		named := folders("/srv/old")
		s := open(t, mcptest.Command(mcptest.Options{Revision: revision}), Options{
			Log: log, Roots: func(ctx context.Context) []string { return named(ctx) },
		})
		named = folders("/srv/new")
		if err := s.RootsChanged(t.Context()); err != nil {
			t.Fatal(err)
		}
		result, err := call(t, s, domain.Call{Name: "roots"})
		if err != nil || mcptest.Text(t, result.Raw) != `{"roots":[{"uri":"file:///srv/new","name":"new"}]}` {
			t.Errorf("%s: %s, %v", revision, result.Raw, err)
		}
		heard := func() bool {
			lines, _ := log.Page(0, 100)
			return slices.ContainsFunc(lines, func(l transport.LogLine) bool { return strings.Contains(l.Text, "the folders changed") })
		}
		if revision != Stateless {
			mcptest.Eventually(t, "that the folders changed", heard)
		} else if heard() { // it would have been said before the call was answered
			t.Error("a notification that the stateless revision does not have")
		}
	}
}

func folders(named ...string) func(context.Context) []string {
	return func(context.Context) []string { return named }
}

func TestResultsThatAskForMore(t *testing.T) {
	for raw, reason := range map[string]string{
		`{"resultType":"complete"}`: "", `{}`: "", `{"resultType":"vendor"}`: "result_type",
		`{"resultType":"input_required"}`:                                       "input_required",
		`{"resultType":"input_required","inputRequests":[]}`:                    "input_required",
		`{"resultType":"input_required","inputRequests":` + questions(33) + `}`: "input_required",
		`{"resultType":"input_required","requestState":"s"}`:                    "more",
		`{"resultType":"input_required","inputRequests":{"q":{"method":"x"}}}`:  "more",
		`{"ResultType":"input_required"}`:                                       "",
	} {
		for _, handshake := range handshaken() {
			if n, err := (&Session{greeting: Greeting{Version: handshake}}).inputRequired(json.RawMessage(raw)); n != nil || err != nil {
				t.Errorf("%s: %.80s: %v, %v", handshake, raw, n, err)
			}
		}
		n, err := (&Session{greeting: Greeting{Version: Stateless}}).inputRequired(json.RawMessage(raw))
		got := ""
		switch {
		case err != nil:
			got = domain.AsError(err).Args["reason"]
		case n != nil:
			got = "more"
		}
		if got != reason {
			t.Errorf("%.80s: %q, want %q", raw, got, reason)
		}
	}
}

func TestResultThatIsNoObjectIsRefused(t *testing.T) {
	for _, raw := range []string{`"hello"`, `null`, `[]`, `7`, ` "x"`} {
		_, err := (&Session{}).completed(domain.Call{Kind: domain.ToolCall, Name: "echo"}, json.RawMessage(raw))
		if domain.CodeOf(err) != domain.CodeProtocol {
			t.Errorf("%s: %v, want %s", raw, err, domain.CodeProtocol)
		}
	}
	if r, err := (&Session{}).completed(domain.Call{Kind: domain.ToolCall}, json.RawMessage(" {}")); err != nil || string(r.Raw) != " {}" {
		t.Errorf("an object: %s, %v", r.Raw, err)
	}
}

func questions(n int) string {
	all := make(map[int]map[string]string, n)
	for i := range n {
		all[i] = map[string]string{"method": "x"}
	}
	return string(encoded(all))
}

// What was answered in one round does not go into the next, and the state goes back byte for byte.
func TestEachRoundHasItsOwnAnswers(t *testing.T) {
	s := &Session{options: Options{Answerer: &answers{by: map[string]string{"a": `{"n":1}`, "b": `{"n":2}`}}}, running: map[string]domain.Call{}, greeting: Greeting{Version: Stateless}}
	params := json.RawMessage(`{"name":"x","arguments":{"k":1.0e2}}`)
	rounds := []struct{ asks, want string }{
		{
			`{"resultType":"input_required","inputRequests":{"q1":{"method":"a"}},"requestState":"é <1>"}`,
			`{"inputResponses":{"q1":{"n":1}},"requestState":"é <1>","arguments":{"k":1.0e2},"name":"x"}`,
		},
		{
			`{"resultType":"input_required","inputRequests":{"q2":{"method":"b"}}}`,
			`{"inputResponses":{"q2":{"n":2}},"arguments":{"k":1.0e2},"name":"x"}`,
		},
	}
	for _, round := range rounds {
		n, err := s.inputRequired(json.RawMessage(round.asks))
		if err != nil {
			t.Fatal(err)
		}
		if params, err = s.nextRound(t.Context(), domain.Call{}, params, *n); err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, params, round.want) || !strings.Contains(string(params), `1.0e2`) {
			t.Errorf("params %s, want %s", params, round.want)
		}
	}
}

func sameJSON(t *testing.T, a json.RawMessage, b string) bool {
	t.Helper()
	var one, other any
	if json.Unmarshal(a, &one) != nil || json.Unmarshal([]byte(b), &other) != nil {
		t.Fatalf("not JSON: %s, %s", a, b)
	}
	return string(encoded(one)) == string(encoded(other))
}
