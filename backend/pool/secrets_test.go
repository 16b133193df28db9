package pool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

const hush = "hush-hush-42"

// outlets gathers all that leaves a pool, by where it leaves.
type outlets struct {
	mu   sync.Mutex
	said map[string]string
}

func (o *outlets) add(where string, v any) {
	text, ok := v.(string)
	if !ok {
		raw, err := json.Marshal(v)
		text = fmt.Sprintf("%s %v", raw, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.said[where] += text + "\n"
}

// fail adds an error with everything that can be unwrapped from it.
func (o *outlets) fail(where string, err error) {
	if err == nil {
		return
	}
	o.add(where, err.Error())
	if e, ok := err.(*domain.Error); ok { //nolint:errorlint // each link of the chain has its turn
		o.add(where, e)
	}
	switch wrapped := err.(type) { //nolint:errorlint // as above
	case interface{ Unwrap() error }:
		o.fail(where, wrapped.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range wrapped.Unwrap() {
			o.fail(where, inner)
		}
	}
}

// Write takes what goes to our own log.
func (o *outlets) Write(p []byte) (int, error) {
	o.add("our log", string(p))
	return len(p), nil
}

// repeating describes a server that was given a secret and says it wherever it can.
func repeating(t *testing.T, transport domain.Transport, b ...mcptest.Behaviour) domain.Definition {
	t.Helper()
	fake := mcptest.Options{Name: "fake", Echo: "X-Key", Behave: b}
	var d domain.Definition
	switch transport {
	case domain.Stdio:
		fake.Echo = "X_KEY"
		d = mcptest.Command(fake)
		d.Env = append(d.Env, domain.Variable{Name: "X_KEY", Value: hush, Secret: true})
	case domain.SSE:
		d = mcptest.Serve(t, transport, mcptest.NewSSE(fake))
	case domain.StreamableHTTP:
		d = mcptest.Serve(t, transport, mcptest.NewHTTP(fake))
	}
	if transport != domain.Stdio {
		d.URL += "?api_key=" + hush
		d.Headers = []domain.Variable{{Name: "X-Key", Value: hush, Secret: true}}
	}
	d.Name = "fake"
	return d
}

// listen does with a server all that can be done, and gathers what comes of it.
func listen(t *testing.T, d domain.Definition, change ...func(*Options)) map[string]string {
	t.Helper()
	o := &outlets{said: make(map[string]string)}
	dir := t.TempDir()
	kept := &memory{offers: make(map[string]json.RawMessage)}
	options := Options{
		Expand: asIs, Environ: os.Environ(), Patience: quick, LogDir: dir, Offers: kept,
		Logger:  slog.New(slog.NewJSONHandler(o, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Publish: func(e domain.Event) { o.add("events", e) },
	}
	for _, c := range change {
		c(&options)
	}
	p := New(options)
	report := p.Probe(mcptest.Within(t), "one", d, func(r domain.TestReport) { o.add("report", r) })
	o.add("report", report)
	if report.Error != nil {
		o.fail("report", report.Error)
	}

	o.fail("start", ensure(t, p, server("one", d)))
	o.fail("ping", p.Health(mcptest.Within(t), "one"))
	for _, call := range []domain.Call{
		toolCall("one", "unheard_of", ""),
		{Kind: domain.ResourceRead, Server: "one", Name: "test://none"},
		toolCall("one", "slow", `{"name":"slow","arguments":{"ms":4}}`),
		toolCall("one", "log", `{"name":"log","arguments":{"message":"I was given `+hush+`"}}`),
	} {
		call.Sink = func(n domain.Notice) { o.add("notices", n) }
		_, err := p.Call(mcptest.Within(t), call)
		o.fail("call "+call.Name, err)
	}
	o.add("status", p.Status("one"))
	offer, _ := p.Offer("one")
	o.add("offer", offer)
	o.add("offer as sent", offer.Raw())
	_, err := p.Call(mcptest.Within(t), toolCall("one", "crash", ""))
	o.fail("crash", err)
	o.add("status after", p.Status("one"))

	if err := p.Close(mcptest.Within(t)); err != nil {
		t.Error(err)
	}
	lines, _ := p.Logs("one", 0, 0)
	o.add("log", lines)
	frames, _ := p.Traffic("one", 0, 0)
	o.add("traffic", frames)
	file, err := os.ReadFile(filepath.Join(dir, "one.log"))
	o.add("log file", string(file))
	o.fail("log file", err)
	remembered, _, _ := kept.Offer("one")
	o.add("kept offer", string(remembered))
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.said) // a goroutine of mcp-go's may still write to our log
}

func TestSecretsThatAServerRepeatsGoNowhere(t *testing.T) {
	all := []domain.Transport{domain.Stdio, domain.StreamableHTTP, domain.SSE}
	remote := all[1:]
	tests := []struct {
		name       string
		transports []domain.Transport
		behave     []mcptest.Behaviour
		// said names outlets that must show the hidden secret, or the test has looked at nothing.
		said []string
	}{
		{"well-behaved", all, nil, []string{
			"report", "status", "offer", "offer as sent", "kept offer", "log", "log file", "notices", "traffic",
			"call unheard_of", "call test://none",
		}},
		{"refused handshake", all, []mcptest.Behaviour{mcptest.RefuseInit}, []string{"report", "start", "log", "status"}},
		{"refused lists", all, []mcptest.Behaviour{mcptest.RefuseLists}, []string{"report", "status", "log"}},
		{"dies", all[:1], []mcptest.Behaviour{mcptest.Die}, []string{"report", "start", "log", "status"}},
		{"prints between", all[:1], []mcptest.Behaviour{mcptest.Banner}, []string{"log", "crash"}},
		{"web page", remote, []mcptest.Behaviour{mcptest.HTML}, []string{"report", "start", "status"}},
		{"401", remote, []mcptest.Behaviour{mcptest.Unauthorized}, []string{"report", "start", "status"}},
		{"403", remote, []mcptest.Behaviour{mcptest.Forbidden}, []string{"report", "start", "status"}},
		{"500", remote, []mcptest.Behaviour{mcptest.Broken}, []string{"report", "start", "status"}},
		{"moved", remote, []mcptest.Behaviour{mcptest.Moved}, []string{"report", "start", "status"}},
		{"another host", all[2:], []mcptest.Behaviour{mcptest.ForeignPost}, []string{"report", "start", "status"}},
	}
	for _, test := range tests {
		for _, transport := range test.transports {
			t.Run(test.name+" "+string(transport), func(t *testing.T) {
				wantHidden(t, listen(t, repeating(t, transport, test.behave...)), test.said...)
			})
		}
	}
}

// signed is a sign-in that gives the secret as a token.
type signed struct{ next http.RoundTripper }

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+hush)
	return s.next.RoundTrip(r)
}

// A token is known only once somebody has signed in: no definition holds it.
func TestATokenThatAServerRepeatsGoesNowhere(t *testing.T) {
	signIn := func(o *Options) {
		o.Authorize = func(_ string, _ domain.Definition, next http.RoundTripper) http.RoundTripper { return signed{next} }
	}
	well := mcptest.Options{Echo: "Authorization"}
	broken := mcptest.Options{Echo: "Authorization", Behave: []mcptest.Behaviour{mcptest.Broken}}
	for name, d := range map[string]domain.Definition{
		"well-behaved http": mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(well)),
		"well-behaved sse":  mcptest.Serve(t, domain.SSE, mcptest.NewSSE(well)),
		"broken http":       mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(broken)),
		"broken sse":        mcptest.Serve(t, domain.SSE, mcptest.NewSSE(broken)),
	} {
		t.Run(name, func(t *testing.T) {
			named := []string{"report", "start", "status"}
			if strings.HasPrefix(name, "well") {
				named = []string{"report", "status", "offer", "kept offer", "notices", "traffic"}
			}
			wantHidden(t, listen(t, d, signIn), named...)
		})
	}
}

