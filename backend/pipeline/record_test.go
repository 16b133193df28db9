package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// fakeJournal keeps what was written, or fails.
type fakeJournal struct {
	intents    []domain.Call
	outcomes   []Outcome
	intentErr  error
	outcomeErr error
}

func (j *fakeJournal) Intent(call domain.Call) error {
	j.intents = append(j.intents, call)
	return j.intentErr
}

func (j *fakeJournal) Outcome(_ domain.Call, o Outcome) error {
	j.outcomes = append(j.outcomes, o)
	return j.outcomeErr
}

func (j *fakeJournal) only(t *testing.T) Outcome {
	t.Helper()
	if len(j.intents) != 1 || len(j.outcomes) != 1 {
		t.Fatalf("got %d intents and %d outcomes, want one of each", len(j.intents), len(j.outcomes))
	}
	return j.outcomes[0]
}

func TestRecordKeepsDecisionAndDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.inbox.answer = func(ctx context.Context, r domain.Request, wait time.Duration) (domain.Request, error) {
			<-time.After(5 * time.Second)
			return approve("")(ctx, r, wait)
		}
		journal := &fakeJournal{}
		end := &server{}
		call, heard := listening(echo())
		road := Build(end.call, Record(journal, time.Now, quiet), Resolve(w), Authorize(w.rulesFor, w, &w.inbox, w.write))
		if _, err := road(t.Context(), call); err != nil {
			t.Fatal(err)
		}
		got := journal.only(t)
		if got.Decision == nil || got.Decision.Verdict != domain.Ask || got.RequestID != "r1" {
			t.Errorf("got decision %+v of request %q, want ask and r1", got.Decision, got.RequestID)
		}
		if got.Duration != 5*time.Second || !got.Sent || got.Err != nil || got.Result == nil {
			t.Errorf("got %+v, want a sent call of 5 s with a result", got)
		}
		if len(*heard) != 3 {
			t.Errorf("the caller heard %v, want decided, waiting and running", *heard)
		}
	})
}

func TestRecordRefusesWhatItCannotWrite(t *testing.T) {
	journal := &fakeJournal{intentErr: &domain.Error{Code: domain.CodeDiskFull, Message: "full"}}
	end := &server{}
	_, err := Build(end.call, Record(journal, time.Now, quiet))(t.Context(), echo())
	wantCode(t, err, domain.CodeDiskFull)
	if len(end.calls) != 0 || len(journal.outcomes) != 0 {
		t.Errorf("the server got %d calls and the journal %d outcomes, want none", len(end.calls), len(journal.outcomes))
	}
}

func TestRecordKeepsTheResultWhenTheOutcomeCannotBeWritten(t *testing.T) {
	journal := &fakeJournal{outcomeErr: errors.New("disk gone")}
	var log strings.Builder
	end := &server{}
	result, err := Build(end.call, Record(journal, time.Now, logTo(&log)))(t.Context(), echo())
	if err != nil || string(result.Raw) != `{}` {
		t.Errorf("got %s, %v, want the result", result.Raw, err)
	}
	if !strings.Contains(log.String(), "disk gone") {
		t.Errorf("the log says %q, want the failure", log.String())
	}
}

func TestRecordWritesWhateverHappens(t *testing.T) {
	boom := func(context.Context, domain.Call) (domain.Result, error) { panic("boom") }
	stop := func(ctx context.Context, _ domain.Call) (domain.Result, error) { return domain.Result{}, ctx.Err() }
	tests := []struct {
		name   string
		leaves bool
		end    domain.CallFunc
		stages []Stage
		code   domain.Code
		sent   bool
	}{
		{"a panic that is recovered", false, boom, []Stage{Recover(quiet)}, domain.CodeInternal, true},
		{"a caller that left", true, stop, []Stage{Deadline(within(0, 0))}, domain.CodeCanceled, true},
		{"a refusal", false, boom, []Stage{Resolve(&world{findErr: &domain.Error{Code: domain.CodeUnknownServer}})}, domain.CodeUnknownServer, false},
		{"a server that is not there", false, (&server{err: &domain.Error{Code: domain.CodeConnRefused}}).call, nil, domain.CodeConnRefused, false},
		{"a server that went away", false, (&server{err: &domain.Error{Code: domain.CodeConnClosed}}).call, nil, domain.CodeConnClosed, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			journal := &fakeJournal{}
			road := Build(test.end, append([]Stage{Record(journal, time.Now, quiet)}, test.stages...)...)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if test.leaves {
				leave()
			}
			_, err := road(ctx, echo())
			wantCode(t, err, test.code)
			got := journal.only(t)
			if domain.CodeOf(got.Err) != test.code || got.Sent != test.sent || got.Result != nil {
				t.Errorf("got outcome %+v, want %s, sent %t and no result", got, test.code, test.sent)
			}
		})
	}
}

func TestRecordWritesAPanicThatNobodyRecovers(t *testing.T) {
	journal := &fakeJournal{}
	road := Build(func(context.Context, domain.Call) (domain.Result, error) { panic("boom") }, Record(journal, time.Now, quiet))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = road(t.Context(), echo())
	}()
	if got := journal.only(t); got.Err == nil || got.Result != nil {
		t.Errorf("got outcome %+v, want an error", got)
	}
}

func TestAVerdictThatCannotBeWrittenLetsNothingThrough(t *testing.T) {
	for _, verdict := range []domain.Verdict{domain.Allow, domain.Ask, domain.Deny} {
		w, end := newWorld().says(verdict), &server{}
		w.inbox.answer = approve("")
		w.writeErr = &domain.Error{Code: domain.CodeDiskFull, Message: "full"}
		_, err := w.road(end.call)(t.Context(), echo())
		wantCode(t, err, domain.CodeDiskFull)
		if len(end.calls) != 0 || len(w.inbox.asked) != 0 || len(w.verdicts) != 1 || w.verdicts[0] != verdict {
			t.Errorf("%s: %d calls and %d questions after the verdicts %v, want none", verdict, len(end.calls), len(w.inbox.asked), w.verdicts)
		}
	}
}
