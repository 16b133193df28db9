package human

import (
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/session"
)

// Forms and pages count together. Over the limit a server hears why at once, and the person sees it once an hour.
func TestQuestionsOfAServerAreCountedByTheHour(t *testing.T) {
	o := newOffice(t, &domain.Answer{})
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	o.now = func() time.Time { return now }
	h := o.human(nil)
	limited := func(server, params string) bool {
		raw, failure := h.Answer(t.Context(), session.Question{Server: server, Method: session.MethodElicitation, Params: []byte(params)})
		if failure == nil {
			return string(raw) != `{"action":"decline"}`
		}
		return failure.Code == jsonrpc.CodeInternalError && strings.Contains(string(failure.Data), "elicitation_limit") && strings.Contains(failure.Message, "3 forms and pages")
	}
	for n, params := range []string{form, address, mailbox} {
		if limited("one", params) {
			t.Errorf("question %d is one too many", n+1)
		}
		now = now.Add(10 * time.Minute)
	}
	if !limited("one", address) || !limited("one", form) || limited("two", form) {
		t.Error("the limit of one server is not its own, or not of both kinds")
	}
	if len(o.parked) != 4 {
		t.Errorf("a person was asked %d times, want 4", len(o.parked))
	}
	kept, err := o.Answered(0)
	if err != nil {
		t.Fatal(err)
	}
	var told []domain.Request
	for _, r := range kept {
		if r.Failure != nil {
			told = append(told, r)
		}
	}
	if len(told) != 1 || told[0].Status != domain.RequestLapsed || told[0].Failure.Code != domain.CodeElicitationLimit || told[0].Server != "one" {
		t.Errorf("the person sees %+v, want one refusal", told)
	}
	if len(told) == 1 && (told[0].Params != nil || told[0].Address.URL != "" || told[0].Address.Host != "pay.example") {
		t.Errorf("the record of a page that nobody opens keeps its address: %s %+v", told[0].Params, told[0].Address)
	}
	now = now.Add(30 * time.Minute) // the first one is an hour old
	if limited("one", form) || !limited("one", form) {
		t.Error("the hour does not slide")
	}
}
