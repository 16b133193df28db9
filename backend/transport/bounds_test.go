package transport

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// pour writes without end, until the client has had enough. It says whether that took more than it should.
func pour(w http.ResponseWriter, r *http.Request) (tooMuch bool) {
	page := []byte(strings.Repeat("x", 64<<10))
	for range 256 { // sixteen megabytes, far more than any buffer on the way
		if _, err := w.Write(page); err != nil || r.Context().Err() != nil {
			return false
		}
	}
	return true
}

func TestHTTPBodyOfARefusedStreamIsNotRead(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusInternalServerError} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			fake := mcptest.NewHTTP(mcptest.Options{})
			read := make(chan bool, 10)
			l := dial(t, mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet {
					fake.ServeHTTP(w, r)
					return
				}
				w.WriteHeader(status)
				read <- pour(w, r)
			})), testOptions())
			initialize(t, l)
			if <-read {
				t.Error("all of it was read")
			}
		})
	}
}

func TestHTTPRedirectsAreFollowedOnlySoOften(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		t.Run(method, func(t *testing.T) {
			fake := mcptest.NewHTTP(mcptest.Options{})
			var hops atomic.Int32
			read := make(chan bool, 100)
			d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != method {
					fake.ServeHTTP(w, r)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Location", "/hop"+strconv.Itoa(int(hops.Add(1))))
				w.WriteHeader(http.StatusTemporaryRedirect)
				read <- pour(w, r)
			}))
			l := dial(t, d, testOptions())
			if method == http.MethodGet {
				initialize(t, l)
			} else {
				_, err := l.Request(mcptest.Within(t), "initialize", json.RawMessage(`{}`))
				checkCause(t, err, domain.CodeHTTPStatus, map[string]string{"status": "307"}, "")
			}
			for range maxRedirects {
				if <-read {
					t.Error("a whole body was read")
				}
			}
		})
	}
}

// Any success is one; what follows the answer on its stream is not waited for.
func TestHTTPAnswerWithAnotherSuccess(t *testing.T) {
	l := dial(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "data: "+fine+"\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}), testOptions())
	initialize(t, l)
	result, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
	if err != nil || string(result) != `{"fine":true}` {
		t.Errorf("got %s (%v)", result, err)
	}
}
