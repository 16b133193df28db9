package session

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

// meanwhile does something when it is asked, and then answers with an empty form.
type meanwhile func()

func (meanwhile) Capabilities() map[string]json.RawMessage {
	return map[string]json.RawMessage{"elicitation": json.RawMessage(`{}`)}
}

func (meanwhile) Completed(string, string) {}

func (m meanwhile) Answer(context.Context, Question) (json.RawMessage, *jsonrpc.Error) {
	m()
	return json.RawMessage(`{"action":"accept","content":{}}`), nil
}

// crowd answers nobody before a number of questions wait.
type crowd struct {
	answers
	full sync.WaitGroup
}

func (c *crowd) Answer(ctx context.Context, q Question) (json.RawMessage, *jsonrpc.Error) {
	c.full.Done()
	c.full.Wait()
	return c.answers.Answer(ctx, q)
}

// Over Streamable HTTP a question comes with its call, so no other call waits for the answer.
func TestAQuestionBelongsToTheCallThatItCameWith(t *testing.T) {
	who := &crowd{answers: answers{by: map[string]string{MethodElicitation: `{"action":"accept","content":{"name":"Ada"}}`}}}
	s := open(t, mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{Revision: "2025-11-25"})), Options{Answerer: who})
	names := []string{"a", "b", "c"}
	who.full.Add(len(names))
	var calls sync.WaitGroup
	for _, name := range names {
		calls.Go(func() {
			var heard []domain.NoticeKind
			result, err := call(t, s, domain.Call{ID: name, Name: "elicit", Sink: func(n domain.Notice) { heard = append(heard, n.Kind) }})
			if err != nil || !strings.Contains(string(result.Raw), "Ada") || !slices.Equal(heard, []domain.NoticeKind{domain.NoticeAsked, domain.NoticeAnswered}) {
				t.Errorf("call %s: %s, %v, heard %v", name, result.Raw, err, heard)
			}
		})
	}
	calls.Wait()
	var asked []string
	for _, q := range who.asked {
		if q.Call != nil {
			asked = append(asked, q.Call.ID)
		}
	}
	slices.Sort(asked)
	if !slices.Equal(asked, names) {
		t.Errorf("asked for the calls %v", asked)
	}
}

// Where nothing says for which call a server asks, all of them wait, but for one that has ended meanwhile.
func TestACallThatHasEndedHearsOfNoQuestion(t *testing.T) {
	ctx, leave := context.WithCancel(mcptest.Within(t))
	ended := make(chan []domain.NoticeKind, 1)
	var left []domain.NoticeKind
	s := open(t, mcptest.Command(mcptest.Options{Revision: "2025-11-25"}), Options{Answerer: meanwhile(func() {
		leave()
		left = <-ended
	})})
	var heard []domain.NoticeKind
	go func() {
		params := json.RawMessage(`{"name":"wait"}`)
		_, _ = s.Call(ctx, domain.Call{Kind: domain.ToolCall, Name: "wait", Params: params, Sink: func(n domain.Notice) { heard = append(heard, n.Kind) }})
		ended <- heard
	}()
	mcptest.Eventually(t, "the first call", func() bool { return len(s.calls()) == 1 })
	if _, err := call(t, s, domain.Call{Name: "elicit"}); err != nil {
		t.Fatal(err)
	}
	if want := []domain.NoticeKind{domain.NoticeAsked}; !slices.Equal(left, want) || !slices.Equal(heard, want) {
		t.Errorf("heard %v while it ran, and %v in all", left, heard)
	}
}

// A call that its server has begun is never taken for one that was not sent, which would be made again.
func TestACallThatWasBegunWasSent(t *testing.T) {
	wantSent := func(t *testing.T, err error) {
		t.Helper()
		if err == nil || domain.Unsent(err) || errors.Is(err, domain.ErrUnsent) || domain.Unsent(domain.AsError(err)) {
			t.Errorf("got %v (%s), unsent %v", err, domain.CodeOf(err), domain.Unsent(err))
		}
	}
	t.Run("its task is lost with the connection", func(t *testing.T) {
		for _, revision := range []string{"2025-11-25", Stateless} {
			s := open(t, mcptest.Command(mcptest.Options{Revision: revision}), Options{})
			_, err := runTask(mcptest.Within(t), s, "never", func(domain.Notice) { _ = s.link.Close() })
			wantSent(t, err)
		}
	})
	t.Run("its task is lost with the session", func(t *testing.T) {
		server := mcptest.NewHTTP(mcptest.Options{Revision: "2025-11-25"})
		s := open(t, mcptest.Serve(t, domain.StreamableHTTP, server), Options{})
		_, err := runTask(mcptest.Within(t), s, "never", func(domain.Notice) { server.Forget() })
		wantSent(t, err)
	})
	t.Run("the connection ends between two rounds", func(t *testing.T) {
		var s *Session
		s = open(t, mcptest.Command(mcptest.Options{Revision: Stateless}), Options{Answerer: meanwhile(func() { _ = s.link.Close() })})
		_, err := call(t, s, domain.Call{Name: "elicit"})
		wantSent(t, err)
	})
	t.Run("nobody listens any more in the second round", func(t *testing.T) {
		server := httptest.NewServer(mcptest.NewHTTP(mcptest.Options{Revision: Stateless}))
		defer server.Close()
		server.Config.SetKeepAlivesEnabled(false) // the second round dials again
		d := domain.Definition{Name: "fake", Transport: domain.StreamableHTTP, URL: server.URL}
		s := open(t, d, Options{Answerer: meanwhile(server.Close)})
		_, err := call(t, s, domain.Call{Name: "elicit"})
		wantSent(t, err)
	})
	t.Run("the server cannot be told the answer", func(t *testing.T) {
		var s *Session
		s = open(t, mcptest.Command(mcptest.Options{Revision: Stateless}), Options{Answerer: meanwhile(func() { _ = s.link.Close() })})
		_, err := runTask(mcptest.Within(t), s, "ask", nil)
		wantSent(t, err)
	})
	t.Run("but one that met a closed connection was not", func(t *testing.T) {
		s := open(t, mcptest.Command(mcptest.Options{}), Options{})
		_ = s.link.Close()
		if _, err := call(t, s, domain.Call{Name: "echo"}); !domain.Unsent(err) {
			t.Errorf("got %v", err)
		}
	})
}
