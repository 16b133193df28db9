package cli

import (
	"errors"

	"apollia.fr/connexions/backend/domain"
)

// The exit codes of every command.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitSignIn      = 3
	exitRefused     = 4
	exitUnreachable = 5
)

// exitOf is the exit code for an error: its own where it says one, else that of its code's class.
func exitOf(err error) int {
	if err == nil {
		return exitDone
	}
	if told, ok := errors.AsType[*toldError](err); ok {
		return told.exit
	}
	switch domain.CodeOf(err).Class() {
	case domain.Usage, domain.NotFound, domain.Conflict:
		return exitUsage
	case domain.SignIn:
		return exitSignIn
	case domain.Refused:
		return exitRefused
	case domain.Unreachable:
		return exitUnreachable
	default:
		return exitFailed
	}
}

// toldError is a failure that the command has already told in its own shape: only the exit code is left.
type toldError struct{ exit int }

func (*toldError) Error() string { return "the command failed and said why" }

// wrongUsage is a command line that cannot be understood.
func wrongUsage(message, hint string) *domain.Error {
	return &domain.Error{Code: domain.CodeInvalidInput, Message: message, Hint: hint}
}
