package transport

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// amnesiac is a Streamable HTTP server that forgets its sessions when it is told to.
type amnesiac struct {
	http.Handler
	forgot atomic.Bool
}

func (a *amnesiac) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.forgot.Load() && r.Method == http.MethodPost {
		http.Error(w, "who are you?", http.StatusNotFound)
		return
	}
	a.Handler.ServeHTTP(w, r)
}

// begun answers a call with the beginning of a stream, and its resumption with a status.
func begun(t *testing.T, session string, resumed int) domain.Definition {
	t.Helper()
	inner := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(resumed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "id: seven\nretry: 10\ndata:\n\n")
	})
	if session == "" {
		return inner
	}
	return mcptest.Serve(t, domain.StreamableHTTP, withSession(inner.URL, session))
}

// withSession passes on to another server, and gives out a session.
func withSession(url, session string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, url, r.Body)
		if err != nil {
			panic(err)
		}
		out.Header = r.Header.Clone()
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer func() { _ = resp.Body.Close() }()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.Header().Set(headerSession, session)
		w.WriteHeader(resp.StatusCode)
		body := make([]byte, 1<<10)
		n, _ := resp.Body.Read(body)
		_, _ = w.Write(body[:n])
	})
}

// A call that the server took may have run, whatever became of its session.
func TestHTTPCallThatCannotBeResumedIsNotSentAgain(t *testing.T) {
	for _, session := range []string{"", "session-1"} {
		l := dial(t, begun(t, session, http.StatusNotFound), testOptions())
		initialize(t, l)
		_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
		wantCode(t, err, domain.CodeConnClosed)
		if domain.Unsent(err) {
			t.Errorf("session %q: %v counts as not sent", session, err)
		}
		if ended := l.Err() != nil; ended != (session != "") {
			t.Errorf("session %q: the link ended: %v", session, l.Err())
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

func TestHTTPForgottenSessionIsNoticedWithoutACall(t *testing.T) {
	server := &amnesiac{Handler: mcptest.NewHTTP(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.NoListen}})}
	l := dial(t, mcptest.Serve(t, domain.StreamableHTTP, server), testOptions())
	initialize(t, l)
	server.forgot.Store(true)
	err := l.Notify(mcptest.Within(t), "notifications/roots/list_changed", nil)
	if e := wantCode(t, err, domain.CodeConnClosed); e.Args["reason"] != reasonForgotten {
		t.Errorf("error %+v", e)
	}
	<-l.Done()
}

func TestHTTPForgottenSessionIsNoticedByListening(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	drop, listening := make(chan struct{}), make(chan struct{}, 10)
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			fake.ServeHTTP(w, r)
			return
		}
		select {
		case <-drop:
			http.Error(w, "who are you?", http.StatusNotFound)
			return
		default:
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		listening <- struct{}{}
		select {
		case <-drop:
		case <-r.Context().Done():
		}
	}))
	l := dial(t, d, testOptions())
	initialize(t, l)
	<-listening
	close(drop)
	select {
	case <-l.Done():
	case <-mcptest.Within(t).Done():
		t.Fatal("the link still counts as live")
	}
	if e := wantCode(t, l.Err(), domain.CodeConnClosed); e.Args["reason"] != reasonForgotten {
		t.Errorf("error %+v", e)
	}
}

// A server without the stream should answer 405, but some answer 404.
func TestHTTPServerWithoutAListeningStreamKeepsItsSession(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	l := dial(t, mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		fake.ServeHTTP(w, r)
	})), testOptions())
	initialize(t, l)
	if got := callText(t, l, `{"name":"echo","arguments":{"message":"here"}}`); got != "here" || l.Err() != nil {
		t.Errorf("echo = %q, link %v", got, l.Err())
	}
}

func TestWhatBlamesTheSession(t *testing.T) {
	tests := []struct {
		name, media, body string
		want              bool
	}{
		{"in words", "text/plain", "Bad Request: No valid session ID provided", true},
		{"as an error to nobody", typeJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session not found"}}`, true},
		{"by the header", typeJSON, `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Missing Mcp-Session-Id"}}`, true},
		{"an answer about an argument", typeJSON, `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"argument session_name is missing"}}`, false},
		{"an answer that has the word", typeJSON, `{"jsonrpc":"2.0","id":2.0,"error":{"code":-32602,"message":"no such session"}}`, false},
		{"a name with the word in it", "text/plain", "argument session_name is missing", false},
		{"nothing of it", "text/plain", "obsession", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inner := scripted(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.media)
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, test.body)
			})
			l := dial(t, mcptest.Serve(t, domain.StreamableHTTP, withSession(inner.URL, "one")), testOptions())
			initialize(t, l)
			_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
			if got := l.Err() != nil; got != test.want || errors.Is(err, domain.ErrUnsent) != test.want {
				t.Errorf("%v, link %v", err, l.Err())
			}
			if !test.want && test.media == typeJSON && !strings.Contains(err.Error(), "session") {
				t.Errorf("the server's own error is lost: %v", err)
			}
		})
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
