package pipeline

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func wants(m domain.Middleware) Middleware { return func(domain.Call) domain.Middleware { return m } }

// failing fails with the errors in turn, then succeeds.
func failing(calls *int, errs ...error) domain.CallFunc {
	return func(context.Context, domain.Call) (domain.Result, error) {
		*calls++
		if *calls <= len(errs) {
			return domain.Result{}, errs[*calls-1]
		}
		return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(`{}`), Meta: domain.ResultMeta{Attempts: 1}}, nil
	}
}

func resolved(effect domain.Effect) domain.Call {
	call, w := echo(), newWorld()
	w.target.Effect = effect
	call.Target = &w.target
	return call
}

func TestRetryMakesOnlySafeCallsAgain(t *testing.T) {
	lost := &domain.Error{Code: domain.CodeConnClosed}
	unsent := &domain.Error{Code: domain.CodeConnRefused}
	for _, test := range []struct {
		name   string
		effect domain.Effect
		err    error
		again  bool
	}{
		{"a read that was lost", domain.Reads, lost, true},
		{"a write that was lost", domain.Writes, lost, false},
		{"a write that was not sent", domain.Writes, unsent, true},
		{"a refusal", domain.Reads, &domain.Error{Code: domain.CodeDenied}, false},
		{"a spent budget", domain.Reads, &domain.Error{Code: domain.CodeBudgetSpent, Cause: domain.ErrUnsent}, false},
		{"a server that is off", domain.Reads, &domain.Error{Code: domain.CodeServerOff}, false},
		{"an open breaker", domain.Reads, &domain.Error{Code: domain.CodeBreakerOpen, Cause: domain.ErrUnsent}, false},
		{"an outcome that is unknown", domain.Reads, &domain.Error{Code: domain.CodeOutcomeUnknown}, false},
		{"a missing sign-in", domain.Reads, &domain.Error{Code: domain.CodeCredentialMissing}, false},
		{"a person who said no", domain.Reads, &domain.Error{Code: domain.CodeApprovalDenied}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				road := Build(failing(&calls, test.err, test.err), Retry(wants(domain.Middleware{Retry: &domain.Retry{MaxAttempts: 3}})))
				result, err := road(t.Context(), resolved(test.effect))
				if test.again && (err != nil || calls != 3 || result.Meta.Attempts != 3) {
					t.Errorf("%d calls, %+v, %v", calls, result.Meta, err)
				}
				if !test.again && (calls != 1 || domain.CodeOf(err) != domain.CodeOf(test.err)) {
					t.Errorf("%d calls, %v", calls, err)
				}
			})
		})
	}
}

func TestRetryGivesUpWithTheLastFailureAfterPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, start := 0, time.Now()
		lost := &domain.Error{Code: domain.CodeConnClosed}
		road := Build(failing(&calls, lost, lost, lost), Retry(wants(domain.Middleware{Retry: &domain.Retry{MaxAttempts: 3}})))
		_, err := road(t.Context(), resolved(domain.Reads))
		if took := time.Since(start); calls != 3 || domain.CodeOf(err) != domain.CodeConnClosed || took < 1125*time.Millisecond || took > 1875*time.Millisecond {
			t.Errorf("%d calls in %s, %v", calls, took, err) // 0.5 s and 1 s, give or take a quarter
		}
	})
}

func TestACallerThatLeavesEndsThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		calls := 0
		lost := &domain.Error{Code: domain.CodeConnClosed}
		road := Build(failing(&calls, lost, lost), Retry(wants(domain.Middleware{Retry: &domain.Retry{MaxAttempts: 3}})))
		if _, err := road(ctx, resolved(domain.Reads)); err == nil || calls != 1 {
			t.Errorf("%d calls, %v", calls, err)
		}
	})
}

func TestWithoutRetryACallIsMadeOnce(t *testing.T) {
	calls := 0
	road := Build(failing(&calls, &domain.Error{Code: domain.CodeConnClosed}), Retry(wants(domain.Middleware{})))
	if _, err := road(t.Context(), resolved(domain.Reads)); err == nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// An attempt that may have run counts, though the last one provably was not sent: an approval is used up, and the journal says so.
func TestAnAttemptThatMayHaveRunIsNotHiddenByALaterOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		lost, unsent := &domain.Error{Code: domain.CodeConnClosed}, &domain.Error{Code: domain.CodeConnRefused}
		road := Build(failing(&calls, unsent, lost, unsent), Retry(wants(domain.Middleware{Retry: &domain.Retry{MaxAttempts: 3}})))
		_, err := road(t.Context(), resolved(domain.Reads))
		if calls != 3 || domain.Unsent(err) || domain.CodeOf(err) != domain.CodeConnClosed {
			t.Errorf("%d calls, %v", calls, err)
		}
	})
}

// Who forbids a call while it waits for its next attempt is obeyed; what an earlier one may have done is still said.
func TestACallThatIsForbiddenMeanwhileIsNotMadeAgain(t *testing.T) {
	for name, test := range map[string]struct {
		first *domain.Error
		want  domain.Code
	}{
		"it was not sent":             {&domain.Error{Code: domain.CodeConnRefused}, domain.CodeDenied},
		"it may have run":             {&domain.Error{Code: domain.CodeConnClosed}, domain.CodeConnClosed},
		"it was never sent, by proof": {&domain.Error{Code: domain.CodeConnFailed, Cause: domain.ErrUnsent}, domain.CodeDenied},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, calls := newWorld().says(domain.Allow), 0
				end := failing(&calls, test.first, test.first)
				road := Build(func(ctx context.Context, call domain.Call) (domain.Result, error) {
					w.says(domain.Deny) // a person does, while the call is at its server
					return end(ctx, call)
				}, Retry(wants(domain.Middleware{Retry: &domain.Retry{MaxAttempts: 3}}), StillAllowed(w.rulesFor)))
				_, err := road(t.Context(), resolved(domain.Reads))
				if calls != 1 || domain.CodeOf(err) != test.want || domain.Unsent(err) != (test.want == domain.CodeDenied) {
					t.Errorf("%d calls, %v", calls, err)
				}
			})
		})
	}
}
