package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// posted is an SSE server whose answers to POSTs are written by the test; what it says goes over the stream.
func posted(call http.HandlerFunc, out chan string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(string(body), `"tools/call"`) {
				call(w, r)
				return
			}
			if strings.Contains(string(body), `"initialize"`) {
				out <- `{"jsonrpc":"2.0","id":1,"result":{}}`
			}
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: endpoint\ndata: /messages\n\n")
		for {
			_ = http.NewResponseController(w).Flush()
			select {
			case frame := <-out:
				fmt.Fprint(w, "data: "+frame+"\n\n")
			case <-r.Context().Done():
				return
			}
		}
	})
}

func TestSSEAnswerCountsWhateverBecomesOfItsPost(t *testing.T) {
	fates := map[string]http.HandlerFunc{
		"it fails":        func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) },
		"it breaks off":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"it never ends":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"it is forgotten": func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) },
	}
	for name, fate := range fates {
		t.Run(name, func(t *testing.T) {
			out, heard, fated := make(chan string, 10), make(chan struct{}), make(chan struct{})
			l := dial(t, mcptest.Serve(t, domain.SSE, posted(func(w http.ResponseWriter, r *http.Request) {
				out <- fine
				out <- `{"jsonrpc":"2.0","method":"notifications/after"}`
				<-heard
				close(fated)
				fate(w, r)
			}, out)), testOptions())
			l.OnNotification(func(string, json.RawMessage) { close(heard) })
			initialize(t, l)
			result, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
			<-fated
			if err != nil || string(result) != `{"fine":true}` {
				t.Errorf("got %s (%v)", result, err)
			}
		})
	}
}

func TestSSEPostThatFailsEndsItsRequest(t *testing.T) {
	out := make(chan string, 10)
	l := dial(t, mcptest.Serve(t, domain.SSE, posted(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "database is down", http.StatusInternalServerError)
	}, out)), testOptions())
	initialize(t, l)
	_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
	checkCause(t, err, domain.CodeHTTPStatus, map[string]string{"status": "500"}, "database is down")
	if l.Err() != nil {
		t.Errorf("the link ended: %v", l.Err())
	}
}

func TestSSEPostThatReachesNobodyWasNotSent(t *testing.T) {
	out := make(chan string, 10)
	server := httptest.NewServer(posted(nil, out))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	l := dial(t, domain.Definition{Transport: domain.SSE, URL: server.URL}, testOptions())
	initialize(t, l)
	_ = server.Listener.Close()
	server.Config.SetKeepAlivesEnabled(false) // which ends the connections that wait for another request
	var err error
	mcptest.Eventually(t, "no connection is left", func() bool {
		err = l.Notify(mcptest.Within(t), "notifications/any", nil)
		return domain.CodeOf(err) == domain.CodeConnRefused
	})
	if !domain.Unsent(err) {
		t.Errorf("%v is not known as unsent", err)
	}
	<-l.Done()
}

func TestSSEStreamThatIsNotOpenedAgainInTimeEndsTheLink(t *testing.T) {
	drop, late := make(chan struct{}), make(chan time.Time)
	var streams atomic.Int32
	o := testOptions()
	o.After = func(d time.Duration) <-chan time.Time {
		if d == connectTimeout {
			return late
		}
		return time.After(d)
	}
	l := dial(t, mcptest.Serve(t, domain.SSE, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if streams.Add(1) == 2 {
			late <- time.Time{}
			<-r.Context().Done() // and answers nothing
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: endpoint\ndata: /messages\n\n")
		_ = http.NewResponseController(w).Flush()
		<-drop
	})), o)
	close(drop)
	select {
	case <-l.Done():
	case <-mcptest.Within(t).Done():
		t.Fatal("the link still counts as live")
	}
	wantCode(t, l.Err(), domain.CodeConnClosed)
	if _, err := l.Request(context.Background(), "ping", nil); !domain.Unsent(err) {
		t.Error(err)
	}
}

// A post that begins while the link ends is waited for or refused as unsent; the race detector tells if it is missed.
func TestSSEPostsBesideTheEndOfTheLink(t *testing.T) {
	for range 20 {
		l := dial(t, mcptest.Serve(t, domain.SSE, mcptest.NewSSE(mcptest.Options{})), testOptions())
		s, ok := l.carrier.(*sse)
		if !ok {
			t.Fatalf("the carrier is %T", l.carrier)
		}
		var posts sync.WaitGroup
		for n := range 4 {
			posts.Go(func() {
				x := newExchange(t.Context(), strconv.Itoa(n), func() {})
				sent := s.beginPost(t.Context(), x, []byte(`{"jsonrpc":"2.0","method":"notifications/any"}`))
				if err := <-sent; err != nil && l.Err() == nil {
					t.Error(err)
				}
				x.settle(nil, errClosed)
			})
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		posts.Wait()
		if err := <-s.beginPost(t.Context(), newExchange(t.Context(), "late", func() {}), nil); !domain.Unsent(err) {
			t.Errorf("a post after the end: %v", err)
		}
	}
}
