package inbox

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// office is an inbox over a real store, with a clock that the test moves and the events it has told.
type office struct {
	*Inbox
	dir    string
	store  *store.Store
	lapsed []domain.Request // at the last start

	mu     sync.Mutex
	now    time.Time
	events []domain.Event
}

func newOffice(t *testing.T, o Options) *office {
	t.Helper()
	f := &office{dir: t.TempDir(), now: time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC)}
	if o.Now == nil {
		o.Now = f.clock
	}
	f.openStore(t, o)
	t.Cleanup(func() {
		f.Close()
		must(t, f.store.Close())
	})
	return f
}

func (f *office) openStore(t *testing.T, o Options) {
	t.Helper()
	var err error
	f.store, err = store.Open(f.dir, store.Options{LockWait: time.Minute})
	must(t, err)
	f.Inbox = New(f.store, f.publish, o)
	f.lapsed, err = f.Recover(t.Context())
	must(t, err)
}

// restart is what a kill and a new start leave: the records.
func (f *office) restart(t *testing.T) {
	t.Helper()
	f.Close()
	must(t, f.store.Close())
	f.openStore(t, f.options)
}

func (f *office) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *office) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

func (f *office) publish(e domain.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, e)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, want domain.Code) {
	t.Helper()
	if got := domain.CodeOf(err); got != want {
		t.Errorf("code is %q (%v), want %q", got, err, want)
	}
}

func wantStatus(t *testing.T, f *office, id string, want domain.RequestStatus) domain.Request {
	t.Helper()
	r, err := f.Get(id)
	must(t, err)
	if r.Status != want {
		t.Errorf("request %s is %s, want %s", id, r.Status, want)
	}
	return r
}

var (
	agent  = domain.Caller{Kind: domain.CallerClient, Name: "claude", User: domain.LocalUser, Session: "s1"}
	person = domain.Caller{Kind: domain.CallerWindow, Name: "window", User: domain.LocalUser}
)

func aCall() domain.Request {
	return domain.Request{
		Kind: domain.ToolRequest, Server: "files", Tool: "write_file", CallKind: domain.ToolCall, Caller: agent,
		Params: []byte(`{"arguments":{"path":"a"}}`), ArgumentsDigest: "args", DefinitionDigest: "def",
	}
}

// park keeps a request that nobody waits for and returns its ID.
func park(t *testing.T, f *office, r domain.Request) string {
	t.Helper()
	_, err := f.Ask(t.Context(), r, 0)
	wantCode(t, err, domain.CodeApprovalNeeded)
	id := domain.AsError(err).Args["request_id"]
	if id == "" {
		t.Fatalf("the error %v does not name the request", err)
	}
	return id
}

func approve(scope domain.Scope) domain.Answer {
	return domain.Answer{Approve: true, Scope: scope, By: person}
}

func TestAnswerReachesTheOneWhoWaits(t *testing.T) {
	cases := map[string]struct {
		answer domain.Answer
		status domain.RequestStatus
		code   domain.Code
		used   bool
	}{
		"once":    {approve(domain.ScopeOnce), domain.RequestApproved, "", true},
		"no word": {approve(""), domain.RequestApproved, "", true},
		"always":  {approve(domain.ScopeAlways), domain.RequestApproved, "", true},
		"no":      {domain.Answer{By: person}, domain.RequestDenied, domain.CodeApprovalDenied, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := newOffice(t, Options{})
			seat, err := f.Park(aCall())
			must(t, err)
			_, err = f.Answer(seat.Request.ID, c.answer)
			must(t, err)
			got, err := seat.Wait(t.Context(), -1)
			wantCode(t, err, c.code)
			if got.Status != c.status || (got.UsedAt != nil) != c.used || got.Answer.By != person {
				t.Errorf("request is %+v, want %s, used %v, by the person", got, c.status, c.used)
			}
			if _, ok, err := f.TakePass(aCall()); ok || err != nil {
				t.Errorf("the answer is a pass too (%v, %v)", ok, err)
			}
			want := domain.Event{Topic: domain.TopicInbox, ID: seat.Request.ID}
			if len(f.events) != 2 || f.events[0] != want || f.events[1] != want {
				t.Errorf("events are %v, want two of %v", f.events, want)
			}
		})
	}
}

