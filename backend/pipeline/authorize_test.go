package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestAuthorizeAllows(t *testing.T) {
	w, end := newWorld().says(domain.Allow), &server{}
	call, heard := listening(echo())
	if _, err := w.road(end.call)(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	if len(end.calls) != 1 || len(w.inbox.asked) != 0 {
		t.Errorf("the server got %d calls and the person %d questions, want 1 and 0", len(end.calls), len(w.inbox.asked))
	}
	if kinds := kindsOf(*heard); !slices.Equal(kinds, []domain.NoticeKind{domain.NoticeDecided, domain.NoticeRunning}) {
		t.Errorf("heard %v", kinds)
	}
}

func kindsOf(notices []domain.Notice) []domain.NoticeKind {
	var kinds []domain.NoticeKind
	for _, n := range notices {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func TestAuthorizeDenies(t *testing.T) {
	w, end := newWorld().says(domain.Deny), &server{}
	_, err := w.road(end.call)(t.Context(), echo())
	e := wantCode(t, err, domain.CodeDenied)
	if e.Args["rule"] != "rule-deny" || e.Args["line"] != "7" || e.Args["source"] != "config.toml" {
		t.Errorf("the error does not name the rule: %v", e.Args)
	}
	if len(end.calls) != 0 || len(w.inbox.asked) != 0 {
		t.Error("a denied call went on or bothered a person")
	}
}

func TestAuthorizeAsksWithAllThatTheApprovalBindsTo(t *testing.T) {
	w, end := newWorld(), &server{}
	w.target.Effect = domain.Destroys
	w.inbox.answer = approve("")
	call, heard := listening(echo())
	result, err := w.road(end.call)(t.Context(), call)
	if err != nil || result.Meta.EditedParams != nil || len(end.calls) != 1 {
		t.Fatalf("got %+v, %v and %d calls", result, err, len(end.calls))
	}
	got := w.inbox.asked[0]
	if got.Server != "demo" || got.Tool != "echo" || got.CallKind != domain.ToolCall || got.Caller != call.Caller ||
		got.ArgumentsDigest != call.ArgumentsDigest() || got.DefinitionDigest != "d1" ||
		got.StartDigest != w.target.Server.StartDigest() || got.Effect != domain.Destroys || got.Decision.Because == "" {
		t.Errorf("the request lacks something: %+v", got)
	}
	want := []domain.NoticeKind{domain.NoticeDecided, domain.NoticeWaiting, domain.NoticeRunning}
	if kinds := kindsOf(*heard); !slices.Equal(kinds, want) || (*heard)[1].RequestID != "r1" {
		t.Errorf("heard %v, want %v", *heard, want)
	}
	if len(w.inbox.returned) != 0 {
		t.Errorf("the approval of a sent call was given back: %v", w.inbox.returned)
	}
}

func TestAuthorizePassesOnThePersonsNo(t *testing.T) {
	for _, code := range []domain.Code{domain.CodeApprovalDenied, domain.CodeApprovalNeeded, domain.CodeApprovalExpired} {
		w, end := newWorld(), &server{}
		w.inbox.answer = refuse(code)
		_, err := w.road(end.call)(t.Context(), echo())
		if e := wantCode(t, err, code); e.Args["request_id"] != "r1" || len(end.calls) != 0 {
			t.Errorf("%s: got %v and %d calls", code, e.Args, len(end.calls))
		}
	}
}

func TestAuthorizeUsesAPass(t *testing.T) {
	w, end := newWorld(), &server{}
	w.inbox.pass = passFor(w)
	call, heard := listening(echo())
	if _, err := w.road(end.call)(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	if len(end.calls) != 1 || len(w.inbox.asked) != 0 || len(w.inbox.returned) != 0 {
		t.Errorf("got %d calls, %d questions and %d returned passes, want 1, 0, 0", len(end.calls), len(w.inbox.asked), len(w.inbox.returned))
	}
	if (*heard)[0].RequestID != "p1" {
		t.Errorf("heard %v, want the pass to be named", *heard)
	}
}

func passFor(w *world) *domain.Request {
	return &domain.Request{
		ID: "p1", Status: domain.RequestApproved, Answer: &domain.Answer{Approve: true},
		DefinitionDigest: w.target.DefinitionDigest, StartDigest: w.target.Server.StartDigest(),
	}
}

func TestApprovalsOfUnsentCallsAreGivenBack(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"sent, then lost", &domain.Error{Code: domain.CodeConnClosed}, 0},
		{"sent, then failed", errors.New("who knows"), 0},
		{"never started", &domain.Error{Code: domain.CodeProgramNotFound}, 1},
		{"proved unsent", &domain.Error{Code: domain.CodeConnClosed, Cause: domain.ErrUnsent}, 1},
	}
	for _, test := range tests {
		for _, waits := range []bool{true, false} {
			w, end := newWorld(), &server{err: test.err}
			w.inbox.answer = approve("")
			if !waits {
				w.inbox.pass = passFor(w)
			}
			_, err := w.road(end.call)(t.Context(), echo())
			wantCode(t, err, domain.CodeOf(test.err))
			if len(w.inbox.returned) != test.want {
				t.Errorf("%s, waits %t: %d approvals given back, want %d", test.name, waits, len(w.inbox.returned), test.want)
			}
		}
	}
}

func TestAnApprovalRefusedByALaterStageIsGivenBack(t *testing.T) {
	w, end := newWorld(), &server{}
	w.inbox.answer = approve("")
	budget := func(domain.CallFunc) domain.CallFunc {
		return func(context.Context, domain.Call) (domain.Result, error) {
			return domain.Result{}, errors.New("over budget")
		}
	}
	_, err := Build(end.call, Resolve(w), Authorize(w.rulesFor, w, &w.inbox, w.write), budget)(t.Context(), echo())
	if err == nil || len(w.inbox.returned) != 1 {
		t.Errorf("got %v and %d approvals given back, want an error and 1", err, len(w.inbox.returned))
	}
}

func TestEditedParams(t *testing.T) {
	const edited = `{"name":"echo","arguments":{"message":"salut"}}`
	w, end := newWorld(), &server{}
	w.inbox.answer = approve(edited)
	result, err := w.road(end.call)(t.Context(), echo())
	if err != nil || string(result.Meta.EditedParams) != edited || string(end.calls[0].Params) != edited {
		t.Errorf("got %+v, %v, want the edited params to be sent and told", result, err)
	}
	for _, bad := range []string{`{"name":"echo","arguments":{}}`, `{"name":"drop","arguments":{"message":""}}`, `{`} {
		w, end := newWorld(), &server{}
		w.inbox.answer = approve(bad)
		_, err := w.road(end.call)(t.Context(), echo())
		wantCode(t, err, domain.CodeInvalidArguments)
		if len(end.calls) != 0 || len(w.inbox.returned) != 1 {
			t.Errorf("%s: got %d calls and %d approvals given back, want 0 and 1", bad, len(end.calls), len(w.inbox.returned))
		}
	}
}

func TestWhatChangedWhileThePersonThoughtIsRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(*world)
		want   domain.Code
	}{
		{"the definition", func(w *world) { w.target.DefinitionDigest = "d2" }, domain.CodeApprovalExpired},
		{"the start", func(w *world) { w.target.Server.Command = "evil" }, domain.CodeApprovalExpired},
		{"the switch", func(w *world) { w.target.Server.Enabled = false }, domain.CodeServerOff},
		{"the tool", func(w *world) { w.target.Tool = nil }, domain.CodeUnknownTool},
		{"the rules", func(w *world) { w.says(domain.Deny) }, domain.CodeDenied},
	}
	for _, test := range tests {
		w, end := newWorld(), &server{}
		w.inbox.answer = func(ctx context.Context, r domain.Request, wait time.Duration) (domain.Request, error) {
			test.change(w)
			return approve("")(ctx, r, wait)
		}
		_, err := w.road(end.call)(t.Context(), echo())
		if domain.CodeOf(err) != test.want || len(end.calls) != 0 || len(w.inbox.returned) != 1 {
			t.Errorf("%s: got %v, %d calls and %d approvals given back, want %s, 0, 1", test.name, err, len(end.calls), len(w.inbox.returned), test.want)
		}
	}
}

