package model

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestCreateMessageAsksTheModelThatIsSet(t *testing.T) {
	e := newEndpoint(t)
	result, used, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"role":"assistant","content":{"type":"text","text":"Paris."},"model":"mistral-small","stopReason":"endTurn"}`
	if string(result) != want {
		t.Errorf("the result is %s", result)
	}
	if used.Model != theModel || used.InputTokens != 12 || used.OutputTokens != 3 || used.Ignored != nil {
		t.Errorf("used: %+v", used)
	}
	if asked := e.last(); asked["model"] != theModel || asked["max_tokens"] != 100.0 {
		t.Errorf("asked: %v", asked)
	}
	if e.keys[0] != "" {
		t.Errorf("an endpoint without a key was shown %q", e.keys[0])
	}
}

// Neither the system that we run on nor our own environment reaches the endpoint.
func TestQuestionsTellNothingOfThisComputer(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-another-program")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
	t.Setenv("OPENAI_ORG_ID", "org-1")
	e := newEndpoint(t)
	if _, _, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple)); err != nil {
		t.Fatal(err)
	}
	for name := range e.heads[0] {
		if !slices.Contains([]string{"Accept", "Accept-Encoding", "Content-Length", "Content-Type", "User-Agent"}, name) {
			t.Errorf("the header %s was sent: %q", name, e.heads[0].Get(name))
		}
	}
}

func TestHintsChooseAmongTheModelsOfTheEndpoint(t *testing.T) {
	for _, tt := range []struct{ name, hints, want string }{
		{"no hint", ``, theModel},
		{"part of another model, in any case", `{"name":"mixtral"}`, "Mixtral-8x7B"},
		{"the first that fits counts", `{"name":"claude"},{"name":"minilm"},{"name":"mixtral"}`, "all-minilm"},
		{"the model that is set comes first", `{"name":"mistral"}`, theModel},
		{"none fits", `{"name":"claude-3-sonnet"}`, theModel},
		{"a hint without a name", `{}`, theModel},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEndpoint(t)
			c := New(e.options())
			params := json.RawMessage(strings.Replace(simple, `"maxTokens"`, `"modelPreferences":{"hints":[`+tt.hints+`]},"maxTokens"`, 1))
			seen, err := c.ModelFor(t.Context(), params)
			if err != nil || seen != tt.want {
				t.Errorf("ModelFor gives %q, %v; want %q", seen, err, tt.want)
			}
			if _, _, err := c.CreateMessage(t.Context(), params); err != nil {
				t.Fatal(err)
			}
			if got := e.last()["model"]; got != tt.want {
				t.Errorf("asked %v, want %s", got, tt.want)
			}
		})
	}
}

func TestHintsAreNoObstacleWhereNoModelsAreListed(t *testing.T) {
	e := newEndpoint(t)
	e.models = nil
	params := json.RawMessage(strings.Replace(simple, `"maxTokens"`, `"modelPreferences":{"hints":[{"name":"mixtral"}]},"maxTokens"`, 1))
	if _, used, err := New(e.options()).CreateMessage(t.Context(), params); err != nil || used.Model != theModel {
		t.Errorf("used %+v, %v", used, err)
	}
}

func TestLengthIsAskedForInTheWordsOfTheEndpoint(t *testing.T) {
	e := newEndpoint(t)
	e.wantsNewLength = true
	if _, _, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple)); err != nil {
		t.Fatal(err)
	}
	asked := e.last()
	if _, both := asked["max_tokens"]; both || asked["max_completion_tokens"] != 100.0 {
		t.Errorf("asked: %v", asked)
	}
}

func TestEndpointsThatGiveNoText(t *testing.T) {
	const secondChance = 3
	for _, tt := range []struct {
		name   string
		chat   http.HandlerFunc
		code   domain.Code
		reason string
		args   map[string]string
	}{
		{
			"model unknown", status(404, "", "", `{"error":{"message":"The model does not exist","code":"model_not_found"}}`),
			domain.CodeModelRefused, reasonUnknown,
			map[string]string{"model": theModel},
		},
		{"no such page", status(404, "", "", `404 page not found`), domain.CodeModelRefused, reasonNoChat, nil},
		{
			"too many", status(429, "Retry-After", "20", `{"error":{"message":"Rate limit reached"}}`),
			domain.CodeModelRefused, reasonTooMany,
			map[string]string{"retry_after": "20", "said": "Rate limit reached"},
		},
		{
			"too many, and for how long is nonsense", status(429, "Retry-After", "-5", `{}`),
			domain.CodeModelRefused, reasonTooMany,
			map[string]string{"retry_after": "", "said": "HTTP 429 Too Many Requests"},
		},
		{
			"rejected", status(400, "", "", `{"error":{"message":"temperature is not\nsupported \u202e"}}`),
			domain.CodeModelRefused, reasonRejected,
			map[string]string{"said": "temperature is not supported"},
		},
		{
			"rejected in Ollama's words", status(400, "", "", `{"error":"does not support tools"}`),
			domain.CodeModelRefused, reasonRejected,
			map[string]string{"said": "does not support tools"},
		},
		{"failing", status(500, "", "", `{"detail":"out of memory"}`), domain.CodeModelRefused, reasonFailing, map[string]string{"said": "out of memory"}},
		{"failing in HTML", status(503, "", "", `<h1>Busy</h1>`), domain.CodeModelRefused, reasonFailing, map[string]string{"said": "HTTP 503 Service Unavailable"}},
		{"HTML", html, domain.CodeModelRefused, reasonNoChat, nil},
		{"endless", endless, domain.CodeModelRefused, reasonTooLarge, nil},
		{"another document", status(200, "", "", `{"hello":"world"}`), domain.CodeModelRefused, reasonBadAnswer, nil},
		{"a list", status(200, "", "", `[1,2]`), domain.CodeModelRefused, reasonBadAnswer, nil},
		{"no choice", status(200, "", "", `{"choices":[]}`), domain.CodeModelRefused, reasonBadAnswer, nil},
		{"an empty choice", status(200, "", "", `{"choices":[{}]}`), domain.CodeModelRefused, reasonBadAnswer, nil},
		{"hangs up", hangUp, domain.CodeModelUnreachable, reasonHungUp, nil},
		{"says nothing", untilLeft, domain.CodeModelUnreachable, reasonSlow, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEndpoint(t)
			e.chat = tt.chat
			o := e.options()
			if tt.reason == reasonSlow {
				o.TextTime = soon
			}
			result, _, err := New(o).CreateMessage(t.Context(), json.RawMessage(simple))
			if code, reason := reasonOf(err); code != tt.code || reason != tt.reason || result != nil {
				t.Fatalf("%s gives %s, %s: %v", result, code, reason, err)
			}
			said := domain.AsError(err)
			if said.Hint == "" || said.Args["address"] != e.URL+"/v1" {
				t.Errorf("the error says %q, %v", said.Hint, said.Args)
			}
			for name, want := range tt.args {
				if said.Args[name] != want {
					t.Errorf("%s is %q, want %q", name, said.Args[name], want)
				}
			}
			if n := e.count(); n >= secondChance {
				t.Errorf("it was asked %d times", n)
			}
		})
	}
}

func TestEndpointsThatAreNotThere(t *testing.T) {
	e := newEndpoint(t)
	e.Close()
	_, _, err := New(e.options()).CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelUnreachable || reason != reasonNobody {
		t.Errorf("a port where nobody listens gives %s, %s: %v", code, reason, err)
	}
	o := e.options()
	o.BaseURL = func() string { return "http://nowhere.invalid/v1" }
	_, _, err = New(o).CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelUnreachable || reason != reasonNoHost {
		t.Errorf("a name that nobody has gives %s, %s: %v", code, reason, err)
	}
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // it complains of us
	secure.StartTLS()
	defer secure.Close()
	o.BaseURL = func() string { return secure.URL + "/v1" }
	_, _, err = New(o).CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelUnreachable || reason != reasonTLS {
		t.Errorf("an authority that nobody knows gives %s, %s: %v", code, reason, err)
	}
}

func TestNothingIsAskedWithoutAModel(t *testing.T) {
	e := newEndpoint(t)
	o := e.options()
	o.Name = func() string { return "" }
	_, _, err := New(o).CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelNotSet || reason != reasonNoName {
		t.Errorf("no name gives %s, %s", code, reason)
	}
	o.BaseURL = func() string { return "" }
	_, _, err = New(o).CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelNotSet || reason != reasonNoAddress {
		t.Errorf("no address gives %s, %s", code, reason)
	}
	if len(e.keys) > 0 {
		t.Error("the endpoint was asked")
	}
}

func TestCancelledQuestionEnds(t *testing.T) {
	e := newEndpoint(t)
	asked := make(chan struct{})
	e.chat = func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		untilLeft(w, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, _, err := New(e.options()).CreateMessage(ctx, json.RawMessage(simple)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question gives %v", err)
	}
}

// What a server asked, and the key, are for the endpoint that the person named.
func TestRedirectsAreNotFollowed(t *testing.T) {
	other := newEndpoint(t)
	e := newEndpoint(t)
	e.chat = func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/v1/chat/completions?key="+theKey, http.StatusTemporaryRedirect)
	}
	_, _, err := e.clientWith(theKey).CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelRefused || reason != reasonMoved {
		t.Errorf("a redirect gives %s, %s", code, reason)
	}
	if len(other.keys) > 0 {
		t.Error("the redirect was followed")
	}
	all := everything(t, err)
	if !strings.Contains(all, other.URL+"/v1/chat/completions") || strings.Contains(all, theKey) {
		t.Errorf("the error says %s", all)
	}
}
