package transport

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestHTTPSessionIsEndedWithItsHeaders(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	d := mcptest.Serve(t, domain.StreamableHTTP, fake)
	d.Headers = []domain.Variable{{Name: "Authorization", Value: "Bearer abc"}, {Name: "X-Team", Value: "blue"}}
	l := dial(t, d, testOptions())
	initialize(t, l)
	callText(t, l, `{"name":"echo"}`)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := fake.Deleted(); !slices.Equal(got, []string{"session-1"}) {
		t.Errorf("deleted %q", got)
	}
	for i, header := range fake.Headers() {
		if header.Get("Authorization") != "Bearer abc" || header.Get("X-Team") != "blue" {
			t.Errorf("request %d has headers %v", i, header)
		}
		if version := header.Get(headerProtocol); i > 0 && version != "2025-11-25" {
			t.Errorf("request %d names version %q", i, version)
		}
	}
}

func TestHTTPAnswersInPlainJSON(t *testing.T) {
	l := dial(t, mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.PlainJSON, mcptest.NoListen}})), testOptions())
	result := initialize(t, l)
	if !strings.Contains(string(result), `"serverInfo"`) {
		t.Errorf("initialize = %s", result)
	}
	if got := callText(t, l, `{"name":"echo","arguments":{"message":"plain"}}`); got != "plain" {
		t.Errorf("echo = %q", got)
	}
}

func TestHTTPListensBetweenRequests(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		heard := make(chan string, 10)
		l.OnNotification(func(method string, _ json.RawMessage) { heard <- method })
		initialize(t, l)
		callText(t, l, `{"name":"grow"}`)
		select {
		case method := <-heard:
			if method != "notifications/tools/list_changed" {
				t.Errorf("heard %s", method)
			}
		case <-mcptest.Within(t).Done():
			t.Error("heard nothing")
		}
	})
}

func TestHTTPForgottenSessionEndsTheLink(t *testing.T) {
	l := dial(t, mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{})), testOptions())
	initialize(t, l)
	callText(t, l, `{"name":"forget"}`)
	_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{"name":"echo"}`))
	e := wantCode(t, err, domain.CodeConnClosed)
	if e.Args["reason"] != "session_forgotten" || !errors.Is(err, domain.ErrUnsent) {
		t.Errorf("error %+v: %v", e, err)
	}
	<-l.Done()
}

// scripted is a Streamable HTTP server whose answers to calls are written by the test.
func scripted(t *testing.T, call http.HandlerFunc) domain.Definition {
	t.Helper()
	return mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		switch {
		case strings.Contains(string(body), `"initialize"`):
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		case r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == "":
			w.WriteHeader(http.StatusMethodNotAllowed)
		case strings.Contains(string(body), `"notifications/`):
			w.WriteHeader(http.StatusAccepted)
		default:
			call(w, r)
		}
	}))
}

func TestHTTPResultIsKeptByteForByte(t *testing.T) {
	const odd = `{"b":1.0e2,"a":"\u00e9<>&","content":[],  "big":12345678901234567890,"x":{"_meta":null}}`
	for _, form := range []string{"application/json", "text/event-stream"} {
		d := scripted(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", form)
			frame := `{"id":2,"result":` + odd + `,"jsonrpc":"2.0"}`
			if form == typeEvents {
				frame = "event: message\ndata: " + frame + "\n\n"
			}
			fmt.Fprint(w, frame)
		})
		l := dial(t, d, testOptions())
		initialize(t, l)
		got, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
		if err != nil || string(got) != odd {
			t.Errorf("%s: got %s (%v)", form, got, err)
		}
	}
}