func TestSecondAnswerIsToldWhoWasFirst(t *testing.T) {
	f := newOffice(t, Options{})
	id := park(t, f, aCall())
	_, err := f.Answer(id, domain.Answer{By: person})
	must(t, err)
	_, err = f.Answer(id, domain.Answer{Approve: true, By: domain.Caller{Name: "cli"}})
	wantCode(t, err, domain.CodeAlreadyAnswered)
	args := domain.AsError(err).Args
	if args["by"] != "window" || args["answer"] != "denied" || args["request_id"] != id {
		t.Errorf("arguments are %v, want the first answer", args)
	}
	wantStatus(t, f, id, domain.RequestDenied)
	_, err = f.Answer("77", domain.Answer{})
	wantCode(t, err, domain.CodeUnknownRequest)
}

func TestIdenticalCallJoinsTheWaitingOne(t *testing.T) {
	f := newOffice(t, Options{})
	first := park(t, f, aCall())
	again := aCall()
	again.Caller.Session = "s2"
	if id := park(t, f, again); id != first {
		t.Errorf("the identical call got request %s, want %s", id, first)
	}
	if r := wantStatus(t, f, first, domain.RequestWaiting); r.Caller.Session != "s2" {
		t.Errorf("the session is %s, want the one that asks now", r.Caller.Session)
	}
	for name, change := range differences() {
		other := aCall()
		change(&other)
		if id := park(t, f, other); id == first {
			t.Errorf("a call with another %s joined request %s", name, first)
		}
	}
	waiting, err := f.Waiting()
	must(t, err)
	if len(waiting) != 1+len(differences()) || waiting[0].ID != first {
		t.Errorf("%d requests wait, the first is %s", len(waiting), waiting[0].ID)
	}
}

// differences are the ways in which a call is not the one that was approved.
func differences() map[string]func(*domain.Request) {
	return map[string]func(*domain.Request){
		"server":         func(r *domain.Request) { r.Server = "mail" },
		"tool":           func(r *domain.Request) { r.Tool = "delete_file" },
		"arguments":      func(r *domain.Request) { r.ArgumentsDigest = "other" },
		"definition":     func(r *domain.Request) { r.DefinitionDigest = "other" },
		"program":        func(r *domain.Request) { r.StartDigest = "other" },
		"kind of call":   func(r *domain.Request) { r.CallKind = domain.PromptGet },
		"caller":         func(r *domain.Request) { r.Caller.Name = "cursor" },
		"kind of caller": func(r *domain.Request) { r.Caller.Kind = domain.CallerCLI },
		"user":           func(r *domain.Request) { r.Caller.User = "ann" },
	}
}

func TestPassIsForTheIdenticalCallOnce(t *testing.T) {
	f := newOffice(t, Options{})
	id := park(t, f, aCall())
	if _, ok, err := f.TakePass(aCall()); ok || err != nil {
		t.Fatalf("a waiting request is a pass (%v, %v)", ok, err)
	}
	edited := approve(domain.ScopeOnce)
	edited.Params = []byte(`{"arguments":{"path":"b"}}`)
	_, err := f.Answer(id, edited)
	must(t, err)

	for name, change := range differences() {
		other := aCall()
		change(&other)
		if _, ok, err := f.TakePass(other); ok || err != nil {
			t.Errorf("a call with another %s used the pass (%v)", name, err)
		}
	}
	later := aCall()
	later.Caller.Session = "s2"
	got, ok, err := f.TakePass(later)
	if !ok || err != nil || got.ID != id || got.UsedAt == nil || string(got.Answer.Params) != string(edited.Params) {
		t.Errorf("pass is %+v (%v, %v), want request %s with the edited arguments", got, ok, err, id)
	}
	if _, ok, err := f.TakePass(aCall()); ok || err != nil {
		t.Errorf("the pass was used twice (%v)", err)
	}

	must(t, f.ReturnPass(id))
	f.pass(DefaultPassLife - time.Second)
	if _, ok, err := f.TakePass(aCall()); !ok || err != nil {
		t.Errorf("a pass that was given back cannot be used (%v)", err)
	}
	must(t, f.ReturnPass(id))
	f.pass(time.Second)
	if _, ok, err := f.TakePass(aCall()); ok || err != nil {
		t.Errorf("a pass of 10 minutes was used (%v)", err)
	}
	wantStatus(t, f, id, domain.RequestExpired)
}

