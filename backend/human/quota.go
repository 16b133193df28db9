package human

import (
	"errors"
	"strconv"

	"apollia.fr/connexions/backend/domain"
)

// quota is how much of one thing a server may ask for in an hour.
type quota struct {
	// asked is what was asked for, told whether the person knows that it was too much.
	asked, told *hour
	most        func() int
	tooMany     func(server string, most int) *domain.Error
}

// within counts a request of a server, or refuses it where there were as many as it may. Of the first refusal in an hour the
// person is told: what is told stays, and a server that goes on asking would fill the inbox with it.
func (h *Human) within(q quota, r domain.Request) error {
	most := q.most()
	if q.asked.take(r.Server, most) {
		return nil
	}
	refusal := q.tooMany(r.Server, most)
	if !q.told.take(r.Server, 1) {
		return refusal
	}
	r.Status, r.Failure = domain.RequestLapsed, refusal
	_, err := h.options.Book.Keep(r)
	return errors.Join(refusal, err)
}

// Recall counts what servers asked for before this program began, oldest first: what waited or was answered in the last hour, so
// that a new start gives nobody more. A page that a person stays at is two requests, and counts for two here.
func (h *Human) Recall(requests []domain.Request) {
	for _, r := range requests {
		if counted := h.counts(r); counted != nil {
			counted.note(r.Server, r.CreatedAt)
		}
	}
}

// counts is where a request counts that was kept; nil for one that does nowhere.
func (h *Human) counts(r domain.Request) *hour {
	var q quota
	switch r.Kind {
	case domain.SamplingRequest:
		q = h.texts
	case domain.ElicitationFormRequest, domain.ElicitationURLRequest:
		q = h.questions
	default:
		return nil
	}
	unasked := r.Status == domain.RequestLapsed && r.Failure != nil
	switch {
	case r.TextFor != "": // what the model gave
		return nil
	case !unasked:
		return q.asked
	case r.Failure.Code == domain.CodeSamplingLimit, r.Failure.Code == domain.CodeElicitationLimit:
		return q.told
	}
	return h.unready
}

func tooManyTexts(server string, most int) *domain.Error {
	return tooMany(domain.CodeSamplingLimit, "sampling.per_hour", "texts", server, most)
}

func tooManyQuestions(server string, most int) *domain.Error {
	return tooMany(domain.CodeElicitationLimit, "elicitation.per_hour", "forms and pages", server, most)
}

func tooMany(code domain.Code, setting, what, server string, most int) *domain.Error {
	limit := strconv.Itoa(most)
	return &domain.Error{
		Code: code, Message: "this server asked for " + limit + " " + what + " in the last hour, which is all that it may",
		Hint: "Wait, or raise the limit: apollia settings set " + setting + " NUMBER",
		Args: map[string]string{"server": server, "limit": limit},
	}
}
