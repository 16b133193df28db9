package transport

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// saying is a server that, asked to do something, says these frames.
type saying struct {
	sse    bool
	frames []string
	out    chan string
}

func (s *saying) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	switch {
	case r.Method == http.MethodGet && s.sse:
		fmt.Fprint(w, "event: endpoint\ndata: /messages\n\n")
		for {
			_ = http.NewResponseController(w).Flush()
			select {
			case frame := <-s.out:
				fmt.Fprint(w, "data: "+frame+"\n\n")
			case <-r.Context().Done():
				return
			}
		}
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case strings.Contains(string(body), `"initialize"`):
		s.say(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	case strings.Contains(string(body), `"tools/call"`):
		s.say(w, s.frames...)
		if !s.sse {
			<-r.Context().Done() // the client leaves when it has its answer
		}
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

func (s *saying) say(w http.ResponseWriter, frames ...string) {
	if s.sse {
		w.WriteHeader(http.StatusAccepted)
	}
	for _, frame := range frames {
		if s.sse {
			s.out <- frame
			continue
		}
		fmt.Fprint(w, "data: "+frame+"\n\n")
		_ = http.NewResponseController(w).Flush()
	}
}

// eachSaying runs a test against a server that answers a call, which has the id 2, with frames, over every transport.
func eachSaying(t *testing.T, frames []string, test func(t *testing.T, d domain.Definition)) {
	t.Helper()
	t.Run("stdio", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "frames")
		if err := os.WriteFile(file, []byte(strings.Join(frames, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		script := `read init; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read initialized; read call; cat '` + file + `'; cat >/dev/null`
		test(t, domain.Definition{Transport: domain.Stdio, Command: "sh", Args: []string{"-c", script}})
	})
	t.Run("streamable_http", func(t *testing.T) {
		test(t, mcptest.Serve(t, domain.StreamableHTTP, &saying{frames: frames}))
	})
	t.Run("sse", func(t *testing.T) {
		test(t, mcptest.Serve(t, domain.SSE, &saying{sse: true, frames: frames, out: make(chan string, 10)}))
	})
}

// wasSent waits until a frame with all of the parts went out.
func wasSent(t *testing.T, traffic *Traffic, parts ...string) {
	t.Helper()
	mcptest.Eventually(t, strings.Join(parts, " ")+" is sent", func() bool {
		for _, frame := range traffic.After(0, 0) {
			if frame.Direction == Sent && hasAll(frame.Text, parts) {
				return true
			}
		}
		return false
	})
}

func hasAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

const fine = `{"jsonrpc":"2.0","id":2,"result":{"fine":true}}`

func TestMalformedMessagesCostNoOtherAnswer(t *testing.T) {
	tests := []struct {
		name, frame string
		answer      []string
		stray       int
	}{
		{"a request with the id of ours", `{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"a":1,"a":2}}`, []string{`"id":2,"error"`, "-32600", "duplicate"}, 0},
		{"whose method comes late", `{"jsonrpc":"2.0","id":2,"params":{"a":1,"a":2},"method":"elicitation/create"}`, []string{`"id":2,"error"`, "-32600"}, 0},
		{"a request of another version", `{"jsonrpc":"1.0","id":"q","method":"roots/list"}`, []string{`"id":"q","error"`, "-32600"}, 0},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"a":1,"a":2}}`, nil, 1},
		{"an object", `{}`, nil, 1},
		{"a word", `ping`, nil, 1},
		{"an answer to nobody", `{"jsonrpc":"2.0","id":77,"result":{},"result":{}}`, nil, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			eachSaying(t, []string{test.frame, fine}, func(t *testing.T, d domain.Definition) {
				o := testOptions()
				l := dial(t, d, o)
				initialize(t, l)
				result, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
				if err != nil || string(result) != `{"fine":true}` {
					t.Errorf("got %s (%v)", result, err)
				}
				if test.answer != nil {
					wasSent(t, o.Traffic, test.answer...)
				}
				if l.StrayLines() != test.stray {
					t.Errorf("%d stray messages, want %d", l.StrayLines(), test.stray)
				}
			})
		})
	}
}

func TestMalformedAnswerFailsItsRequest(t *testing.T) {
	frames := map[string]string{
		"alone":                      `{"jsonrpc":"2.0","id":2,"result":{},"result":{}}`,
		"in a batch":                 `[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":2,"result":{},"result":{}}]`,
		"beside a malformed message": `[{"jsonrpc":"2.0","method":"x","method":"y"},{"jsonrpc":"2.0","id":2,"result":{}}]`,
	}
	for name, frame := range frames {
		t.Run(name, func(t *testing.T) {
			eachSaying(t, []string{frame}, func(t *testing.T, d domain.Definition) {
				l := dial(t, d, testOptions())
				initialize(t, l)
				_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
				wantCode(t, err, domain.CodeProtocol)
				if l.Err() != nil {
					t.Errorf("the link ended: %v", l.Err())
				}
			})
		})
	}
}

func TestOversizeMessagesReachWhomTheyConcern(t *testing.T) {
	const limit = 4 << 10
	big := strings.Repeat("x", 2*limit)
	request := `{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"text":"` + big + `"}}`
	t.Run("a request", func(t *testing.T) {
		eachSaying(t, []string{request, fine}, func(t *testing.T, d domain.Definition) {
			d.BufferSize = limit
			o := testOptions()
			l := dial(t, d, o)
			initialize(t, l)
			if _, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`)); err != nil {
				t.Error(err)
			}
			wasSent(t, o.Traffic, `"id":"q","error"`, "too large")
		})
	})
	t.Run("a batch", func(t *testing.T) {
		eachSaying(t, []string{`[` + request + `,{"jsonrpc":"2.0","id":2,"result":{}}]`}, func(t *testing.T, d domain.Definition) {
			d.BufferSize = limit
			o := testOptions()
			l := dial(t, d, o)
			initialize(t, l)
			_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{}`))
			wantCode(t, err, domain.CodeMessageTooLarge)
			wasSent(t, o.Traffic, `"id":"q","error"`, "too large")
		})
	})
}