func TestAMisbehavingInboxAllowsNothing(t *testing.T) {
	tests := []struct {
		name   string
		change func(*fakeInbox)
	}{
		{"no passes", func(f *fakeInbox) { f.passErr = errors.New("database gone") }},
		{"no place", func(f *fakeInbox) { f.parkErr = errors.New("disk full") }},
		{"an answer that is none", func(f *fakeInbox) {
			f.answer = func(_ context.Context, r domain.Request, _ time.Duration) (domain.Request, error) { return r, nil }
		}},
		{"an approval without an answer", func(f *fakeInbox) {
			f.answer = func(_ context.Context, r domain.Request, _ time.Duration) (domain.Request, error) {
				r.Status = domain.RequestApproved
				return r, nil
			}
		}},
		{"a denial called approved", func(f *fakeInbox) {
			f.answer = func(_ context.Context, r domain.Request, _ time.Duration) (domain.Request, error) {
				r.Status, r.Answer = domain.RequestApproved, &domain.Answer{}
				return r, nil
			}
		}},
		{"an empty pass", func(f *fakeInbox) { f.pass = &domain.Request{} }},
	}
	for _, test := range tests {
		w, end := newWorld(), &server{}
		test.change(&w.inbox)
		if _, err := w.road(end.call)(t.Context(), echo()); err == nil || len(end.calls) != 0 {
			t.Errorf("%s: got %v and %d calls, want an error and none", test.name, err, len(end.calls))
		}
	}
}

