package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"apollia.fr/connexions/backend/domain"
)

// FailureError is the body of every failed answer.
type FailureError struct {
	Status int           `json:"-"`
	Err    *domain.Error `json:"error"`
}

// Error is the sentence of the domain error.
func (p *FailureError) Error() string { return p.Err.Error() }

// GetStatus is the HTTP status of the answer.
func (p *FailureError) GetStatus() int { return p.Status }

func statusOf(code domain.Code) int {
	if code == domain.CodeUnauthorized {
		return http.StatusUnauthorized
	}
	switch code.Class() {
	case domain.Usage:
		return http.StatusUnprocessableEntity
	case domain.NotFound:
		return http.StatusNotFound
	case domain.Conflict:
		return http.StatusConflict
	case domain.SignIn:
		return http.StatusFailedDependency
	case domain.Refused:
		return http.StatusForbidden
	case domain.Unreachable:
		return http.StatusBadGateway
	default:
		return http.StatusInternalServerError
	}
}

// problem turns any error into an answer. Errors that are not ours become CodeInternal.
func problem(err error) *FailureError {
	if errors.Is(err, context.Canceled) && domain.CodeOf(err) == domain.CodeInternal {
		err = &domain.Error{Code: domain.CodeCanceled, Message: "the request was cancelled", Cause: err}
	}
	e := domain.AsError(err)
	return &FailureError{Status: statusOf(e.Code), Err: e}
}

// uniformErrors gives the errors that huma makes itself, such as a body that does not fit its schema, our shape.
func uniformErrors(_ huma.Context, _ string, v any) (any, error) {
	model, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	details := make([]string, 0, len(model.Errors)+1)
	details = append(details, model.Detail)
	args := map[string]string{}
	for _, d := range model.Errors {
		details = append(details, d.Message+" ("+d.Location+")")
		args["field"] = d.Location
	}
	code := domain.CodeInvalidInput
	if model.Status >= http.StatusInternalServerError {
		code = domain.CodeInternal
	}
	return &FailureError{Status: model.Status, Err: &domain.Error{
		Code: code, Message: strings.Join(details, ": "), Hint: "Correct the request and send it again.", Args: args,
	}}, nil
}
