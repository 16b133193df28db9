package core_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// heard is what one answerer was told of one request.
type heard struct{ request, answer string }

// TestAThousandAsksAndEightAnswerers has 1,000 calls ask at once, and eight people race for each of the answers. The call, the
// record, the journal and everybody who raced tell the same one.
func TestAThousandAsksAndEightAnswerers(t *testing.T) {
	const asks, people = 1000, 8
	c := asking(t)
	calls := make([]api.CallView, asks)
	for n := range asks {
		calls[n] = decode[api.CallView](t, ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{
			Server: "fake", Kind: domain.ToolCall, Name: "echo", Arguments: json.RawMessage(fmt.Sprintf(`{"message":"%d"}`, n)), ApprovalWaitMS: -1,
		}))
	}
	var waiting []domain.Request
	mcptest.Eventually(t, "every call waits", func() bool {
		waiting = decode[api.RequestList](t, ask(t, window(c), http.MethodGet, "/api/inbox?status=waiting&limit=1000", nil)).Requests
		return len(waiting) == asks
	})
	wantOneMoreRefused(t, c)
	told := make([][]heard, people)
	won := make([]map[string]string, people)
	var race sync.WaitGroup
	for p := range people {
		order := rand.New(rand.NewPCG(8, uint64(p))).Perm(asks)
		race.Go(func() { told[p], won[p] = answerAll(t, c, waiting, order, p%2 == 0) })
	}
	race.Wait()

	outcome := wantOneWinner(t, waiting, won)
	for _, everything := range told {
		for _, h := range everything {
			if h.answer != outcome[h.request] {
				t.Errorf("request %s was %s, and somebody heard that it was %s", h.request, outcome[h.request], h.answer)
			}
		}
	}
	byCall := wantOneLine(t, c, outcome)
	for _, call := range calls {
		done := end(t, c, call)
		got := string(domain.RequestApproved)
		if done.Error != nil {
			got = string(domain.RequestDenied)
			if done.Error.Code != domain.CodeApprovalDenied {
				t.Errorf("a call came to %v", done.Error)
			}
		}
		if want := outcome[done.RequestID]; got != want || byCall[done.ID] != want {
			t.Errorf("the request of a call was %s, the call was %s, and the journal says %s", want, got, byCall[done.ID])
		}
	}
	verified(t, c)
}

// wantOneMoreRefused makes one call more than may run at once: it is refused before it starts, and has its line.
func wantOneMoreRefused(t *testing.T, c *core.Core) {
	t.Helper()
	a := ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{Server: "fake", Kind: domain.ToolCall, Name: "echo", Arguments: json.RawMessage(`{"message":"more"}`)})
	last := wholeJournal(t, c)[0]
	if a.code(t) != domain.CodeDenied || last.Outcome != audit.OutcomeRefused || last.Code != string(domain.CodeDenied) || last.Name != "echo" {
		t.Errorf("one call too many came to %s and the line %+v", a.body, last)
	}
}

// answerAll answers every request, in an order of its own. told is what it heard of each, won what it decided first.
func answerAll(t *testing.T, c *core.Core, waiting []domain.Request, order []int, yes bool) (told []heard, won map[string]string) {
	t.Helper()
	won = make(map[string]string)
	for _, n := range order {
		id := waiting[n].ID
		a := ask(t, window(c), http.MethodPost, "/api/inbox/"+id+"/answer", api.AnswerRequest{Approve: yes})
		if a.status == http.StatusOK {
			var r domain.Request
			if err := json.Unmarshal(a.body, &r); err != nil {
				t.Error(err)
			}
			won[id] = string(r.Status)
			told = append(told, heard{id, string(r.Status)})
			continue
		}
		var failure struct{ Error domain.Error }
		if err := json.Unmarshal(a.body, &failure); err != nil || failure.Error.Code != domain.CodeAlreadyAnswered {
			t.Errorf("an answer came to %s", a.body)
		}
		told = append(told, heard{id, failure.Error.Args["answer"]})
	}
	return told, won
}

// wantOneWinner gives the outcome of each request, which one answerer alone decided.
func wantOneWinner(t *testing.T, waiting []domain.Request, won []map[string]string) map[string]string {
	t.Helper()
	outcome := make(map[string]string)
	for _, r := range waiting {
		var decided []string
		for _, mine := range won {
			if status, ok := mine[r.ID]; ok {
				decided = append(decided, status)
			}
		}
		if len(decided) != 1 {
			t.Errorf("request %s was decided %d times: %q", r.ID, len(decided), decided)
			continue
		}
		outcome[r.ID] = decided[0]
	}
	return outcome
}

// wantOneLine checks that records and journal say the same, once, and gives what the journal says of each call.
func wantOneLine(t *testing.T, c *core.Core, outcome map[string]string) (byCall map[string]string) {
	t.Helper()
	lines := map[string]int{}
	byCall = make(map[string]string)
	ended := 0
	mcptest.Eventually(t, "every call has ended", func() bool {
		ended = len(slices.DeleteFunc(wholeJournal(t, c), func(e audit.Entry) bool { return e.Kind != audit.KindOutcome }))
		return ended == len(outcome)+1 // and the one too many
	})
	for _, e := range wholeJournal(t, c) {
		if e.Kind == audit.KindAnswer {
			lines[e.RequestID]++
			if e.Outcome != outcome[e.RequestID] {
				t.Errorf("request %s was %s, and the journal says %s", e.RequestID, outcome[e.RequestID], e.Outcome)
			}
		}
		if e.Kind == audit.KindOutcome {
			byCall[e.CallID] = map[string]string{audit.OutcomeOK: "approved", audit.OutcomeRefused: "denied"}[e.Outcome]
		}
	}
	for id, want := range outcome {
		if lines[id] != 1 {
			t.Errorf("request %s has %d lines of answers", id, lines[id])
		}
		if r := decode[domain.Request](t, ask(t, window(c), http.MethodGet, "/api/inbox/"+id, nil)); string(r.Status) != want {
			t.Errorf("request %s was %s, and its record says %s", id, want, r.Status)
		}
	}
	return byCall
}

// wholeJournal reads every line, newest first.
func wholeJournal(t *testing.T, c *core.Core) (entries []audit.Entry) {
	t.Helper()
	for before := uint64(0); ; {
		path := "/api/activity?limit=1000"
		if before > 0 {
			path += fmt.Sprint("&before=", before)
		}
		page := decode[api.Activity](t, ask(t, window(c), http.MethodGet, path, nil))
		entries = append(entries, page.Entries...)
		if before = page.Before; before == 0 {
			return entries
		}
	}
}
