package human

import (
	"context"
	"errors"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/session"
)

type scripted struct {
	reply Reply
	err   error
	asked []Form
}

func (s *scripted) Fill(_ context.Context, f Form) (Reply, error) {
	s.asked = append(s.asked, f)
	return s.reply, s.err
}

const form = `{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"}},"required":["name"]}}`

func TestWhatAServerHears(t *testing.T) {
	tests := []struct {
		name   string
		person Person
		method string
		params string
		want   string
	}{
		{"nobody is there", nil, session.MethodElicitation, form, `{"action":"decline"}`},
		{"defaults", &scripted{reply: Reply{Action: Accept}}, session.MethodElicitation, form, `{"action":"accept","content":{"name":"Ada"}}`},
		{"content", &scripted{reply: Reply{Action: Accept, Content: []byte(`{"name":"Bea"}`)}}, session.MethodElicitation, form, `{"action":"accept","content":{"name":"Bea"}}`},
		{"declined with content", &scripted{reply: Reply{Action: Decline, Content: []byte(`{"name":"x"}`)}}, session.MethodElicitation, form, `{"action":"decline"}`},
		{"closed", &scripted{reply: Reply{Action: Cancel}}, session.MethodElicitation, form, `{"action":"cancel"}`},
		{"cannot be asked", &scripted{err: errors.New("gone")}, session.MethodElicitation, form, `{"action":"decline"}`},
		{"an address to open", &scripted{reply: Reply{Action: Accept}}, session.MethodElicitation, `{"mode":"url","message":"m","url":"https://x"}`, "not offered here: url"},
		{"an address, and nobody is there", nil, session.MethodElicitation, `{"mode":"url","message":"m","url":"https://x"}`, "not offered here: url"},
		{"a form that says so", &scripted{reply: Reply{Action: Accept}}, session.MethodElicitation, `{"mode":"form",` + form[1:], `{"action":"accept","content":{"name":"Ada"}}`},
		{"does not fit", &scripted{reply: Reply{Action: Accept, Content: []byte(`{"name":7}`)}}, session.MethodElicitation, form, "the answer does not fit"},
		{"unreadable", &scripted{}, session.MethodElicitation, `[]`, "cannot be read"},
		{"sampling", &scripted{}, session.MethodSampling, `{}`, "not offered"},
		{"unknown", &scripted{}, "vendor/odd", `{}`, "method not found"},
	}
	for _, test := range tests {
		raw, failure := New(test.person).Answer(t.Context(), session.Question{Server: "one", Method: test.method, Params: []byte(test.params)})
		if got := string(raw); failure == nil && got != test.want || failure != nil && !strings.Contains(failure.Message, test.want) {
			t.Errorf("%s: %s, %v; want %s", test.name, raw, failure, test.want)
		}
	}
}

func TestAnUnknownMethodIsSaidAsJSONRPCSaysIt(t *testing.T) {
	_, failure := New(nil).Answer(t.Context(), session.Question{Method: "vendor/odd"})
	if failure == nil || failure.Code != jsonrpc.CodeMethodNotFound {
		t.Errorf("got %v", failure)
	}
}

func TestAModeThatIsNotAnnouncedIsRefused(t *testing.T) {
	_, failure := New(&scripted{}).Answer(t.Context(), session.Question{Method: session.MethodElicitation, Params: []byte(`{"mode":"url"}`)})
	if failure == nil || failure.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("got %v", failure)
	}
}

func TestOnlyAPersonIsAnnounced(t *testing.T) {
	if can := New(nil).Capabilities(); len(can) != 0 {
		t.Errorf("nobody can %v", can)
	}
	if can := New(&scripted{}).Capabilities(); can["elicitation"] == nil || can["sampling"] != nil {
		t.Errorf("a person can %v", can)
	}
}
