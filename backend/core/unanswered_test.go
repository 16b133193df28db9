package core_test

import (
	"net/http"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
)

// What nobody answered has a line that says whose it was and why it ended, also where the program ended first.
func TestARequestThatNobodyAnswersHasItsLine(t *testing.T) {
	o := options(t, core.Serve)
	var gone, left api.CallView
	during(t, o, func(c *core.Core) {
		ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: free("fake", ""), SkipTest: true})
		gone = elicit(t, c)
		ask(t, window(c), http.MethodDelete, "/api/calls/"+gone.ID, nil)
		end(t, c, gone)
		left = elicit(t, c)
	})
	c := open(t, o)
	told := map[string]audit.Entry{}
	for _, e := range journalOf(t, c, 0) {
		if e.Kind != audit.KindRequest {
			continue
		}
		if _, twice := told[e.RequestID]; twice {
			t.Errorf("request %s has two lines", e.RequestID)
		}
		told[e.RequestID] = e
	}
	for _, call := range []api.CallView{gone, left} {
		e := told[call.RequestID]
		if e.Outcome != string(domain.RequestLapsed) || e.Detail != audit.WhyWaitOver || e.RequestKind != domain.ElicitationFormRequest ||
			e.Server != "fake" || e.Name != "elicit" || e.CallID != call.ID || e.Caller.Kind != domain.CallerWindow {
			t.Errorf("request %s has the line %+v", call.RequestID, e)
		}
	}
	if len(told) != 2 {
		t.Errorf("%d requests have a line, want 2", len(told))
	}
}
