package servers

import (
	"context"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// TestDraft starts a live test of a draft. editing is the server that the draft is an edit of, from the one that it is a
// copy of; both may be empty. A draft sees the secrets of these two, and of no other.
func (s *Service) TestDraft(d domain.Definition, editing, from string) (domain.TestReport, error) {
	d, err := s.withSecrets(d, from)
	if err != nil {
		return domain.TestReport{}, err
	}
	check, err := s.checked(d, editing)
	if err != nil {
		return domain.TestReport{}, err
	}
	return s.try(check.ID, d, editing, from), nil
}

// checked is Check for a draft that is used at once: its first fault is an error, unless that shows by itself in what follows.
func (s *Service) checked(d domain.Definition, editing string) (Check, error) {
	check, err := s.Check(d, editing)
	if err != nil {
		return check, err
	}
	for _, fault := range check.Errors {
		if fault.Error.Code != domain.CodeVariableUnset && fault.Error.Code != domain.CodeProgramNotFound {
			return check, fault.Error.With("field", fault.Field)
		}
	}
	return check, nil
}

// TestServer starts a live test of a saved server, beside its session.
func (s *Service) TestServer(idOrName string) (domain.TestReport, error) {
	server, err := s.find(idOrName)
	if err == nil && server.Unconfirmed {
		err = s.notConfirmed(server)
	}
	if err != nil {
		return domain.TestReport{}, err
	}
	return s.try(server.ID, server.Definition, server.ID), nil
}

// try starts the test. A variable that is not set fails its first step: nothing is sent.
func (s *Service) try(id string, d domain.Definition, owners ...string) domain.TestReport {
	expanded, err := s.Expand(d, owners...)
	if err != nil {
		return s.tests.fail(id, d, err)
	}
	return s.tests.start(id, d, expanded)
}

// Test shows a test, waiting up to the given time for its end.
func (s *Service) Test(ctx context.Context, id string, wait time.Duration) (domain.TestReport, error) {
	return s.tests.await(ctx, id, wait)
}

// CancelTest ends a running test and everything it started.
func (s *Service) CancelTest(id string) error { return s.tests.cancelTest(id) }
