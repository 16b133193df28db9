package human

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/inbox"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/store"
)

// office is a desk with a real inbox, at which a person answers each request with what answer says; nil leaves it.
type office struct {
	*inbox.Inbox
	t      *testing.T
	answer func(domain.Request) *domain.Answer
	parked []domain.Request
	fail   error

	// For texts: a standing approval, whether all calls are stopped, and the clock.
	grant   *domain.Approval
	stopped atomic.Bool
	now     func() time.Time
}

func (o *office) Granted(string, domain.Caller) (domain.Approval, bool, error) {
	if o.grant == nil {
		return domain.Approval{}, false, nil
	}
	return *o.grant, true, nil
}

func (o *office) Park(r domain.Request) (domain.Request, func(context.Context, time.Duration) (domain.Request, error), error) {
	if o.fail != nil {
		return r, nil, o.fail
	}
	seat, err := o.Inbox.Park(r)
	if err != nil {
		return r, nil, err
	}
	o.parked = append(o.parked, seat.Request)
	if a := o.answer(seat.Request); a != nil {
		if _, err := o.Answer(seat.Request.ID, *a); err != nil {
			o.t.Error(err)
		}
	}
	return seat.Request, seat.Wait, nil
}

// human sits at the desk, with a model where one is needed.
func (o *office) human(m Model) *Human {
	o.t.Helper()
	return New(o, Options{
		Site: func(server string) string { return "https://mcp." + server + ".example" },
		Book: o, Model: m, TextsPerHour: func() int { return 3 }, QuestionsPerHour: func() int { return 3 },
		Stopped: func() bool { return o.stopped.Load() }, Now: o.now,
	})
}

func newOffice(t *testing.T, answer *domain.Answer) *office {
	t.Helper()
	kept, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	return &office{
		Inbox: inbox.New(kept, func(domain.Event) {}, inbox.Options{}), t: t,
		answer: func(domain.Request) *domain.Answer { return answer }, now: time.Now,
	}
}

const (
	form    = `{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"}},"required":["name"]}}`
	mailbox = `{"message":"Where?","requestedSchema":{"type":"object","properties":{"to":{"type":"string","format":"email"}}}}`
	address = `{"mode":"url","message":"Pay here","url":"https://pay.example/1","elicitationId":"e1"}`
)

func yes(data string) *domain.Answer {
	a := &domain.Answer{Approve: true}
	if data != "" {
		a.Data = json.RawMessage(data)
	}
	return a
}

func TestWhatAServerHears(t *testing.T) {
	tests := []struct {
		name   string
		answer *domain.Answer
		method string
		params string
		want   string
	}{
		{"defaults", yes(""), session.MethodElicitation, form, `{"action":"accept","content":{"name":"Ada"}}`},
		{"content", yes(`{"name":"Bea"}`), session.MethodElicitation, form, `{"action":"accept","content":{"name":"Bea"}}`},
		{"declined with content", &domain.Answer{Data: []byte(`{"name":"x"}`)}, session.MethodElicitation, form, `{"action":"decline"}`},
		{"closed", &domain.Answer{Cancel: true}, session.MethodElicitation, form, `{"action":"cancel"}`},
		{"a page", yes(`{"name":"x"}`), session.MethodElicitation, address, `{"action":"accept"}`},
		{"a page that is declined", &domain.Answer{}, session.MethodElicitation, address, `{"action":"decline"}`},
		{"a page that is closed", &domain.Answer{Cancel: true}, session.MethodElicitation, address, `{"action":"cancel"}`},
		{"a page of a file", yes(""), session.MethodElicitation, `{"mode":"url","url":"file:///etc/passwd"}`, "none of a web page"},
		{"a form that says so", yes(""), session.MethodElicitation, `{"mode":"form",` + form[1:], `{"action":"accept","content":{"name":"Ada"}}`},
		{"does not fit", yes(`{"name":7}`), session.MethodElicitation, form, "the answer does not fit"},
		{"does not have the format", yes(`{"to":"nowhere"}`), session.MethodElicitation, mailbox, "the answer does not fit"},
		{"unreadable", yes(""), session.MethodElicitation, `[]`, "cannot be read"},
		{"as long as a book", yes(""), session.MethodElicitation, `{"message":"` + strings.Repeat("x", maxElicitation) + `"}`, "more than 262144 bytes"},
		{"another mode", yes(""), session.MethodElicitation, `{"mode":"dance"}`, "not offered here: dance"},
		{"unknown", yes(""), "vendor/odd", `{}`, "method not found"},
	}
	for _, test := range tests {
		o := newOffice(t, test.answer)
		raw, failure := o.human(nil).Answer(t.Context(), session.Question{Server: "one", Method: test.method, Params: []byte(test.params)})
		if got := string(raw); failure == nil && got != test.want || failure != nil && !strings.Contains(failure.Message, test.want) {
			t.Errorf("%s: %s, %v; want %s", test.name, raw, failure, test.want)
		}
	}
}

