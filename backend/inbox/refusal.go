package inbox

import (
	"errors"
	"fmt"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// refusal says why a request that ended does not let its call through; nil when it does.
func refusal(r domain.Request) error {
	switch r.Status {
	case domain.RequestApproved:
		return nil
	case domain.RequestDenied:
		return about(r, &domain.Error{
			Code: domain.CodeApprovalDenied, Message: fmt.Sprintf("a person refused %s on %s", r.Tool, r.Server),
			Hint: "Do not try again without asking the person.",
		})
	default:
		return expiredError(r)
	}
}

func needed(r domain.Request) *domain.Error {
	return about(r, &domain.Error{
		Code: domain.CodeApprovalNeeded, Message: fmt.Sprintf("%s on %s waits for a person in the inbox", r.Tool, r.Server),
		Hint: "Answer request " + r.ID + " in the inbox, then make the same call again within 10 minutes.",
	})
}

func canceled(r domain.Request, cause error) *domain.Error {
	e := &domain.Error{
		Code: domain.CodeCanceled, Message: "the caller left before a person answered", Cause: cause,
		Hint: "The request stays in the inbox; once it is approved, the same call goes through.",
	}
	if errors.Is(cause, domain.ErrEnding) {
		e.Message, e.Args = "Apollia ended before a person answered", map[string]string{"reason": "ending"}
	}
	return about(r, e)
}

func expiredError(r domain.Request) error {
	if r.Kind == domain.DefinitionRequest {
		return about(r, &domain.Error{
			Code: domain.CodeApprovalExpired, Message: fmt.Sprintf("what request %s asked about has changed since, or is gone", r.ID),
			Hint: "See what waits now with: apollia inbox list",
		})
	}
	return about(r, &domain.Error{
		Code: domain.CodeApprovalExpired, Message: fmt.Sprintf("nobody answered in time for %s on %s", r.Tool, r.Server),
		Hint: "Make the call again to ask again.",
	})
}

// answered says who was faster.
func answered(r domain.Request) error {
	if r.Answer == nil {
		return expiredError(r)
	}
	by := r.Answer.By.Name
	if by == "" {
		by = string(r.Answer.By.Kind)
	}
	e := about(r, &domain.Error{
		Code: domain.CodeAlreadyAnswered, Message: fmt.Sprintf("request %s was answered already, by %s", r.ID, by),
		Hint: "Look at the request to see the answer.",
	})
	answer := domain.RequestDenied
	if r.Answer.Approve {
		answer = domain.RequestApproved
	}
	return e.With("by", by).With("answer", string(answer)).With("at", r.Answer.At.UTC().Format(time.RFC3339))
}

func about(r domain.Request, e *domain.Error) *domain.Error {
	return e.With("request_id", r.ID).With("server", r.Server).With("tool", r.Tool)
}
