package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

func TestHTTPStreamThatBreaksOffIsResumed(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		t.Run(revision, func(t *testing.T) {
			resumedFrom := make(chan string, 1)
			d := scripted(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				if r.Method == http.MethodPost {
					fmt.Fprint(w, "id: seven\nretry: 10\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
					fmt.Fprint(w, "id: nine\ndata: {\"jsonrpc\":") // half an event, which was never sent
					_ = http.NewResponseController(w).Flush()
					panic(http.ErrAbortHandler)
				}
				resumedFrom <- r.Header.Get("Last-Event-Id")
				fmt.Fprint(w, "id: eight\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"late\":true}}\n\n")
			})
			l := dial(t, d, testOptions())
			initializeIn(t, l, revision)
			got, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
			if err != nil || string(got) != `{"late":true}` {
				t.Errorf("got %s (%v)", got, err)
			}
			if from := <-resumedFrom; from != "seven" {
				t.Errorf("resumed from %q", from)
			}
		})
	}
}

func TestHTTPListeningGoesOnWhereItStopped(t *testing.T) {
	from := make(chan string, 10)
	fake := mcptest.NewHTTP(mcptest.Options{})
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			fake.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		last := r.Header.Get("Last-Event-Id")
		from <- last
		if last == "" {
			fmt.Fprint(w, "id: four\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
			return
		}
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	l := dial(t, d, testOptions())
	initialize(t, l)
	for _, want := range []string{"", "four"} {
		select {
		case got := <-from:
			if got != want {
				t.Errorf("listens from %q, want %q", got, want)
			}
		case <-mcptest.Within(t).Done():
			t.Fatal("it does not listen")
		}
	}
}

// What a server asks while nobody listens, it asks nobody: no request goes out before it has answered the stream.
func TestHTTPListensBeforeTheFirstRequest(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	asked, release := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var order []string
	note := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, what)
	}
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			note(r.Method)
			fake.ServeHTTP(w, r)
			return
		}
		close(asked)
		<-release
		note("listening")
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	options := testOptions()
	options.After = func(time.Duration) <-chan time.Time { return nil } // it answers in time
	l := dial(t, d, options)
	go func() {
		<-asked
		close(release)
	}()
	initialize(t, l)
	if _, err := l.Request(mcptest.Within(t), "tools/list", json.RawMessage(`{}`)); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"POST", "POST", "listening", "POST"}; !slices.Equal(order, want) {
		t.Errorf("the server saw %v, want %v", order, want)
	}
}

// Some servers do not answer the stream before they have something to say.
func TestHTTPDoesNotWaitForAStreamThatIsNotAnswered(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			fake.ServeHTTP(w, r)
			return
		}
		<-r.Context().Done()
	}))
	options := testOptions()
	waited := make(chan time.Time)
	close(waited)
	options.After = func(time.Duration) <-chan time.Time { return waited }
	l := dial(t, d, options)
	initialize(t, l)
	if _, err := l.Request(mcptest.Within(t), "tools/list", json.RawMessage(`{}`)); err != nil {
		t.Error(err)
	}
}

func TestPauseBeforeAStreamIsOpenedAgain(t *testing.T) {
	tests := map[string]time.Duration{"1500": 500 * time.Millisecond, "10": 0, "9999999": maxRetryPause - time.Second, "soon": 0, "-1": 0, "": 0}
	for retry, want := range tests {
		var place streamPlace
		place.note(event{hasRetry: true, retry: retry})
		place.note(event{}) // which says nothing of it
		if got := place.pauseAfter(listenPause); got != want {
			t.Errorf("retry %q: %v, want %v", retry, got, want)
		}
	}
}

// A person may take all day: the answer is bounded by nothing but the life of the call.
func TestServerRequestsWaitForAPerson(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		asked, answer := make(chan bool, 1), make(chan struct{})
		l.OnRequest(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
			_, limited := ctx.Deadline()
			asked <- limited
			<-answer
			return json.RawMessage(`{"action":"decline"}`), nil
		})
		initialize(t, l)
		said := make(chan string, 1)
		go func() { said <- callText(t, l, `{"name":"elicit"}`) }()
		if <-asked {
			t.Error("the time of the person is limited")
		}
		if got := callText(t, l, `{"name":"echo","arguments":{"message":"meanwhile"}}`); got != "meanwhile" {
			t.Errorf("echo = %q", got)
		}
		close(answer)
		if got := <-said; !strings.Contains(got, "decline") {
			t.Errorf("the server heard %s", got)
		}
	})
}

// Over HTTP the stateless revision has no notification for it: the answer's stream closes. On stdio it has.
func TestStatelessCancellation(t *testing.T) {
	left := make(chan struct{})
	waiting := make(chan struct{})
	var mu sync.Mutex
	var sent []string
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		sent = append(sent, string(body))
		mu.Unlock()
		if strings.Contains(string(body), "ping") {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":2,"result":{}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		close(waiting)
		<-r.Context().Done()
		close(left)
	}))
	l := dial(t, d, testOptions())
	l.SetProtocolVersion("2026-07-28")
	ctx, cancel := context.WithCancel(mcptest.Within(t))
	go func() {
		<-waiting
		cancel()
	}()
	_, err := l.Request(ctx, "tools/call", json.RawMessage(`{"name":"wait"}`))
	wantCode(t, err, domain.CodeCanceled)
	<-left
	if _, err := l.Request(mcptest.Within(t), "ping", nil); err != nil { // whatever was sent before it is there
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if slices.ContainsFunc(sent, func(body string) bool { return strings.Contains(body, "notifications/cancelled") }) {
		t.Errorf("sent %q", sent)
	}
}

