package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
)

func TestPagesAreOpenedInEveryRevisionThatHasThem(t *testing.T) {
	for _, revision := range []string{"2025-11-25", Stateless} {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == Stateless && d.Transport == domain.SSE {
				return // that transport has only the older revisions
			}
			who := &answers{by: map[string]string{MethodElicitation: `{"action":"accept"}`}}
			s := open(t, d, Options{ServerID: "one", Answerer: who, Handshake: d.Transport == domain.SSE})
			result, err := call(t, s, domain.Call{Name: "visit"})
			if err != nil || mcptest.Text(t, result.Raw) != `{"action":"accept"}` {
				t.Errorf("%s: %s, %v", revision, result.Raw, err)
			}
			if len(who.asked) != 1 || who.asked[0].Again || !strings.Contains(string(who.asked[0].Params), `"mode":"url"`) {
				t.Errorf("%s: asked %+v", revision, who.asked)
			}
			if revision == Stateless {
				return // it has no word for the end of a page
			}
			mcptest.Eventually(t, "the word that the page is done with", func() bool {
				who.mu.Lock()
				defer who.mu.Unlock()
				return slices.Contains(who.completed, "one page-1")
			})
		})
	}
}

func TestACallIsMadeAgainOnceItsPageIsDoneWith(t *testing.T) {
	who := &unlocking{answers: answers{by: map[string]string{MethodElicitation: `{"action":"accept"}`}}}
	s := open(t, mcptest.Command(mcptest.Options{Revision: "2025-11-25"}), Options{ServerID: "one", Answerer: who})
	who.unlock = func() {
		if _, err := call(t, s, domain.Call{Name: "unlock"}); err != nil {
			t.Error(err)
		}
	}
	var heard []domain.NoticeKind
	result, err := call(t, s, domain.Call{ID: "c1", Name: "locked", Sink: func(n domain.Notice) { heard = append(heard, n.Kind) }})
	if err != nil || mcptest.Text(t, result.Raw) != "unlocked" {
		t.Fatalf("%s, %v", result.Raw, err)
	}
	if len(who.asked) != 1 || !who.asked[0].Again || who.asked[0].Call.ID != "c1" {
		t.Errorf("asked %+v", who.asked)
	}
	if !slices.Equal(heard, []domain.NoticeKind{domain.NoticeAsked, domain.NoticeAnswered}) {
		t.Errorf("the caller heard %v", heard)
	}
}

// unlocking does what a person would do at the page before it answers.
type unlocking struct {
	answers
	unlock func()
}

func (u *unlocking) Answer(ctx context.Context, q Question) (json.RawMessage, *jsonrpc.Error) {
	u.unlock()
	return u.answers.Answer(ctx, q)
}

func TestAPageThatIsNotOpenedEndsTheCall(t *testing.T) {
	for _, action := range []string{"decline", "cancel"} {
		who := &answers{by: map[string]string{MethodElicitation: `{"action":"` + action + `"}`}}
		s := open(t, mcptest.Command(mcptest.Options{Revision: "2025-11-25"}), Options{Answerer: who})
		_, err := call(t, s, domain.Call{Name: "locked"})
		if e := domain.AsError(err); e == nil || e.Code != domain.CodeInputRefused || e.Args["reason"] != "page" || len(who.asked) != 1 {
			t.Errorf("%s: %v, asked %d times", action, err, len(who.asked))
		}
	}
}

func TestAPageThatIsNeverDoneWithIsAskedForABoundedNumberOfTimes(t *testing.T) {
	who := &answers{by: map[string]string{MethodElicitation: `{"action":"accept"}`}}
	s := open(t, mcptest.Command(mcptest.Options{Revision: "2025-11-25"}), Options{Answerer: who})
	_, err := call(t, s, domain.Call{Name: "locked"})
	if e := domain.AsError(err); e == nil || e.Code != domain.CodeProtocol || e.Args["reason"] != "too_many_rounds" || len(who.asked) != maxRounds-1 {
		t.Errorf("%v, asked %d times", err, len(who.asked))
	}
}

// The refusal belongs to one revision; in others its number means nothing.
func TestARefusalForAPageMeansNothingInOlderRevisions(t *testing.T) {
	who := &answers{by: map[string]string{MethodElicitation: `{"action":"accept"}`}}
	s := open(t, mcptest.Command(mcptest.Options{Revision: "2025-06-18"}), Options{Answerer: who})
	_, err := call(t, s, domain.Call{Name: "locked"})
	if e := domain.AsError(err); e == nil || e.Code != domain.CodeToolFailed || e.Args["rpc_code"] != "-32042" || len(who.asked) != 0 {
		t.Errorf("%v, asked %d times", err, len(who.asked))
	}
}

// responder is a client that answers for itself.
type responder struct{ domain.Responder }

func (responder) Responds(string, json.RawMessage) bool { return true }

func TestAClientThatCanOpenPagesGetsTheRefusal(t *testing.T) {
	who := &answers{}
	s := open(t, mcptest.Command(mcptest.Options{Revision: "2025-11-25"}), Options{Answerer: who})
	_, err := call(t, s, domain.Call{Name: "locked", Client: responder{}})
	if e := domain.AsError(err); e == nil || e.Args["rpc_code"] != "-32042" || len(who.asked) != 0 {
		t.Errorf("%v, asked %d times", err, len(who.asked))
	}
}
