package human

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/model"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/session"
)

const (
	prompt  = `{"messages":[{"role":"user","content":{"type":"text","text":"Say hi"}}],"systemPrompt":"Be brief","maxTokens":9}`
	written = `{"role":"assistant","model":"m","content":{"type":"text","text":"Hi"}}`
)

// writer is a model that says what it is told to.
type writer struct {
	ready, fail error
	asked       []string
	meanwhile   func(context.Context) error
}

func (w *writer) Ready(json.RawMessage) error { return w.ready }

func (w *writer) CreateMessage(ctx context.Context, params json.RawMessage) (json.RawMessage, model.Used, error) {
	w.asked = append(w.asked, string(params))
	if w.meanwhile != nil {
		if err := w.meanwhile(ctx); err != nil {
			return nil, model.Used{}, err
		}
	}
	return json.RawMessage(written), model.Used{}, w.fail
}

func sampleOf(call *domain.Call) session.Question {
	return session.Question{Server: "one", Method: session.MethodSampling, Params: []byte(prompt), Call: call}
}

// both answers the request for a text with the first, and the text itself with the second.
func both(first, second *domain.Answer) func(domain.Request) *domain.Answer {
	return func(r domain.Request) *domain.Answer {
		if r.TextFor == "" {
			return first
		}
		return second
	}
}

func TestATextIsSentAndShownAsThePersonWants(t *testing.T) {
	say := func(text string) string { return strings.Replace(written, "Hi", text, 1) }
	shorter := strings.Replace(prompt, "Say hi", "Say it", 1)
	for name, test := range map[string]struct {
		first, second *domain.Answer
		sent, want    string
		parked        int
	}{
		"as it is":          {yes(""), nil, prompt, written, 1},
		"edited":            {&domain.Answer{Approve: true, Params: []byte(shorter)}, nil, shorter, written, 1},
		"refused":           {&domain.Answer{}, nil, "", "User rejected", 1},
		"closed":            {&domain.Answer{Cancel: true}, nil, "", "User rejected", 1},
		"shown":             {&domain.Answer{Approve: true, Review: true}, yes(""), prompt, written, 2},
		"shown and edited":  {&domain.Answer{Approve: true, Review: true}, &domain.Answer{Approve: true, Params: []byte(say("Ho"))}, prompt, say("Ho"), 2},
		"shown and refused": {&domain.Answer{Approve: true, Review: true}, &domain.Answer{}, prompt, "User rejected", 2},
	} {
		o, w := newOffice(t, nil), &writer{}
		o.answer = both(test.first, test.second)
		raw, failure := o.human(w).Answer(t.Context(), sampleOf(nil))
		if failure == nil && string(raw) != test.want || failure != nil && (failure.Code != codeRejected || !strings.Contains(failure.Message, test.want)) {
			t.Errorf("%s: %s, %v; want %s", name, raw, failure, test.want)
		}
		if got := strings.Join(w.asked, ""); got != test.sent {
			t.Errorf("%s: the model was asked %s, want %s", name, got, test.sent)
		}
		if len(o.parked) != test.parked {
			t.Errorf("%s: asked %d times, want %d", name, len(o.parked), test.parked)
		}
		if r := o.parked[0]; r.Kind != domain.SamplingRequest || string(r.Params) != prompt {
			t.Errorf("%s: the person sees %s", name, r.Params)
		}
		if test.parked == 2 && (o.parked[1].TextFor != o.parked[0].ID || string(o.parked[1].Params) != written) {
			t.Errorf("%s: of the answer the person sees %+v", name, o.parked[1])
		}
	}
}