// In the stateless revision a server on stdio ends a stream of changes by taking our request back.
func TestServerMayDropARequestOfOurs(t *testing.T) {
	script := `read request; echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}'
read request; echo '{"jsonrpc":"2.0","id":2,"result":{}}'; read end`
	for _, stateless := range []bool{true, false} {
		l := dial(t, domain.Definition{Transport: domain.Stdio, Command: "sh", Args: []string{"-c", script}}, testOptions())
		version := "2025-11-25"
		if stateless {
			version = "2026-07-28"
		}
		l.SetProtocolVersion(version)
		heard := make(chan struct{}, 1)
		l.OnNotification(func(string, json.RawMessage) { heard <- struct{}{} })
		ctx, cancel := context.WithCancel(mcptest.Within(t))
		failed := make(chan error, 1)
		go func() {
			_, err := l.Request(ctx, "subscriptions/listen", json.RawMessage(`{}`))
			failed <- err
		}()
		<-heard
		if stateless {
			if e := wantCode(t, <-failed, domain.CodeConnClosed); e.Args["reason"] != "request_dropped" || l.Err() != nil {
				t.Errorf("error %+v, link %v", e, l.Err())
			}
		} else { // there it takes back a request of its own, and ours waits on
			cancel()
			wantCode(t, <-failed, domain.CodeCanceled)
		}
		if _, err := l.Request(mcptest.Within(t), "ping", nil); stateless && err != nil {
			t.Error(err)
		}
		cancel()
		_ = l.Close()
	}
}

func TestHTTPServerMayDropARequestOfOurs(t *testing.T) {
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	l := dial(t, d, testOptions())
	l.SetProtocolVersion("2026-07-28")
	_, err := l.Request(mcptest.Within(t), "subscriptions/listen", json.RawMessage(`{}`))
	if e := wantCode(t, err, domain.CodeConnClosed); e.Args["reason"] != "request_dropped" || l.Err() != nil {
		t.Errorf("error %+v, link %v", e, l.Err())
	}
}

// keptSession is an SSE server that keeps its one session while its stream is away, or does not.
type keptSession struct {
	keeps bool

	mu      sync.Mutex
	from    []string // Last-Event-ID of each stream that was opened
	greeted int
	out     chan string   // events for whoever has the stream
	drop    chan struct{} // taken by the stream that then ends
}

func (k *keptSession) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		k.stream(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	w.WriteHeader(http.StatusAccepted)
	switch text := string(body); {
	case strings.Contains(text, `"initialize"`):
		k.mu.Lock()
		k.greeted++
		k.mu.Unlock()
		k.out <- "id: one\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	case strings.Contains(text, `"tools/call"`):
		k.drop <- struct{}{}
		k.out <- "id: two\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"late\":true}}\n\n"
	}
}

func (k *keptSession) stream(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	k.from = append(k.from, r.Header.Get("Last-Event-Id"))
	session := 1
	if !k.keeps {
		session = len(k.from)
	}
	k.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "event: endpoint\ndata: /messages?session=%d\n\n", session)
	for {
		_ = http.NewResponseController(w).Flush()
		select {
		case e := <-k.out:
			fmt.Fprint(w, e)
		case <-k.drop:
			return
		case <-r.Context().Done():
			return
		}
	}
}

func newKept(keeps bool) *keptSession {
	return &keptSession{keeps: keeps, out: make(chan string, 10), drop: make(chan struct{})}
}

func TestSSESessionGoesOnOverANewStream(t *testing.T) {
	kept := newKept(true)
	l := dial(t, mcptest.Serve(t, domain.SSE, kept), testOptions())
	initialize(t, l)
	got, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
	if err != nil || string(got) != `{"late":true}` || l.Err() != nil {
		t.Errorf("the call that was in flight: %s (%v), link %v", got, err, l.Err())
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if !slices.Equal(kept.from, []string{"", "one"}) || kept.greeted != 1 {
		t.Errorf("streams from %q, %d handshakes", kept.from, kept.greeted)
	}
}

func TestSSEServerWithoutTheSessionEndsTheLink(t *testing.T) {
	kept := newKept(false)
	l := dial(t, mcptest.Serve(t, domain.SSE, kept), testOptions())
	initialize(t, l)
	_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
	if e := wantCode(t, err, domain.CodeConnClosed); domain.Unsent(e) {
		t.Error("a call that may have run counts as not sent")
	}
	<-l.Done()
}

func TestSSEStreamThatGivesNothingIsNotOpenedForEver(t *testing.T) {
	kept := newKept(true)
	l := dial(t, mcptest.Serve(t, domain.SSE, kept), testOptions())
	initialize(t, l)
	kept.drop <- struct{}{}
	kept.drop <- struct{}{}
	<-l.Done()
	wantCode(t, l.Err(), domain.CodeConnClosed)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if len(kept.from) != 2 {
		t.Errorf("%d streams were opened", len(kept.from))
	}
}
