package cli_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// pendingKinds are the requests that a kill meets, of each kind some: which tool makes one, and what becomes of it.
var pendingKinds = []struct {
	kind         domain.RequestKind
	server, tool string
	count        int
	after        domain.RequestStatus
}{
	{domain.ToolRequest, "asks", "echo", 22, domain.RequestWaiting},
	{domain.ElicitationFormRequest, "free", "elicit", 10, domain.RequestLapsed},
	{domain.ElicitationURLRequest, "free", "visit", 8, domain.RequestLapsed},
	{domain.SamplingRequest, "free", "sample", 10, domain.RequestLapsed},
}

const (
	passes  = 6 // approved after their callers had left, and not made before the kill
	running = 4 // approved, and running when the kill comes
)

// TestAKillWithFiftyPendingRequests kills the program while 50 requests wait, and some that were answered are not done with.
func TestAKillWithFiftyPendingRequests(t *testing.T) {
	w := newWorld(t)
	s := w.serve(t)
	waiting := s.makePending()
	for n := range passes {
		id := s.asked("echo", fmt.Sprint("pass ", n))
		fetched[domain.Request](s, http.MethodPost, "/api/inbox/"+id+"/answer", api.AnswerRequest{Approve: true})
	}
	for n := range running {
		view := s.begun("asks", "wait", fmt.Sprint("running ", n), true)
		fetched[domain.Request](s, http.MethodPost, "/api/inbox/"+view.RequestID+"/answer", api.AnswerRequest{Approve: true})
	}
	for n := range running {
		mcptest.Eventually(t, "the approved calls run", func() bool { return w.ran(t)[fmt.Sprint("running ", n)] == 1 })
	}
	raced := s.killWhileAnswering()
	if len(waiting) != 50 {
		t.Fatalf("%d requests wait, want 50", len(waiting))
	}

	s = w.serve(t)
	s.settled()
	for id, want := range waiting {
		if got := fetched[domain.Request](s, http.MethodGet, "/api/inbox/"+id, nil); got.Status != want || got.Answer != nil {
			t.Errorf("request %s of kind %s is %s with the answer %+v, want %s with none", id, got.Kind, got.Status, got.Answer, want)
		}
	}
	s.wantLapsedTold(waiting)
	for id, acknowledged := range raced {
		got := fetched[domain.Request](s, http.MethodGet, "/api/inbox/"+id, nil)
		if approved := got.Status == domain.RequestApproved; acknowledged && !approved || !approved && got.Status != domain.RequestWaiting {
			t.Errorf("request %s, whose answer was acknowledged: %t, is %s", id, acknowledged, got.Status)
		}
	}
	wantNothingRunAgain(t, s, func() {
		for n := range running { // their approvals were spent
			s.asked("wait", fmt.Sprint("running ", n))
		}
	})
	for n := range passes {
		s.wantOnePass(fmt.Sprint("pass ", n))
	}
	for id, after := range waiting { // what waits can still be answered
		if after == domain.RequestWaiting {
			fetched[domain.Request](s, http.MethodPost, "/api/inbox/"+id+"/answer", api.AnswerRequest{})
		}
	}
	s.stop()
	wantPassesUsedOnce(t, w)
}

// wantLapsedTold checks that the journal tells once of each request that lapsed with the program, and of no other.
func (s *served) wantLapsedTold(waiting map[string]domain.RequestStatus) {
	s.t.Helper()
	want := map[string]int{}
	for id, after := range waiting {
		if after == domain.RequestLapsed {
			want[id] = 1
		}
	}
	var told map[string]int
	mcptest.Eventually(s.t, "the journal tells of what lapsed", func() bool {
		told = map[string]int{}
		for _, e := range fetched[api.Activity](s, http.MethodGet, "/api/activity?kind=request&limit=200", nil).Entries {
			if e.Outcome == string(domain.RequestLapsed) && e.Detail == audit.WhyWaitOver {
				told[e.RequestID]++
			}
		}
		return len(told) >= len(want)
	})
	if !maps.Equal(told, want) {
		s.t.Errorf("the journal tells of %v, want %v", told, want)
	}
}

