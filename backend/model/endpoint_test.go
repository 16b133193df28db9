package model

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

const (
	theKey   = "sk-apollia-0123456789abcdef"
	theModel = "mistral-small"
)

// endpoint is an OpenAI-compatible endpoint over real HTTP. Its fields are set before it is asked.
type endpoint struct {
	*httptest.Server
	t *testing.T

	// key is what it wants; empty for an endpoint without one.
	key string
	// models are what it lists; nil for one that has no list.
	models []string
	// listsToAll has the list need no key, listsToNone has no key do for it.
	listsToAll, listsToNone bool
	// knows only max_completion_tokens, as OpenAI's reasoning models do.
	wantsNewLength bool
	// choice is its answer, as JSON.
	choice string
	// chat answers in place of all that, where set.
	chat http.HandlerFunc

	mu    sync.Mutex
	asked []map[string]any // bodies of chat completions
	heads []http.Header
	keys  []string // Authorization of all requests
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{t: t, models: []string{"all-minilm", "mistral-small:latest", "Mixtral-8x7B"}}
	e.choice = `{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Paris."}}`
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", e.list)
	mux.HandleFunc("POST /v1/chat/completions", e.complete)
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		e.keys = append(e.keys, r.Header.Get("Authorization"))
		e.heads = append(e.heads, r.Header.Clone())
		e.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) list(w http.ResponseWriter, r *http.Request) {
	switch {
	case e.models == nil:
		say(w, 404, `{"error":"404 page not found"}`)
	case e.listsToNone:
		say(w, 403, `{"error":{"message":"You have insufficient permissions. Missing scopes: api.model.read."}}`)
	case !e.listsToAll && !e.admits(r):
		e.turnAway(w, r)
	default:
		data := make([]map[string]any, 0, len(e.models))
		for _, name := range e.models {
			data = append(data, map[string]any{"id": name, "object": "model", "created": 1, "owned_by": "library"})
		}
		text, _ := json.Marshal(map[string]any{"object": "list", "data": data})
		say(w, 200, string(text))
	}
}

func (e *endpoint) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var asked map[string]any
	if err != nil || json.Unmarshal(body, &asked) != nil {
		e.t.Errorf("a chat completion that is no JSON: %s", body)
	}
	e.mu.Lock()
	e.asked = append(e.asked, asked)
	e.mu.Unlock()
	_, isOld := asked["max_tokens"]
	name, _ := asked["model"].(string)
	switch {
	case e.chat != nil:
		e.chat(w, r)
	case !e.admits(r):
		e.turnAway(w, r)
	case e.wantsNewLength && isOld:
		say(w, 400, `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}`)
	case e.models != nil && !lists(e.models, name):
		say(w, 404, `{"error":{"message":"model '`+name+`' not found","type":"api_error"}}`)
	default:
		say(w, 200, `{"id":"c1","object":"chat.completion","created":1,"model":"`+name+`","choices":[`+e.choice+`],`+
			`"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}`)
	}
}

func (e *endpoint) admits(r *http.Request) bool {
	return e.key == "" || r.Header.Get("Authorization") == "Bearer "+e.key
}

// turnAway repeats the key that it was shown, as careless endpoints do.
func (e *endpoint) turnAway(w http.ResponseWriter, r *http.Request) {
	shown := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	say(w, 401, `{"error":{"message":"Incorrect API key provided: `+shown+`","type":"invalid_request_error","code":"invalid_api_key"}}`)
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// last is the last chat completion that was asked for.
func (e *endpoint) last() map[string]any {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.asked) == 0 {
		e.t.Fatal("no chat completion was asked for")
	}
	return e.asked[len(e.asked)-1]
}

func (e *endpoint) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.asked)
}

// memory is a key store.
type memory map[string]string

func (m memory) Get(name string) (string, bool, error) { value, ok := m[name]; return value, ok, nil }
func (m memory) Put(name, value string) error          { m[name] = value; return nil }
func (m memory) Delete(name string) error              { delete(m, name); return nil }
func (m memory) Names(prefix string) ([]string, error) {
	var names []string
	for name := range m {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, nil
}

// options are those of a client of the endpoint.
func (e *endpoint) options() Options {
	return Options{
		BaseURL: func() string { return e.URL + "/v1" }, Name: func() string { return theModel }, Keys: memory{},
	}
}

// clientWith is a client that was given a key.
func (e *endpoint) clientWith(key string) *Client {
	e.t.Helper()
	c := New(e.options())
	if err := c.KeepKey(key, noted); err != nil {
		e.t.Fatal(err)
	}
	return c
}

// reasonOf gives the code and the reason of an error.
func reasonOf(err error) (domain.Code, string) {
	if err == nil {
		return "", ""
	}
	return domain.CodeOf(err), domain.AsError(err).Args["reason"]
}

// everything is all that an error says anywhere.
func everything(t *testing.T, err error) string {
	t.Helper()
	said := domain.AsError(err)
	text, failed := json.Marshal(said)
	if failed != nil {
		t.Fatal(failed)
	}
	all := string(text)
	for cause := error(said); cause != nil; {
		all += "\n" + cause.Error()
		unwrapped, ok := cause.(interface{ Unwrap() error })
		if !ok {
			break
		}
		cause = unwrapped.Unwrap()
	}
	return all
}

const simple = `{"messages":[{"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],"maxTokens":100}`

// untilLeft answers nothing until the asker is gone.
func untilLeft(w http.ResponseWriter, r *http.Request) {
	if flusher, ok := w.(http.Flusher); ok {
		w.WriteHeader(http.StatusOK)
		flusher.Flush()
	}
	<-r.Context().Done()
}

func hangUp(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// endless sends JSON text until the asker has had enough.
func endless(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	block := []byte(strings.Repeat("a", 1<<20))
	_, err := io.WriteString(w, `{"choices":"`)
	for err == nil {
		_, err = w.Write(block)
	}
}

func status(code int, header, value, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if header != "" {
			w.Header().Set(header, value)
		}
		say(w, code, text)
	}
}

func html(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, "<!doctype html><title>Welcome</title>")
}

// soon is a limit that an endpoint that says nothing runs into.
const soon = 200 * time.Millisecond

// noted stands for the journal, which has nothing against a key.
func noted() error { return nil }
