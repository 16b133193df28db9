package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
)

// patience is how long a test waits for what should come at once.
const patience = time.Minute

// clock is moved by the test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// logged is what was written to a log.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// world is an authorization server, an MCP server that it guards, and our client of both.
type world struct {
	t       *testing.T
	server  *oauthtest.Server
	store   *memory
	clock   *clock
	log     *logged
	client  *Client
	options Options
	target  Target
	changed chan struct{}   // after Options.Changed
	wire    *http.Transport // to the MCP server
	browser *http.Client
}

// newWorld starts everything; the clock is that of both sides.
func newWorld(t *testing.T, o oauthtest.Options, changes ...func(*world)) *world {
	t.Helper()
	w := &world{t: t, store: newMemory(), clock: &clock{now: time.Now()}, log: &logged{}, wire: &http.Transport{}, changed: make(chan struct{}, 1)}
	o.Auto, o.Now = !o.Deny, w.clock.Now
	w.server = oauthtest.New(t, o)
	guarded := httptest.NewServer(w.server.Guard(http.HandlerFunc(echo)))
	w.browser = &http.Client{Transport: &http.Transport{}, Timeout: patience}
	w.target = Target{Subject: Subject{App: "local", User: "local", Server: "fake"}, URL: guarded.URL + "/mcp"}
	w.options = Options{
		Store: w.store, CallbackPort: func() string { return "0" }, Now: w.clock.Now, After: never,
		Changed: func(Subject) {
			select {
			case w.changed <- struct{}{}:
			default:
			}
		},
		Logger: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	port := freePort(t)
	w.options.CallbackPort = func() string { return port }
	for _, change := range changes {
		change(w)
	}
	w.client = New(w.options)
	t.Cleanup(func() {
		w.client.Close()
		w.wire.CloseIdleConnections()
		w.browser.CloseIdleConnections()
		guarded.CloseClientConnections()
		guarded.Close()
	})
	return w
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = w.Write(append([]byte("done "), body...))
}

// never is a time.After for which no time passes.
func never(time.Duration) <-chan time.Time { return nil }

func freePort(t *testing.T) string {
	t.Helper()
	port, err := mcptest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// withDocument has the client host its metadata document, and a callback port that this lists.
func withDocument(w *world) {
	const address = "https://client.example/metadata"
	w.options.ClientMetadataURL = func() string { return address }
	w.server.SetOptions(func(o *oauthtest.Options) {
		o.Fetch = func(context.Context, string) ([]byte, error) { return ClientMetadata(address) }
	})
	for port := lastCallbackPort; port >= firstCallbackPort; port-- { // other tests take the first ones
		socket, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		_ = socket.Close()
		w.options.CallbackPort = func() string { return strconv.Itoa(port) }
		return
	}
	w.t.Skip("all ports of the metadata document are taken on this computer")
}

// withAuth configures the sign-in.
func withAuth(a domain.Auth) func(*world) {
	return func(w *world) { w.target.Auth = &a }
}

func (w *world) ctx() context.Context {
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	w.t.Cleanup(cancel)
	return ctx
}

// await waits until something is so, looking again whenever the client tells of a change, and now and then.
func (w *world) await(so func() bool) {
	w.t.Helper()
	end, again := time.After(patience), time.NewTicker(time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-w.changed:
		case <-again.C:
		case <-end:
			w.t.Fatal("it does not come to be so")
		}
	}
}

// called is what a call of a tool came to.
type called struct {
	status int
	body   string
	err    error
}

func (w *world) call(tool string) called { return w.callBy(w.client, tool) }

// callBy calls a tool of the MCP server by one client.
func (w *world) callBy(c *Client, tool string) called {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `"}}`
	r, err := http.NewRequestWithContext(w.ctx(), http.MethodPost, w.target.URL, strings.NewReader(body))
	if err != nil {
		return called{err: err}
	}
	resp, err := c.Transport(w.target, w.wire).RoundTrip(r)
	if err != nil {
		return called{err: err}
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if resp.StatusCode == http.StatusOK && string(raw) != "done "+body {
		err = errors.New("the body did not arrive: " + string(raw))
	}
	return called{resp.StatusCode, string(raw), err}
}

// passes fails unless the call of a tool gets through.
func (w *world) passes(tool string) {
	w.t.Helper()
	if got := w.call(tool); got.err != nil || got.status != http.StatusOK {
		w.t.Fatalf("call: %d %v %s", got.status, got.err, got.body)
	}
}

// refused fails unless the server answers with that status.
func (w *world) refused(tool string, status int) {
	w.t.Helper()
	if got := w.call(tool); got.err != nil || got.status != status {
		w.t.Fatalf("call: %d %v, want %d", got.status, got.err, status)
	}
}

func (w *world) begin() Begun {
	w.t.Helper()
	begun, err := w.client.Begin(w.ctx(), w.target, BeginOptions{Language: "en"})
	if err != nil {
		w.t.Fatalf("begin: %v", err)
	}
	return begun
}

// visit does what the person and the browser do, and gives what the sign-in came to.
func (w *world) visit(begun Begun) (page oauthtest.Page, err error) {
	w.t.Helper()
	page, err = oauthtest.Visit(w.ctx(), w.browser, begun.AuthorizeURL)
	if err != nil {
		w.t.Fatalf("visit: %v", err)
	}
	return page, w.end(begun)
}

func (w *world) end(begun Begun) error {
	w.t.Helper()
	ended, err := begun.Wait(w.ctx())
	if err != nil {
		w.t.Fatal("the sign-in does not end")
	}
	return ended.Err
}

// signIn fails unless a person can sign in.
func (w *world) signIn() Begun {
	w.t.Helper()
	begun := w.begin()
	page, err := w.visit(begun)
	if err != nil || page.Status != http.StatusOK || !strings.Contains(page.Body, "You can close this tab.") {
		w.t.Fatalf("sign-in: %v, page %d %s", err, page.Status, page.Body)
	}
	return begun
}

// road is the whole way: what needs a sign-in, that, and the call again.
func (w *world) road() Begun {
	w.t.Helper()
	w.refused("echo", http.StatusUnauthorized)
	begun := w.signIn()
	w.passes("echo")
	return begun
}

func (w *world) kept() credential {
	w.t.Helper()
	kept, ok, err := read[credential](w.store, w.target.key())
	if err != nil || !ok {
		w.t.Fatalf("nothing is kept: %v", err)
	}
	return kept
}

// wantError fails unless err has a code, and arguments given as name, value, name, value.
func wantError(t *testing.T, err error, code domain.Code, args ...string) {
	t.Helper()
	if domain.CodeOf(err) != code {
		t.Fatalf("got %q %v, want %s", domain.CodeOf(err), err, code)
	}
	e := domain.AsError(err)
	for i := 0; i < len(args); i += 2 {
		if e.Args[args[i]] != args[i+1] {
			t.Errorf("%s is %q, want %q: %v", args[i], e.Args[args[i]], args[i+1], e)
		}
	}
}

func memberOf(t *testing.T, document, name string) string {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(document), &members); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	text, _ := members[name].(string)
	return text
}

// challengeFor is the challenge of PKCE for a verifier (RFC 7636 section 4.2).
func challengeFor(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