// makePending has requests of every kind that servers and calls make wait, and says what must become of each.
func (s *served) makePending() map[string]domain.RequestStatus {
	s.t.Helper()
	for _, pending := range pendingKinds {
		for n := range pending.count {
			fetched[api.CallView](s, http.MethodPost, "/api/calls", api.CallRequest{
				Server: pending.server, Kind: domain.ToolCall, Name: pending.tool, Arguments: arguments(fmt.Sprint(pending.kind, " ", n)), ApprovalWaitMS: -1,
			})
		}
	}
	waiting := map[string]domain.RequestStatus{}
	for _, pending := range pendingKinds {
		mcptest.Eventually(s.t, fmt.Sprint(pending.count, " requests wait of kind ", pending.kind), func() bool {
			found := 0
			for _, r := range fetched[api.RequestList](s, http.MethodGet, "/api/inbox?status=waiting", nil).Requests {
				if r.Kind == pending.kind {
					found++
					waiting[r.ID] = pending.after
				}
			}
			return found == pending.count
		})
	}
	return waiting
}

// killWhileAnswering approves requests one after the other, and kills the program meanwhile. It says of each whether the person
// was told that the answer counts.
func (s *served) killWhileAnswering() (acknowledged map[string]bool) {
	s.t.Helper()
	acknowledged = make(map[string]bool)
	var ids []string
	for n := range 20 {
		ids = append(ids, s.asked("echo", fmt.Sprint("raced ", n)))
	}
	some := make(chan struct{})
	var person sync.WaitGroup
	person.Go(func() {
		for n, id := range ids {
			status, _, err := s.ask(http.MethodPost, "/api/inbox/"+id+"/answer", api.AnswerRequest{Approve: true})
			acknowledged[id] = err == nil && status == http.StatusOK
			if n == 2 {
				close(some)
			}
		}
	})
	<-some
	s.kill()
	person.Wait()
	return acknowledged
}

// wantNothingRunAgain checks that no server runs anything for what is tried.
func wantNothingRunAgain(t *testing.T, s *served, try func()) {
	t.Helper()
	before := total(s.world.ran(t))
	try()
	if after := total(s.world.ran(t)); after != before {
		t.Errorf("the servers ran %d calls, want none", after-before)
	}
}

func total(ran map[string]int) (sum int) {
	for _, n := range ran {
		sum += n
	}
	return sum
}

// wantOnePass makes the identical call from eight callers at once: the approval that was given before the kill lets one
// through.
func (s *served) wantOnePass(message string) {
	s.t.Helper()
	var mu sync.Mutex
	var codes []domain.Code
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			view, err := s.call("asks", "echo", message)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				s.t.Error(err)
			case view.Error != nil:
				codes = append(codes, view.Error.Code)
			default:
				codes = append(codes, "")
			}
		})
	}
	callers.Wait()
	slices.Sort(codes)
	if len(codes) != 8 || codes[0] != "" || codes[1] != domain.CodeApprovalNeeded || codes[7] != domain.CodeApprovalNeeded {
		s.t.Errorf("%s: the calls came to %q, want one let through and the others to ask", message, codes)
	}
}

// wantPassesUsedOnce compares the ledger with what was approved: each pass ran once, each running call once, nothing that waited.
func wantPassesUsedOnce(t *testing.T, w world) {
	t.Helper()
	ran := w.ran(t)
	for n := range passes {
		if got := ran[fmt.Sprint("pass ", n)]; got != 1 {
			t.Errorf("pass %d was used %d times", n, got)
		}
	}
	for n := range running {
		if got := ran[fmt.Sprint("running ", n)]; got != 1 {
			t.Errorf("call %d that was approved before the kill ran %d times", n, got)
		}
	}
	for n := range pendingKinds[0].count {
		if message := fmt.Sprint(domain.ToolRequest, " ", n); ran[message] != 0 {
			t.Errorf("%s ran, though nobody approved it", message)
		}
	}
}
