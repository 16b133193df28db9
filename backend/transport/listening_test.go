package transport

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// Some proxies let requests through and no stream: the session goes on without it.
func TestHTTPServerWhoseStreamIsCutOffKeepsItsSession(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	var opened atomic.Int32
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			opened.Add(1)
			panic(http.ErrAbortHandler)
		}
		fake.ServeHTTP(w, r)
	}))
	o := testOptions()
	o.After = func(time.Duration) <-chan time.Time { return time.After(0) }
	l := dial(t, d, o)
	initialize(t, l)
	mcptest.Eventually(t, "the stream failed once more than it may", func() bool { return opened.Load() > maxListenFailures })
	if got := callText(t, l, `{"name":"echo","arguments":{"message":"bonjour"}}`); got != "bonjour" || l.Err() != nil {
		t.Errorf("echo = %q, the link ended with %v", got, l.Err())
	}
}

func TestPauseAfterFailuresGrows(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		0: 0, maxListenFailures - 1: 0, maxListenFailures: listenPause, maxListenFailures + 2: 4 * listenPause, 1000: longestListenPause,
	} {
		if got := pauseAfterFailures(failures); got != want {
			t.Errorf("after %d failures: %s, want %s", failures, got, want)
		}
	}
}

func TestHTTPStreamThatIsNotImplementedIsNotAskedForAgain(t *testing.T) {
	fake := mcptest.NewHTTP(mcptest.Options{})
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusNotImplemented)
			return
		}
		fake.ServeHTTP(w, r)
	}))
	l := dial(t, d, testOptions())
	initialize(t, l)
	s, ok := l.carrier.(*streamable)
	if !ok {
		t.Fatalf("carrier %T", l.carrier)
	}
	resp, err := s.end.client.Get(d.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("mcp-go is told %d", resp.StatusCode)
	}
}
