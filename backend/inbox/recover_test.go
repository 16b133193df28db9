package inbox

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/store"
)

func TestRestart(t *testing.T) {
	f := newOffice(t, Options{})
	tool := park(t, f, aCall())
	approvedCall := aCall()
	approvedCall.Tool = "approved"
	approved := park(t, f, approvedCall)
	_, err := f.Answer(approved, approve(domain.ScopeOnce))
	must(t, err)
	definition, err := f.Park(domain.Request{Kind: domain.DefinitionRequest, Server: "files"})
	must(t, err)
	question, err := f.Park(domain.Request{Kind: domain.ElicitationFormRequest, Server: "files"})
	must(t, err)
	sampling, err := f.Park(domain.Request{Kind: domain.SamplingRequest, Server: "files"})
	must(t, err)

	f.restart(t)
	wantStatus(t, f, tool, domain.RequestWaiting)
	wantStatus(t, f, definition.Request.ID, domain.RequestWaiting)
	wantStatus(t, f, question.Request.ID, domain.RequestLapsed)
	wantStatus(t, f, sampling.Request.ID, domain.RequestLapsed)
	if len(f.lapsed) != 2 || f.lapsed[0].ID != question.Request.ID || f.lapsed[1].Status != domain.RequestLapsed {
		t.Errorf("lapsed at the start: %+v, want the question and the text", f.lapsed)
	}
	_, err = f.Answer(question.Request.ID, approve(""))
	wantCode(t, err, domain.CodeApprovalExpired)

	if id := park(t, f, aCall()); id != tool {
		t.Errorf("after the restart the identical call got request %s, want %s", id, tool)
	}
	if got, ok, err := f.TakePass(approvedCall); !ok || err != nil || got.ID != approved {
		t.Errorf("after the restart the pass is %s (%v, %v), want %s", got.ID, ok, err, approved)
	}
	_, err = f.Answer(tool, approve(domain.ScopeOnce))
	must(t, err)
	f.restart(t)
	if _, ok, err := f.TakePass(aCall()); !ok || err != nil {
		t.Errorf("an approval given before a restart is lost (%v)", err)
	}
}

func TestQuestionsOfASessionAreNeverJoinedAndLapseWithIt(t *testing.T) {
	f := newOffice(t, Options{})
	question := domain.Request{Kind: domain.SamplingRequest, Server: "files", Caller: agent}
	first, err := f.Park(question)
	must(t, err)
	second, err := f.Park(question)
	must(t, err)
	if first.Request.ID == second.Request.ID {
		t.Error("two questions of a server became one")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = first.Wait(ctx, -1)
	wantCode(t, err, domain.CodeCanceled)
	wantStatus(t, f, first.Request.ID, domain.RequestLapsed)

	answer := approve("")
	answer.Data = []byte(`{"text":"yes"}`)
	_, err = f.Answer(second.Request.ID, answer)
	must(t, err)
	got, err := second.Wait(t.Context(), -1)
	if err != nil || string(got.Answer.Data) != string(answer.Data) {
		t.Errorf("answer is %+v (%v), want the data", got.Answer, err)
	}
}

// TestExpiry runs in a bubble, where time.Now is the clock and time passes when all wait.
func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newOffice(t, Options{Now: time.Now, Expiry: func() time.Duration { return time.Hour }})
		_, err := f.Ask(t.Context(), aCall(), -1)
		wantCode(t, err, domain.CodeApprovalExpired)
		expired := domain.AsError(err).Args["request_id"]
		wantStatus(t, f, expired, domain.RequestExpired)
		_, err = f.Answer(expired, approve(""))
		wantCode(t, err, domain.CodeApprovalExpired)

		unused := park(t, f, aCall())
		_, err = f.Answer(unused, approve(""))
		must(t, err)
		<-time.After(DefaultPassLife)
		synctest.Wait()
		wantStatus(t, f, unused, domain.RequestExpired)

		own := aCall()
		until := time.Now().Add(time.Minute)
		own.ExpiresAt = &until
		_, err = f.Ask(t.Context(), own, -1)
		wantCode(t, err, domain.CodeApprovalExpired)
		if !time.Now().Equal(until) {
			t.Errorf("the request ended at %v, want %v", time.Now(), until)
		}
	})
}

func TestAnswerAfterTheDeadlineDoesNotCount(t *testing.T) {
	f := newOffice(t, Options{Expiry: func() time.Duration { return time.Hour }}) // its worker does not see the clock move
	id := park(t, f, aCall())
	f.pass(time.Hour)
	_, err := f.Answer(id, approve(""))
	wantCode(t, err, domain.CodeApprovalExpired)
	wantStatus(t, f, id, domain.RequestExpired)
}

// TestRace lets 8 people race for the answer to each of 1000 calls.
func TestRace(t *testing.T) {
	const asks, people = 1000, 8
	f := newOffice(t, Options{})
	asked := make(chan string, asks)
	var callers, answerers sync.WaitGroup
	var through, refused, counted [asks]atomic.Int32
	for n := range asks {
		callers.Go(func() {
			call := aCall()
			call.ArgumentsDigest = fmt.Sprint(n)
			seat, err := f.Park(call)
			if err != nil {
				t.Errorf("park call %d: %v", n, err)
				asked <- ""
				return
			}
			asked <- seat.Request.ID
			_, err = seat.Wait(t.Context(), -1)
			switch domain.CodeOf(err) {
			case "":
				through[n].Add(1)
			case domain.CodeApprovalDenied:
				refused[n].Add(1)
			default:
				t.Errorf("call %d: %v", n, err)
			}
		})
	}
	byID := make(map[string]int, asks)
	for range asks {
		byID[<-asked] = len(byID)
	}
	for p := range people {
		answerers.Go(func() {
			for id, n := range byID {
				_, err := f.Answer(id, domain.Answer{Approve: p%2 == 0, By: person})
				switch domain.CodeOf(err) {
				case "":
					counted[n].Add(1)
				case domain.CodeAlreadyAnswered:
				default:
					t.Errorf("answer %s: %v", id, err)
				}
			}
		})
	}
	answerers.Wait()
	callers.Wait()
	for n := range asks {
		if counted[n].Load() != 1 {
			t.Errorf("request %d counted %d answers, want 1", n, counted[n].Load())
		}
		if total := through[n].Load() + refused[n].Load(); total != 1 {
			t.Errorf("call %d had %d outcomes, want 1", n, total)
		}
	}
	wantUsed(t, f.store)
}

// wantUsed checks that every approval was spent, exactly because every caller waited.
func wantUsed(t *testing.T, s *store.Store) {
	t.Helper()
	left, err := s.Requests(domain.RequestFilter{Open: true})
	must(t, err)
	if len(left) != 0 {
		t.Errorf("%d requests are still open", len(left))
	}
}

// TestPassRace lets 8 callers race for each of 20 passes.
func TestPassRace(t *testing.T) {
	f := newOffice(t, Options{})
	for n := range 20 {
		call := aCall()
		call.ArgumentsDigest = fmt.Sprint(n)
		_, err := f.Answer(park(t, f, call), approve(""))
		must(t, err)
		var taken atomic.Int32
		var callers sync.WaitGroup
		for range 8 {
			callers.Go(func() {
				_, ok, err := f.TakePass(call)
				wantCode(t, err, "")
				if ok {
					taken.Add(1)
				}
			})
		}
		callers.Wait()
		if taken.Load() != 1 {
			t.Errorf("pass %d was taken %d times", n, taken.Load())
		}
	}
}