func TestNobodyIsAskedForATextThatCannotBeHad(t *testing.T) {
	notSet := &domain.Error{Code: domain.CodeModelNotSet, Message: "none is set at http://secret.host"}
	unfit := &domain.Error{Code: domain.CodeSamplingUnfit, Message: "no messages"}
	for name, test := range map[string]struct {
		ready   error
		stopped bool
		code    int
		data    domain.Code
		kept    int
	}{
		"no model": {notSet, false, jsonrpc.CodeInternalError, domain.CodeModelNotSet, 1},
		"unfit":    {unfit, false, jsonrpc.CodeInvalidParams, domain.CodeSamplingUnfit, 0},
		"stopped":  {nil, true, jsonrpc.CodeInternalError, domain.CodeCallsStopped, 0},
	} {
		o, w := newOffice(t, yes("")), &writer{ready: test.ready}
		o.stopped.Store(test.stopped)
		_, failure := o.human(w).Answer(t.Context(), sampleOf(nil))
		if failure == nil || failure.Code != test.code || !strings.Contains(string(failure.Data), string(test.data)) || strings.Contains(failure.Message, "secret") {
			t.Errorf("%s: the server hears %v %s", name, failure, failure.Data)
		}
		kept, err := o.Answered(0)
		if err != nil || len(kept) != test.kept || len(o.parked) != 0 || len(w.asked) != 0 {
			t.Errorf("%s: kept %d (%v), asked %d, sent %d", name, len(kept), err, len(o.parked), len(w.asked))
		}
		if len(kept) == 1 && (kept[0].Status != domain.RequestLapsed || kept[0].Failure == nil || kept[0].Failure.Code != test.data) {
			t.Errorf("%s: kept %+v", name, kept[0])
		}
	}
}

func TestAFailureOfTheModelIsToldToBoth(t *testing.T) {
	o, w := newOffice(t, yes("")), &writer{fail: &domain.Error{Code: domain.CodeModelUnreachable, Message: "http://10.0.0.1 does not run"}}
	_, failure := o.human(w).Answer(t.Context(), sampleOf(nil))
	if failure == nil || !strings.Contains(string(failure.Data), "model_unreachable") || strings.Contains(failure.Message, "10.0.0.1") {
		t.Errorf("the server hears %v", failure)
	}
	if r, err := o.Get(o.parked[0].ID); err != nil || r.Failure == nil || r.Failure.Code != domain.CodeModelUnreachable || r.Status != domain.RequestApproved {
		t.Errorf("the person sees %+v, %v", r, err)
	}
}

func TestTextsOfAServerAreCountedByTheHour(t *testing.T) {
	o, w := newOffice(t, &domain.Answer{}), &writer{}
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	o.now = func() time.Time { return now }
	h := o.human(w)
	limited := func(server string) bool {
		q := sampleOf(nil)
		q.Server = server
		_, failure := h.Answer(t.Context(), q)
		return strings.Contains(string(failure.Data), "sampling_limit")
	}
	for n := range 3 {
		if limited("one") {
			t.Errorf("text %d is one too many", n+1)
		}
		now = now.Add(10 * time.Minute)
	}
	if !limited("one") || limited("two") {
		t.Error("the limit of one server is not its own")
	}
	if asked, most := h.Texts("one"); asked != 3 || most != 3 {
		t.Errorf("the meter says %d of %d", asked, most)
	}
	now = now.Add(30 * time.Minute) // the first one is an hour old
	if limited("one") || !limited("one") {
		t.Error("the hour does not slide")
	}
}

func TestASessionLetsFurtherTextsThrough(t *testing.T) {
	o, w := newOffice(t, nil), &writer{}
	o.grant = &domain.Approval{Scope: domain.ScopeSession}
	h := o.human(w)
	for range 3 {
		if raw, failure := h.Answer(t.Context(), sampleOf(&domain.Call{Wait: 0})); failure != nil || string(raw) != written {
			t.Errorf("%s, %v", raw, failure)
		}
	}
	if _, failure := h.Answer(t.Context(), sampleOf(nil)); failure == nil {
		t.Error("the session has no limit")
	}
	kept, err := o.Answered(0)
	if err != nil || len(kept) != 4 || len(o.parked) != 0 || kept[1].Decision.Because != policy.StandingApproval || kept[1].Open() {
		t.Fatalf("kept %+v, %v; asked %d", kept, err, len(o.parked))
	}
	if over := kept[0]; over.Status != domain.RequestLapsed || over.Failure == nil || over.Failure.Code != domain.CodeSamplingLimit {
		t.Errorf("of the one too many the person sees %+v", over)
	}
}

