package api

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// hungUp is a caller that left while its answer was on the way.
type hungUp struct {
	header http.Header
	writes int
}

func (h *hungUp) Header() http.Header { return h.header }

func (h *hungUp) WriteHeader(int) {}

func (h *hungUp) Write([]byte) (int, error) {
	h.writes++
	return 0, errors.New("write: broken pipe")
}

func TestACallerThatLeftIsNoPanic(t *testing.T) {
	a := New(Parts{Version: "1"})
	t.Cleanup(a.Close)
	requests := map[string]*http.Request{
		"an answer":             httptest.NewRequest(http.MethodPost, "/api/drafts/parse", strings.NewReader(`{"text":"npx server"}`)),
		"a refusal":             httptest.NewRequest(http.MethodPost, "/api/drafts/parse", http.NoBody),
		"an address of nothing": httptest.NewRequest(http.MethodGet, "/api/nothing", http.NoBody),
	}
	for name, request := range requests {
		t.Run(name, func(t *testing.T) {
			request.Header.Set("Content-Type", "application/json")
			caller := &hungUp{header: http.Header{}}
			a.Handler(WindowPrincipal()).ServeHTTP(caller, request)
			if caller.writes == 0 {
				t.Error("nothing was written, so nothing was shown")
			}
		})
	}
}