func TestWhatNobodyAnswersIsClosed(t *testing.T) {
	for name, test := range map[string]struct {
		wait  time.Duration
		ended bool
	}{
		"who called does not wait": {0, false}, "the server takes it back": {-1, true}, "and within a minute": {time.Minute, true},
	} {
		o := newOffice(t, nil)
		call := domain.Call{ID: "c1", Kind: domain.ToolCall, Name: "book", Wait: test.wait}
		ctx, end := context.WithCancel(t.Context())
		if test.ended {
			end()
		}
		raw, failure := o.human(nil).Answer(ctx, session.Question{Server: "one", Method: session.MethodElicitation, Params: []byte(form), Call: &call})
		if failure != nil || string(raw) != `{"action":"cancel"}` {
			t.Errorf("%s: %s %v", name, raw, failure)
		}
		if test.wait == 0 {
			if len(o.parked) != 0 {
				t.Errorf("%s: somebody is asked, of whom nobody hears", name)
			}
		} else if r, err := o.Get(o.parked[0].ID); err != nil || r.Status != domain.RequestLapsed {
			t.Errorf("%s: the request is %s, %v", name, r.Status, err)
		}
		end()
	}
}

func TestADeskThatFailsIsNoAnswer(t *testing.T) {
	o := newOffice(t, nil)
	o.fail = errors.New("the disk is full")
	_, failure := o.human(nil).Answer(t.Context(), session.Question{Method: session.MethodElicitation, Params: []byte(form)})
	if failure == nil || failure.Code != jsonrpc.CodeInternalError || !strings.Contains(failure.Message, "disk is full") {
		t.Errorf("%v", failure)
	}
}

// double is a client that answers questions of its own calls.
type double struct {
	can  bool
	err  error
	seen []string
}

func (d *double) Responds(method string, _ json.RawMessage) bool {
	return d.can && method == session.MethodElicitation
}

func (d *double) Respond(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	d.seen = append(d.seen, method+" "+string(params))
	return json.RawMessage(`{"action":"accept","content":{"name":"of the client"}}`), d.err
}

// A question goes to the client whose call caused it, where that can answer; else to the inbox, which says whose it is.
func TestAQuestionGoesToWhoeverCausedIt(t *testing.T) {
	who := domain.Caller{Kind: domain.CallerClient, Name: "Cursor", User: domain.LocalUser}
	ask := func(client domain.Responder) (*office, string, *jsonrpc.Error, []domain.Notice) {
		o := newOffice(t, yes(""))
		var heard []domain.Notice
		call := domain.Call{
			ID: "c7", Kind: domain.ToolCall, Name: "book", Caller: who, Wait: -1, Client: client, Sink: func(n domain.Notice) { heard = append(heard, n) },
		}
		raw, failure := o.human(nil).Answer(t.Context(), session.Question{Server: "one", Method: session.MethodElicitation, Params: []byte(form), Call: &call})
		return o, string(raw), failure, heard
	}
	able := &double{can: true}
	if o, raw, failure, _ := ask(able); failure != nil || !strings.Contains(raw, "of the client") || len(o.parked) != 0 || len(able.seen) != 1 {
		t.Errorf("a client that can: %s, %v, in the inbox %d", raw, failure, len(o.parked))
	}
	refuses := &double{can: true, err: &jsonrpc.Error{Code: -1, Message: "no"}}
	if _, _, failure, _ := ask(refuses); failure == nil || failure.Code != -1 || failure.Message != "no" {
		t.Errorf("a client that refuses: %v", failure)
	}
	for name, client := range map[string]domain.Responder{"a client that cannot": &double{}, "none": nil} {
		o, raw, failure, heard := ask(client)
		if failure != nil || !strings.Contains(raw, "Ada") || len(o.parked) != 1 {
			t.Fatalf("%s: %s, %v, in the inbox %d", name, raw, failure, len(o.parked))
		}
		if r := o.parked[0]; r.Caller != who || r.CallID != "c7" || r.Tool != "book" || r.Server != "one" || r.Kind != domain.ElicitationFormRequest {
			t.Errorf("%s: it is labelled %+v", name, r)
		}
		if len(heard) != 1 || heard[0].Kind != domain.NoticeQuestion || heard[0].RequestID != o.parked[0].ID {
			t.Errorf("%s: the caller heard %+v", name, heard)
		}
	}
}

