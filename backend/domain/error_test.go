package domain

import (
	"errors"
	"fmt"
	"testing"
)

func TestUnsentNeedsProof(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want bool
	}{
		{"no error", nil, false},
		{"an error that says nothing", errors.New("broken pipe"), false},
		{"a server that went away", &Error{Code: CodeConnClosed}, false},
		{"a program that never started", &Error{Code: CodeProgramNotFound}, true},
		{"wrapped", fmt.Errorf("call: %w", &Error{Code: CodeConnRefused}), true},
		{"marked", &Error{Code: CodeConnClosed, Cause: fmt.Errorf("write: %w", ErrUnsent)}, true},
	}
	for _, test := range tests {
		if got := Unsent(test.err); got != test.want {
			t.Errorf("%s: Unsent = %t, want %t", test.name, got, test.want)
		}
	}
}
