package core_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
)

// author is a chat endpoint that says "Hi Ada", unless it is made to do something else.
type author struct {
	asked atomic.Int32
	last  atomic.Value
	does  func(http.ResponseWriter, *http.Request)
}

func (a *author) serve(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a.last.Store(string(body))
		a.asked.Add(1)
		if a.does != nil {
			a.does(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"model":"small","choices":[{"message":{"role":"assistant","content":"Hi Ada"},"finish_reason":"stop"}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// sampling opens a core with a server that asks for texts, and a model that is the author.
func sampling(t *testing.T, revision string, a *author) *core.Core {
	t.Helper()
	c := open(t, options(t, core.Serve))
	d := mcptest.Command(mcptest.Options{Name: "fake", Revision: revision})
	d.DefaultVerdict = domain.Allow
	ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
	ask(t, window(c), http.MethodPatch, "/api/settings", set("model.base_url", a.serve(t)))
	ask(t, window(c), http.MethodPatch, "/api/settings", set("model.name", "small"))
	becomes(t, window(c), "fake", domain.StateReady)
	return c
}

// next is the request that waits, once there is one.
func next(t *testing.T, c *core.Core) domain.Request {
	t.Helper()
	var list api.RequestList
	mcptest.Eventually(t, "something waits", func() bool {
		list = decode[api.RequestList](t, ask(t, window(c), http.MethodGet, "/api/inbox?status=waiting", nil))
		return len(list.Requests) == 1
	})
	return list.Requests[0]
}

func answerTo(t *testing.T, c *core.Core, r domain.Request, given api.AnswerRequest) answer {
	t.Helper()
	return ask(t, window(c), http.MethodPost, "/api/inbox/"+r.ID+"/answer", given)
}

// A text goes to the model as the person edited it, and back as they edited that, whether the server asks by a request or
// by its result.
func TestATextGoesThroughThePerson(t *testing.T) {
	for _, revision := range []string{"2025-11-25", session.Stateless} {
		a := &author{}
		c := sampling(t, revision, a)
		call := begin(t, window(c), "sample", `{}`, -1)
		request := next(t, c)
		if request.Kind != domain.SamplingRequest || request.CallID != call.ID || !strings.Contains(string(request.Params), "Say hi to Ada.") || a.asked.Load() != 0 {
			t.Fatalf("%s: %+v, asked %d", revision, request, a.asked.Load())
		}
		outlook := decode[api.TextOutlook](t, ask(t, window(c), http.MethodGet, "/api/inbox/"+request.ID+"/text", nil))
		if outlook.Model != "small" || outlook.Asked != 1 || outlook.Most != 100 || outlook.Failure != nil {
			t.Errorf("%s: %+v", revision, outlook)
		}
		edited := func(from, to string) json.RawMessage {
			return json.RawMessage(strings.Replace(string(request.Params), from, to, 1))
		}
		for what, given := range map[string]api.AnswerRequest{
			"another role":   {Approve: true, Params: edited(`"user"`, `"assistant"`)},
			"no length":      {Approve: true, Params: edited(`5`, `0`)},
			"for always":     {Approve: true, Scope: domain.ScopeAlways},
			"what is no one": {Approve: true, Params: json.RawMessage(`7`)},
		} {
			if got := answerTo(t, c, request, given); got.status < http.StatusBadRequest {
				t.Errorf("%s: %s is taken: %s", revision, what, got.body)
			}
		}
		answerTo(t, c, request, api.AnswerRequest{Approve: true, Review: true, Params: edited("Say hi", "Say bye")})
		mcptest.Eventually(t, "the text is shown", func() bool { return next(t, c).TextFor == request.ID })
		text := next(t, c)
		if sent := a.last.Load().(string); !strings.Contains(sent, "Say bye to Ada.") || !strings.Contains(string(text.Params), "Hi Ada") {
			t.Errorf("%s: sent %s, shown %s", revision, sent, text.Params)
		}
		answerTo(t, c, text, api.AnswerRequest{Approve: true, Params: json.RawMessage(strings.Replace(string(text.Params), "Ada", "Bea", 1))})
		if done := end(t, c, call); done.Error != nil || !strings.Contains(string(done.Result.Raw), "Hi Bea") {
			t.Errorf("%s: %+v", revision, done)
		}
	}
}

// "For this session" asks no more, until a person stops all calls.
func TestTextsForASessionEndWithTheEmergencyStop(t *testing.T) {
	a := &author{}
	c := sampling(t, "2025-11-25", a)
	call := begin(t, window(c), "sample", `{}`, -1)
	answerTo(t, c, next(t, c), api.AnswerRequest{Approve: true, Scope: domain.ScopeSession})
	if done := end(t, c, call); done.Error != nil {
		t.Fatalf("%+v", done.Error)
	}
	mcptest.Eventually(t, "the approval is kept", func() bool {
		list := decode[api.ApprovalList](t, ask(t, window(c), http.MethodGet, "/api/approvals", nil))
		return len(list.Approvals) == 1 && list.Approvals[0].Kind == domain.SamplingAsk
	})
	if done := end(t, c, begin(t, window(c), "sample", `{}`, 0)); done.Error != nil || !strings.Contains(string(done.Result.Raw), "Hi Ada") || a.asked.Load() != 2 {
		t.Errorf("the second one: %+v, asked %d", done, a.asked.Load())
	}
	answered := decode[api.RequestList](t, ask(t, window(c), http.MethodGet, "/api/inbox?status=answered", nil))
	if len(answered.Requests) != 2 {
		t.Errorf("%d are kept, want both", len(answered.Requests))
	}
	ask(t, window(c), http.MethodPost, "/api/stop-calls", nil)
	ask(t, window(c), http.MethodPost, "/api/resume-calls", nil)
	if list := decode[api.ApprovalList](t, ask(t, window(c), http.MethodGet, "/api/approvals", nil)); len(list.Approvals) != 0 {
		t.Errorf("after the stop: %+v", list.Approvals)
	}
}

// What goes wrong at the model is told to the server without its address, and to the person with its code.
func TestAnEndpointThatMisbehaves(t *testing.T) {
	for name, does := range map[string]func(http.ResponseWriter, *http.Request){
		"fails": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusInternalServerError) },
		"is cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "999")
			_, _ = io.WriteString(w, `{"model":"sm`)
			panic(http.ErrAbortHandler)
		},
		"says something else": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"hello":1}`)
		},
	} {
		c := sampling(t, "2025-11-25", &author{does: does})
		call := begin(t, window(c), "sample", `{}`, -1)
		request := next(t, c)
		answerTo(t, c, request, api.AnswerRequest{Approve: true})
		if done := end(t, c, call); done.Error != nil || !strings.Contains(string(done.Result.Raw), `model_`) || strings.Contains(string(done.Result.Raw), "127.0.0.1") {
			t.Errorf("%s: the server heard %+v", name, done)
		}
		shown := decode[domain.Request](t, ask(t, window(c), http.MethodGet, "/api/inbox/"+request.ID, nil))
		if shown.Failure == nil || !strings.HasPrefix(string(shown.Failure.Code), "model_") {
			t.Errorf("%s: the person sees %+v", name, shown.Failure)
		}
	}
}
