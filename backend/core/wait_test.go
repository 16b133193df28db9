package core_test

import (
	"net/http"
	"testing"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
)

// What nobody answers waits, unless a person has it refused after a while.
func TestRequestsWaitAsLongAsTheSettingSays(t *testing.T) {
	c := open(t, options(t, core.Serve))
	ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: free("fake", ""), SkipTest: true})
	waits := func() *domain.Request {
		call := elicit(t, c)
		r := decode[domain.Request](t, ask(t, window(c), http.MethodGet, "/api/inbox/"+call.RequestID, nil))
		ask(t, window(c), http.MethodPost, "/api/inbox/"+call.RequestID+"/answer", api.AnswerRequest{})
		end(t, c, call)
		return &r
	}
	if r := waits(); r.ExpiresAt != nil {
		t.Errorf("by default it ends at %v", r.ExpiresAt)
	}
	five := "5"
	ask(t, window(c), http.MethodPatch, "/api/settings", api.SettingChange{Key: "approvals.wait_minutes", Value: &five})
	if r := waits(); r.ExpiresAt == nil || r.ExpiresAt.Sub(r.CreatedAt) != 5*time.Minute {
		t.Errorf("after five minutes: made %v, ends %v", r.CreatedAt, r.ExpiresAt)
	}
}