func TestLastingApprovalLeavesNoPass(t *testing.T) {
	f := newOffice(t, Options{})
	for _, scope := range []domain.Scope{domain.ScopeAlways, domain.ScopeSession} {
		id := park(t, f, aCall())
		_, err := f.Answer(id, approve(scope))
		must(t, err)
		must(t, f.ReturnPass(id))
		if _, ok, err := f.TakePass(aCall()); ok || err != nil {
			t.Errorf("approving %s left a pass that outlives its revocation (%v)", scope, err)
		}
	}
}

func TestWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newOffice(t, Options{})
		r, err := f.Ask(t.Context(), aCall(), time.Hour)
		wantCode(t, err, domain.CodeApprovalNeeded)
		wantStatus(t, f, r.ID, domain.RequestWaiting)

		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err = f.Ask(ctx, aCall(), -1)
		wantCode(t, err, domain.CodeCanceled)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v, want the end of the context in it", err)
		}
		wantStatus(t, f, r.ID, domain.RequestWaiting)

		_, err = f.Answer(r.ID, approve(domain.ScopeOnce))
		must(t, err)
		if _, ok, err := f.TakePass(aCall()); !ok || err != nil {
			t.Errorf("the approval is no pass although its callers were gone (%v)", err)
		}
	})
}

func TestCallerThatLeavesAsTheAnswerComesKeepsAPass(t *testing.T) {
	f := newOffice(t, Options{})
	seat, err := f.Park(aCall())
	must(t, err)
	_, err = f.Answer(seat.Request.ID, approve(domain.ScopeOnce))
	must(t, err)
	_, err = seat.leave(canceled(seat.Request, context.Canceled))
	wantCode(t, err, domain.CodeCanceled)
	if _, ok, err := f.TakePass(aCall()); !ok || err != nil {
		t.Errorf("the approval is lost (%v)", err)
	}
}

func TestOneApprovalLetsOneOfTwoCallersThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newOffice(t, Options{})
		through := make(chan domain.Request, 2)
		var callers sync.WaitGroup
		for range 2 {
			callers.Go(func() {
				r, err := f.Ask(t.Context(), aCall(), -1)
				wantCode(t, err, "")
				through <- r
			})
		}
		answerAll := func() {
			synctest.Wait()
			waiting, err := f.Waiting()
			must(t, err)
			if len(waiting) != 1 {
				t.Fatalf("%d requests wait, want 1", len(waiting))
			}
			_, err = f.Answer(waiting[0].ID, approve(domain.ScopeOnce))
			must(t, err)
		}
		answerAll()
		first := <-through
		answerAll()
		second := <-through
		callers.Wait()
		if first.ID == second.ID {
			t.Error("one approval let two calls through")
		}
	})
}

func TestDenialAndLastingApprovalReachEveryCaller(t *testing.T) {
	for _, c := range []struct {
		answer domain.Answer
		code   domain.Code
	}{{domain.Answer{By: person}, domain.CodeApprovalDenied}, {approve(domain.ScopeSession), ""}} {
		f := newOffice(t, Options{})
		first, err := f.Park(aCall())
		must(t, err)
		second, err := f.Park(aCall())
		must(t, err)
		_, err = f.Answer(first.Request.ID, c.answer)
		must(t, err)
		for _, seat := range []*Seat{first, second} {
			_, err := seat.Wait(t.Context(), -1)
			wantCode(t, err, c.code)
		}
	}
}

func TestWaitSaysThatTheProgramEnds(t *testing.T) {
	f := newOffice(t, Options{})
	seat, err := f.Park(aCall())
	must(t, err)
	ctx, end := context.WithCancelCause(t.Context())
	end(domain.ErrEnding)
	_, err = seat.Wait(ctx, -1)
	wantCode(t, err, domain.CodeCanceled)
	if e := domain.AsError(err); e.Args["reason"] != "ending" || e.Args["request_id"] != seat.Request.ID {
		t.Errorf("%+v, want that Apollia ended", e)
	}
}