func TestATextLapsesWithItsSession(t *testing.T) {
	for name, call := range map[string]*domain.Call{"who called does not wait": {Wait: 0}, "the server takes it back": nil} {
		o, w := newOffice(t, nil), &writer{}
		ctx, end := context.WithCancel(t.Context())
		if call == nil {
			end()
		}
		_, failure := o.human(w).Answer(ctx, sampleOf(call))
		if failure == nil || len(w.asked) != 0 {
			t.Errorf("%s: %v", name, failure)
		}
		for _, r := range o.parked {
			if got, err := o.Get(r.ID); err != nil || got.Status != domain.RequestLapsed {
				t.Errorf("%s: the request is %s, %v", name, got.Status, err)
			}
		}
		end()
	}
}

// The emergency stop ends a text in which nobody's call waits, whether it waits for a person or for the model.
func TestTheEmergencyStopEndsTexts(t *testing.T) {
	for name, w := range map[string]*writer{"at the desk": {}, "at the model": {}} {
		o := newOffice(t, nil)
		var h *Human
		stop := func() {
			o.stopped.Store(true)
			h.Stop()
		}
		o.answer = func(domain.Request) *domain.Answer {
			if name == "at the model" {
				return yes("")
			}
			stop()
			return nil
		}
		w.meanwhile = func(ctx context.Context) error {
			stop()
			<-ctx.Done()
			return ctx.Err()
		}
		h = o.human(w)
		_, failure := h.Answer(t.Context(), sampleOf(nil))
		if failure == nil || !strings.Contains(string(failure.Data), "calls_stopped") {
			t.Errorf("%s: %v", name, failure)
		}
		r, err := o.Get(o.parked[0].ID)
		if err != nil || name == "at the model" && (r.Failure == nil || r.Failure.Code != domain.CodeCallsStopped) || name == "at the desk" && r.Status != domain.RequestLapsed {
			t.Errorf("%s: the person sees %s, %v, %v", name, r.Status, r.Failure, err)
		}
	}
}

func TestOnlyWordsAreEdited(t *testing.T) {
	tools := `{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}]}],"maxTokens":9,"temperature":0.10}`
	for name, test := range map[string]struct {
		of, before, after string
		ok                bool
	}{
		"nothing":             {"", prompt, prompt, true},
		"words":               {"", tools, strings.Replace(tools, `"a"`, `"b"`, 1), true},
		"length and system":   {"", tools, strings.Replace(tools, `"maxTokens":9`, `"maxTokens":3,"systemPrompt":"x"`, 1), true},
		"no system":           {"", prompt, strings.Replace(prompt, `"systemPrompt":"Be brief",`, ``, 1), true},
		"an image":            {"", tools, strings.Replace(tools, `AA==`, `BB==`, 1), false},
		"a role":              {"", prompt, strings.Replace(prompt, `"user"`, `"assistant"`, 1), false},
		"a temperature":       {"", tools, strings.Replace(tools, `0.10`, `0.9`, 1), false},
		"a member more":       {"", prompt, strings.Replace(prompt, `{"messages"`, `{"tools":[],"messages"`, 1), false},
		"a message less":      {"", prompt, `{"messages":[],"maxTokens":9}`, false},
		"text that is none":   {"", prompt, strings.Replace(prompt, `"Say hi"`, `7`, 1), false},
		"no object":           {"", prompt, `[]`, false},
		"no JSON":             {"", prompt, `{`, false},
		"words of the answer": {"1", written, strings.Replace(written, "Hi", "Ho", 1), true},
		"its model":           {"1", written, strings.Replace(written, `"m"`, `"n"`, 1), false},
		"its length":          {"1", written, strings.Replace(written, `{"role"`, `{"maxTokens":1,"role"`, 1), false},
	} {
		err := CheckEdit(domain.Request{Params: []byte(test.before), TextFor: test.of}, []byte(test.after))
		if (err == nil) != test.ok || err != nil && domain.CodeOf(err) != domain.CodeInvalidArguments {
			t.Errorf("%s: %v", name, err)
		}
	}
}
