package human

import (
	"slices"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
)

// A new start gives no server more: what it asked for in the hour before is in the inbox.
func TestTheHourGoesOnOverANewStart(t *testing.T) {
	for name, test := range map[string]struct {
		method, params, code string
	}{
		"texts": {session.MethodSampling, prompt, "sampling_limit"},
		"forms": {session.MethodElicitation, form, "elicitation_limit"},
		"pages": {session.MethodElicitation, address, "elicitation_limit"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t, nil)
			o.answer = both(&domain.Answer{Approve: true, Review: true}, &domain.Answer{Approve: true})
			limited := func(h *Human) bool {
				_, failure := h.Answer(t.Context(), session.Question{Server: "one", Method: test.method, Params: []byte(test.params)})
				return failure != nil && strings.Contains(string(failure.Data), test.code)
			}
			first := o.human(&writer{})
			for range 3 {
				if limited(first) {
					t.Fatal("the limit comes too early")
				}
			}
			if !limited(first) {
				t.Fatal("there is no limit")
			}
			again := o.human(&writer{})
			lately, err := o.List(domain.RequestFilter{Since: time.Now().Add(-time.Hour)})
			if err != nil {
				t.Fatal(err)
			}
			slices.Reverse(lately)
			again.Recall(lately)
			if !limited(again) {
				t.Error("a new start gives a new hour")
			}
			if after, err := o.List(domain.RequestFilter{}); err != nil || len(after) != len(lately) {
				t.Errorf("the person is told once more: %d requests instead of %d, %v", len(after), len(lately), err)
			}
			if asked, _ := again.Texts("one"); name == "texts" && asked != 3 {
				t.Errorf("the meter says %d, want 3", asked)
			}
		})
	}
}
