package session

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

func TestAShortStartLeavesTimeForTheHandshake(t *testing.T) {
	for left, most := range map[time.Duration]time.Duration{
		time.Second: time.Second / 3, 6 * time.Second: 2 * time.Second, time.Minute: maxProbe,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		if got := patience(ctx); got > most || got < most/2 {
			t.Errorf("with %s left a silent server is waited for %s, want %s", left, got, most)
		}
		cancel()
	}
	if got := patience(t.Context()); got != maxProbe {
		t.Errorf("without a limit: %s", got)
	}
}

// A server that answers nothing at all fails in the handshake, whatever the time that it was given.
func TestASilentServerFailsInTheHandshake(t *testing.T) {
	link, err := transport.Dial(mcptest.Within(t), "one", mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Silent}}), transport.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = link.Close() }()
	ctx, cancel := context.WithTimeout(mcptest.Within(t), time.Second)
	defer cancel()
	err = New(link, Options{}).Greet(ctx)
	if e := domain.AsError(err); e == nil || e.Code != domain.CodeNoAnswer || e.Args["method"] != "initialize" {
		t.Errorf("got %v", err)
	}
}

// A server without a handshake that is slow to start may refuse one before it answers the question for its revisions.
func TestARefusedHandshakeWaitsForTheOtherAnswer(t *testing.T) {
	const notFound = `"error":{"code":-32601,"message":"Method not found"}`
	tests := []struct {
		name, kind string
		status     int
		answer     string // what follows the id; or the whole body, where it is no JSON
	}{
		{"method not found", "application/json", http.StatusOK, notFound},
		{"the same with a status", "application/json", http.StatusBadRequest, notFound},
		{"a status", "text/plain", http.StatusBadRequest, "no"},
		{"not there", "text/plain", http.StatusNotFound, "no"},
		{"a page", "text/html", http.StatusOK, "<!doctype html>"},
		{"an odd result", "application/json", http.StatusOK, `"result":{"protocolVersion":7}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			refused := make(chan struct{})
			good := mcptest.NewHTTP(mcptest.Options{Revision: Stateless})
			d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Mcp-Method") == "server/discover" {
					<-refused
					good.ServeHTTP(w, r)
					return
				}
				defer close(refused)
				var asked struct {
					ID json.RawMessage `json:"id"`
				}
				_ = json.NewDecoder(r.Body).Decode(&asked)
				body := test.answer
				if test.kind == "application/json" {
					body = `{"jsonrpc":"2.0","id":` + string(asked.ID) + `,` + body + `}`
				}
				w.Header().Set("Content-Type", test.kind)
				w.Header().Set("Content-Length", strconv.Itoa(len(body))) // it has arrived once it is flushed
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, body)
				_ = http.NewResponseController(w).Flush()
			}))
			link, err := transport.Dial(mcptest.Within(t), "one", d, transport.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = link.Close() })
			s := New(link, Options{After: quickly})
			if err := s.Greet(mcptest.Within(t)); err != nil || !s.Greeting().IsStateless() {
				t.Errorf("%v, %+v", err, s.Greeting())
			}
		})
	}
}
