package transport

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// A server may spell its own address in another way than we do.
func TestSSEAddressOfItsOwnInAnotherSpelling(t *testing.T) {
	out := make(chan string, 1)
	d := mcptest.Serve(t, domain.SSE, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusAccepted)
			out <- r.Header.Get("X-Key")
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: HTTP://%s/messages\n\n", strings.ToUpper(r.Host))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	d.URL = strings.Replace(d.URL, "127.0.0.1", "localhost", 1)
	d.Headers = []domain.Variable{{Name: "X-Key", Value: "ours"}}
	l := dial(t, d, testOptions())
	if err := l.Notify(mcptest.Within(t), "notifications/initialized", nil); err != nil {
		t.Fatal(err)
	}
	if got := <-out; got != "ours" {
		t.Errorf("the header is %q", got)
	}
}