// wantHidden fails for each outlet that says the secret, and for each of those named where it does not even stand hidden.
func wantHidden(t *testing.T, said map[string]string, named ...string) {
	t.Helper()
	for where, text := range said {
		if at := strings.Index(text, "hush-hush"); at >= 0 {
			t.Errorf("%s says …%s…", where, text[max(0, at-200):min(len(text), at+30)])
		}
	}
	for _, where := range named {
		if !strings.Contains(said[where], "[secret]") {
			t.Errorf("%s holds nothing hidden: %s", where, said[where])
		}
	}
}

func TestAProgramThatIsNoServerHidesWhatItPrints(t *testing.T) {
	for _, script := range []string{
		`echo "key is $X_KEY"`,
		`echo "$X_KEY is not allowed" >&2; exit 1`,
		// The log keeps a long line in parts; the secret stands where one ends.
		`head -c 8170 /dev/zero | tr '\0' x >&2; for i in 1 2 3 4; do printf "$X_KEY" >&2; done; exit 1`,
	} {
		d := domain.Definition{
			Name: "sh", Transport: domain.Stdio, Command: "sh", Args: []string{"-c", script},
			Env: []domain.Variable{{Name: "X_KEY", Value: hush, Secret: true}},
		}
		wantHidden(t, listen(t, d), "report", "log", "log file")
	}
}

func TestAnUnreachableServerHidesItsAddress(t *testing.T) {
	gone := mcptest.Serve(t, domain.StreamableHTTP, http.NotFoundHandler())
	for _, url := range []string{"http://127.0.0.1:1/mcp?api_key=" + hush, gone.URL + "?api_key=" + hush, "http://%zz?api_key=" + hush} {
		for _, transport := range []domain.Transport{domain.StreamableHTTP, domain.SSE} {
			wantHidden(t, listen(t, domain.Definition{Name: "fake", Transport: transport, URL: url}))
		}
	}
}

// What the caller asked for is its own: a result is no message about the server.
func TestResultsOfCallsStayAsTheyAre(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", repeating(t, domain.Stdio)))
	result, err := p.Call(mcptest.Within(t), toolCall("one", "echo", `{"name":"echo","arguments":{"message":"`+hush+`"}}`))
	if err != nil || !bytes.Contains(result.Raw, []byte(hush)) {
		t.Errorf("result %s, %v", result.Raw, err)
	}
}