// What belongs to no certain call goes to the inbox, never to some client.
func TestAQuestionOfNoCallIsAskedWithoutACaller(t *testing.T) {
	o := newOffice(t, yes(""))
	if _, failure := o.human(nil).Answer(t.Context(), session.Question{Server: "one", Method: session.MethodElicitation, Params: []byte(form)}); failure != nil {
		t.Fatal(failure)
	}
	if r := o.parked[0]; r.Caller != (domain.Caller{Kind: domain.CallerServer, Name: "one", User: domain.LocalUser}) || r.CallID != "" || r.Tool != "" {
		t.Errorf("it is labelled %+v", r)
	}
}

func TestAnUnknownMethodIsSaidAsJSONRPCSaysIt(t *testing.T) {
	_, failure := newOffice(t, nil).human(nil).Answer(t.Context(), session.Question{Method: "vendor/odd"})
	if failure == nil || failure.Code != jsonrpc.CodeMethodNotFound {
		t.Errorf("got %v", failure)
	}
}

func TestContentOfAForm(t *testing.T) {
	schema := func(property string) string {
		return `{"requestedSchema":{"type":"object","properties":{"f":` + property + `},"required":["f"]}}`
	}
	tests := []struct{ name, property, data, want, path string }{
		{"a default", `{"type":"integer","default":3}`, ``, `{"f":3}`, ""},
		{"a choice with titles", `{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`, `{"f":"b"}`, `{"f":"b"}`, ""},
		{"no such choice", `{"type":"string","enum":["a","b"]}`, `{"f":"c"}`, "", "/f"},
		{"several choices", `{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":2}`, `{"f":["a","b"]}`, `{"f":["a","b"]}`, ""},
		{"too many of them", `{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":1}`, `{"f":["a","b"]}`, "", "/f"},
		{"left out", `{"type":"string"}`, `{}`, "", ""},
		{"too short", `{"type":"string","minLength":3}`, `{"f":"ab"}`, "", "/f"},
		{"a mail address", `{"type":"string","format":"email"}`, `{"f":"ada@example.org"}`, `{"f":"ada@example.org"}`, ""},
		{"a name with it", `{"type":"string","format":"email"}`, `{"f":"Ada <ada@example.org>"}`, "", "/f"},
		{"an address", `{"type":"string","format":"uri"}`, `{"f":"https://example.org/a"}`, `{"f":"https://example.org/a"}`, ""},
		{"no address", `{"type":"string","format":"uri"}`, `{"f":"example"}`, "", "/f"},
		{"a day", `{"type":"string","format":"date"}`, `{"f":"2026-02-28"}`, `{"f":"2026-02-28"}`, ""},
		{"no day", `{"type":"string","format":"date"}`, `{"f":"2026-02-30"}`, "", "/f"},
		{"a time", `{"type":"string","format":"date-time"}`, `{"f":"2026-02-28T10:00:00+01:00"}`, `{"f":"2026-02-28T10:00:00+01:00"}`, ""},
		{"no time", `{"type":"string","format":"date-time"}`, `{"f":"10:00"}`, "", "/f"},
		{"another format", `{"type":"string","format":"colour"}`, `{"f":"x"}`, `{"f":"x"}`, ""},
	}
	for _, test := range tests {
		got, err := Content(json.RawMessage(schema(test.property)), json.RawMessage(test.data))
		if test.want != "" {
			if err != nil || string(got) != test.want {
				t.Errorf("%s: %s, %v; want %s", test.name, got, err, test.want)
			}
			continue
		}
		if domain.CodeOf(err) != domain.CodeInvalidArguments || domain.AsError(err).Args["path"] != test.path {
			t.Errorf("%s: %s, %v", test.name, got, err)
		}
	}
}