func TestUnreadableRulesAllowNothing(t *testing.T) {
	w, end := newWorld().says(domain.Allow), &server{}
	w.ruleErr = errors.New("governance.db is damaged")
	if _, err := w.road(end.call)(t.Context(), echo()); !errors.Is(err, w.ruleErr) || len(end.calls) != 0 {
		t.Errorf("got %v and %d calls, want %v and none", err, len(end.calls), w.ruleErr)
	}
}

func TestACallThatWasNotResolvedIsRefused(t *testing.T) {
	w, end := newWorld().says(domain.Allow), &server{}
	if _, err := Build(end.call, Authorize(w.rulesFor, w, &w.inbox, w.write))(t.Context(), echo()); err == nil || len(end.calls) != 0 {
		t.Errorf("got %v and %d calls, want an error and none", err, len(end.calls))
	}
}

func TestAPassThatCannotBeGivenBackIsSaid(t *testing.T) {
	w, end := newWorld(), &server{err: &domain.Error{Code: domain.CodeSpawnFailed}}
	w.inbox.answer, w.inbox.failing = approve(""), errors.New("database gone")
	_, err := w.road(end.call)(t.Context(), echo())
	if domain.CodeOf(err) != domain.CodeSpawnFailed || !errors.Is(err, w.inbox.failing) {
		t.Errorf("got %v, want both failures", err)
	}
}

func TestLeavingWhileAPersonThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, end := newWorld(), &server{}
		w.inbox.answer = func(ctx context.Context, r domain.Request, wait time.Duration) (domain.Request, error) {
			if wait >= 0 {
				t.Errorf("waits %s, want the caller's own wait", wait)
			}
			<-ctx.Done()
			return r, ctx.Err()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		call := echo()
		call.Wait = -1
		_, err := w.road(end.call)(ctx, call)
		wantCode(t, err, domain.CodeCanceled)
		if len(end.calls) != 0 {
			t.Error("the call went on without its caller")
		}
	})
}

func TestVerdictIsTheOneThatCallsGet(t *testing.T) {
	for _, verdict := range []domain.Verdict{domain.Allow, domain.Ask, domain.Deny} {
		w := newWorld().says(verdict)
		w.inbox.answer = approve("")
		call, heard := listening(echo())
		_, _ = w.road((&server{}).call)(t.Context(), call)
		listed := Verdict(echo(), w.target, w.rules)
		if got := (*heard)[0].Decision; got.Verdict != listed.Verdict || listed.Verdict != verdict {
			t.Errorf("listed %s, decided %s, want %s", listed.Verdict, got.Verdict, verdict)
		}
	}
}

func TestStandingApprovalsCover(t *testing.T) {
	w, end := newWorld(), &server{}
	call := echo()
	w.rules.Approvals = []domain.Approval{{
		ID: "a", Scope: domain.ScopeAlways, Caller: call.Caller, Server: "demo", Kind: call.Kind, Name: call.Name,
		DefinitionDigest: "d1", StartDigest: w.target.Server.StartDigest(),
	}}
	call.Params = json.RawMessage(`{"name":"echo","arguments":{"message":"anything"}}`)
	if _, err := w.road(end.call)(t.Context(), call); err != nil || len(w.inbox.asked) != 0 {
		t.Errorf("got %v and %d questions, want neither", err, len(w.inbox.asked))
	}
}