func TestAnswerIsKnownByTheNumberNotItsSpelling(t *testing.T) {
	for _, id := range []string{"2.0", "2e0", "0.2e1"} {
		d := scripted(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
		})
		l := dial(t, d, testOptions())
		initialize(t, l)
		if got, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`)); err != nil || string(got) != "{}" {
			t.Errorf("%s: got %s (%v)", id, got, err)
		}
	}
	for _, id := range []string{`"2"`, "2.5", "2e400", "20e-1x", "9007199254740993.0"} {
		if got := wholeNumber(id); got != id {
			t.Errorf("%s is taken for %s", id, got)
		}
	}
}

func TestHTTPBrokenStreamIsResumed(t *testing.T) {
	var mu sync.Mutex
	var resumedFrom string
	d := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == http.MethodPost {
			fmt.Fprint(w, "id: seven\nretry: 10\ndata:\n\n")
			return
		}
		mu.Lock()
		resumedFrom = r.Header.Get("Last-Event-Id")
		mu.Unlock()
		fmt.Fprint(w, "id: eight\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"late\":true}}\n\n")
	})
	l := dial(t, d, testOptions())
	initialize(t, l)
	got, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
	if err != nil || string(got) != `{"late":true}` {
		t.Errorf("got %s (%v)", got, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if resumedFrom != "seven" {
		t.Errorf("resumed from %q", resumedFrom)
	}
}

func TestHTTPBatchIsSplit(t *testing.T) {
	d := scripted(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `[{"jsonrpc":"2.0","method":"notifications/progress","params":{"n":1}},{"jsonrpc":"2.0","id":2,"result":{"ok":1}}]`)
	})
	l := dial(t, d, testOptions())
	var heard []string
	l.OnNotification(func(method string, params json.RawMessage) { heard = append(heard, method+string(params)) })
	initialize(t, l)
	got, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
	if err != nil || string(got) != `{"ok":1}` || len(heard) != 1 {
		t.Errorf("got %s (%v), heard %q", got, err, heard)
	}
}

func TestHTTPStatusWithAJSONRPCError(t *testing.T) {
	d := scripted(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"unsupported version","data":{"supported":["2025-06-18"]}}}`)
	})
	l := dial(t, d, testOptions())
	initialize(t, l)
	_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
	if err == nil || err.Error() != "unsupported version (-32022)" {
		t.Errorf("got %v", err)
	}
}

func TestHTTPHeadersStayWithTheServer(t *testing.T) {
	var stolen http.Header
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { stolen = r.Header }))
	defer thief.Close()
	d := mcptest.Serve(t, domain.StreamableHTTP, http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	d.Headers = []domain.Variable{{Name: "X-Key", Value: "hush-hush-42"}}
	err := reach(mcptest.Within(t), t, d, testOptions())
	checkCause(t, err, domain.CodeHTTPStatus, map[string]string{"status": "307", "location": thief.URL}, "")
	if stolen != nil {
		t.Errorf("the other host saw %v", stolen)
	}
}

func TestHTTPFollowsARedirectAtTheSameServer(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			http.Redirect(w, r, "/mcp/", http.StatusPermanentRedirect)
			return
		}
		fake.ServeHTTP(w, r)
	}))
	l := dial(t, d, testOptions())
	initialize(t, l)
	if got := callText(t, l, `{"name":"echo","arguments":{"message":"moved"}}`); got != "moved" {
		t.Errorf("echo = %q", got)
	}
}

func TestHTTPGoesThroughTheProxy(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host != "mcp.example" {
			t.Errorf("the proxy was asked for %q", r.URL.Host)
		}
		fake.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	o := testOptions()
	o.Environ = []string{"http_proxy=" + proxy.URL}
	l := dial(t, domain.Definition{Transport: domain.StreamableHTTP, URL: "http://mcp.example/mcp"}, o)
	initialize(t, l)
	if got := callText(t, l, `{"name":"echo","arguments":{"message":"through"}}`); got != "through" {
		t.Errorf("echo = %q", got)
	}
}

func TestHTTPLostServerEndsTheLink(t *testing.T) {
	server := httptest.NewServer(mcptest.NewHTTP(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.NoListen}}))
	l := dial(t, domain.Definition{Transport: domain.StreamableHTTP, URL: server.URL}, testOptions())
	initialize(t, l)
	server.Close()
	_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{"name":"echo"}`))
	if domain.CodeOf(err) != domain.CodeConnRefused { // it went out on the old connection just before that ended
		wantCode(t, err, domain.CodeConnClosed)
		_, err = l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{"name":"echo"}`))
	}
	wantCode(t, err, domain.CodeConnRefused)
	if !domain.Unsent(err) {
		t.Errorf("%v is not known as unsent", err)
	}
	<-l.Done()
}
