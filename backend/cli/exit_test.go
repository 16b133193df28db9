package cli

import (
	"errors"
	"fmt"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestExitFollowsTheClassOfTheCode(t *testing.T) {
	tests := []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("anything"), 1},
		{&domain.Error{Code: domain.CodeToolFailed}, 1},
		{&domain.Error{Code: domain.CodeOtherVersion}, 1},
		{&domain.Error{Code: domain.CodePortBusy}, 1},
		{&domain.Error{Code: "a_code_of_tomorrow"}, 1},
		{&domain.Error{Code: domain.CodeInvalidInput}, 2},
		{&domain.Error{Code: domain.CodeConfigInvalid}, 2},
		{&domain.Error{Code: domain.CodeManagedByFile}, 2},
		{&domain.Error{Code: domain.CodeUnknownServer}, 2},
		{&domain.Error{Code: domain.CodeDuplicateName}, 2},
		{&domain.Error{Code: domain.CodeSignInNeeded}, 3},
		{&domain.Error{Code: domain.CodeCredentialMissing}, 3},
		{&domain.Error{Code: domain.CodeDenied}, 4},
		{&domain.Error{Code: domain.CodeApprovalNeeded}, 4},
		{&domain.Error{Code: domain.CodeSelfApproval}, 4},
		{&domain.Error{Code: domain.CodeConnRefused}, 5},
		{&domain.Error{Code: domain.CodeTLSFailed}, 5},
		{fmt.Errorf("call: %w", &domain.Error{Code: domain.CodeServerExited}), 5},
		{&toldError{3}, 3},
		{errors.Join(&toldError{5}, errors.New("close")), 5},
	}
	for _, test := range tests {
		if got := exitOf(test.err); got != test.want {
			t.Errorf("%v: exit %d, want %d", test.err, got, test.want)
		}
	}
}

func TestFailedTestExitsWithOneThreeOrFive(t *testing.T) {
	tests := map[domain.Code]int{
		domain.CodeVariableUnset: 1, domain.CodeInternal: 1, domain.CodeSignInNeeded: 3, domain.CodeHTML: 5,
	}
	for code, want := range tests {
		if got := testExit(&domain.Error{Code: code}); got != want {
			t.Errorf("%s: exit %d, want %d", code, got, want)
		}
	}
	if got := testExit(nil); got != 1 {
		t.Errorf("no cause: exit %d, want 1", got)
	}
}
