package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"apollia.fr/connexions/backend/domain"
)

// Problem is the body of every failed answer.
type Problem struct {
	Status int           `json:"-"`
	Err    *domain.Error `json:"error"`
}

// Error is the sentence of the domain error.
func (p *Problem) Error() string { return p.Err.Error() }

// GetStatus is the HTTP status of the answer.
func (p *Problem) GetStatus() int { return p.Status }

var statuses = map[domain.Class]int{
	domain.Usage:       http.StatusUnprocessableEntity,
	domain.NotFound:    http.StatusNotFound,
	domain.Conflict:    http.StatusConflict,
	domain.SignIn:      http.StatusFailedDependency,
	domain.Refused:     http.StatusForbidden,
	domain.Unreachable: http.StatusBadGateway,
	domain.Failed:      http.StatusInternalServerError,
}

// problem turns any error into an answer. Errors that are not ours become CodeInternal.
func problem(err error) *Problem {
	if errors.Is(err, context.Canceled) && domain.CodeOf(err) == domain.CodeInternal {
		err = &domain.Error{Code: domain.CodeCanceled, Message: "the request was cancelled", Cause: err}
	}
	e := domain.AsError(err)
	status := statuses[e.Code.Class()]
	if e.Code == domain.CodeUnauthorized {
		status = http.StatusUnauthorized
	}
	return &Problem{Status: status, Err: e}
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
	return &Problem{Status: model.Status, Err: &domain.Error{
		Code: code, Message: strings.Join(details, ": "), Hint: "Correct the request and send it again.", Args: args,
	}}, nil
}
