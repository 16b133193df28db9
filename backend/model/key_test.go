package model

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestKeyGoesToItsEndpointOnly(t *testing.T) {
	first, second := newEndpoint(t), newEndpoint(t)
	first.key, second.key = theKey, "sk-another-one-entirely"
	at := first.URL + "/v1"
	o := first.options()
	o.BaseURL = func() string { return at }
	c := New(o)
	if state, err := c.KeyState(); state != KeyNone || err != nil {
		t.Errorf("before: %s, %v", state, err)
	}
	_, _, err := c.CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelRefused || reason != reasonKeyNeeded {
		t.Errorf("without a key: %s, %s", code, reason)
	}
	if err := c.KeepKey(" "+theKey+"\n", noted); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.CreateMessage(t.Context(), json.RawMessage(simple)); err != nil {
		t.Errorf("with its key: %v", err)
	}

	at = second.URL + "/v1"
	if state, err := c.KeyState(); state != KeyElsewhere || err != nil {
		t.Errorf("at another address: %s, %v", state, err)
	}
	_, _, err = c.CreateMessage(t.Context(), json.RawMessage(simple))
	if code, reason := reasonOf(err); code != domain.CodeModelRefused || reason != reasonKeyElsewhere {
		t.Errorf("with the key of another address: %s, %s", code, reason)
	}
	if second.keys[0] != "" {
		t.Errorf("the other endpoint was shown %q", second.keys[0])
	}

	if err := c.KeepKey(second.key, noted); err != nil {
		t.Fatal(err)
	}
	if kept, _ := o.Keys.Names(""); len(kept) != 1 {
		t.Errorf("there are %d keys", len(kept))
	}
	if err := c.ForgetKey(); err != nil {
		t.Fatal(err)
	}
	if state, _ := c.KeyState(); state != KeyNone {
		t.Errorf("after: %s", state)
	}
}

// Whatever an endpoint repeats, no error, report or result holds the key.
func TestKeyIsNeverRepeated(t *testing.T) {
	const wrong = "sk-wrong-0123456789"
	echo := func(code int, text string) http.HandlerFunc {
		return status(code, "", "", strings.ReplaceAll(text, "KEY", wrong))
	}
	for name, chat := range map[string]http.HandlerFunc{
		"401":        nil,
		"400":        echo(400, `{"error":{"message":"bad header Bearer KEY"}}`),
		"500":        echo(500, `{"detail":"KEY"}`),
		"plain text": echo(500, `KEY`),
		"answer":     echo(200, `{"choices":"KEY"}`),
		"bad tool":   echo(200, `{"choices":[{"message":{"tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"KEY"}}]}}]}`),
		"hang up":    hangUp,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t)
			e.key, e.chat = theKey, chat
			_, _, err := e.clientWith(wrong).CreateMessage(t.Context(), json.RawMessage(simple))
			if err == nil {
				t.Fatal("it gives a text")
			}
			if all := everything(t, err); strings.Contains(all, wrong) {
				t.Errorf("the error says %s", all)
			}
		})
	}
	e := newEndpoint(t)
	e.key = theKey
	report, err := e.clientWith(wrong).Check(t.Context())
	text, _ := json.Marshal(report)
	if err != nil || strings.Contains(string(text), wrong) || !strings.Contains(string(text), hidden) {
		t.Errorf("the report says %s, %v", text, err)
	}
}

// There are many ways to write a key in JSON: some endpoints put a "\/" for a "/", others "\u002B" for a "+".
func TestKeyIsNeverRepeatedInAnotherSpelling(t *testing.T) {
	const key = "sk-a/b+c0123456789abcdef"
	for _, spelt := range []string{key, `sk-a\/b+c0123456789abcdef`, `sk-a/b\u002Bc0123456789abcdef`, `\u0073k-a/b+c0123456789abcdef`} {
		for name, answer := range map[string]string{
			"refusal": `{"error":{"message":"bad key KEY"}}`, "long refusal": `{"error":{"message":"` + strings.Repeat("x", maxSaid-8) + `KEY"}}`,
			"bare": `{"error":"bad key KEY"}`, "detail": `{"detail":"bad key KEY"}`, "message": `{"message":"bad key KEY"}`,
			"text": `{"model":"KEY","choices":[{"finish_reason":"stop","message":{"content":"Your key is KEY"}}]}`,
		} {
			e := newEndpoint(t)
			code := 400
			if name == "text" {
				code = 200
			}
			e.chat = status(code, "", "", strings.ReplaceAll(answer, "KEY", spelt))
			got, used, err := e.clientWith(key).CreateMessage(t.Context(), json.RawMessage(simple))
			all := string(got) + used.Model
			if err != nil {
				all += everything(t, err)
			}
			if strings.Contains(all, key[:8]) {
				t.Errorf("%s with %s: %s", name, spelt, all)
			}
		}
	}
}

// A key that is an ordinary word, as some endpoints want one, is no reason to blot that word out.
func TestShortKeySpoilsNoText(t *testing.T) {
	for _, key := range []string{"1", "Paris"} {
		e := newEndpoint(t)
		e.key = key
		got, used, err := e.clientWith(key).CreateMessage(t.Context(), json.RawMessage(simple))
		if err != nil || !strings.Contains(string(got), "Paris.") || used.InputTokens != 12 {
			t.Errorf("with the key %s: %s, %+v, %v", key, got, used, err)
		}
	}
	e := newEndpoint(t)
	e.key = "1"
	if _, _, err := e.clientWith("ollama").CreateMessage(t.Context(), json.RawMessage(simple)); strings.Contains(everything(t, err), "ollama") {
		t.Errorf("the error says %s", everything(t, err))
	}
}

// An endpoint that puts the key into a text tells it to nobody.
func TestKeyIsStruckOutOfTexts(t *testing.T) {
	e := newEndpoint(t)
	e.key = theKey
	e.choice = `{"finish_reason":"stop","message":{"content":"Your key is ` + theKey + `"}}`
	got, _, err := e.clientWith(theKey).CreateMessage(t.Context(), json.RawMessage(simple))
	if err != nil || strings.Contains(string(got), theKey) || !strings.Contains(string(got), hidden) {
		t.Errorf("it gives %s, %v", got, err)
	}
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	e := newEndpoint(t)
	at := e.URL
	o := e.options()
	o.BaseURL = func() string { return at }
	c := New(o)
	for name, key := range map[string]string{
		"nothing": "  ", "two lines": "sk-1\nsk-2", "two words": "Bearer sk-1", "a quote": `"sk-1"`, "letters that no header holds": "clé", "too long": strings.Repeat("k", maxKey+1),
	} {
		if err := c.KeepKey(key, noted); domain.CodeOf(err) != domain.CodeInvalidInput {
			t.Errorf("%s gives %v", name, err)
		}
	}
	for address, ok := range map[string]bool{
		"https://api.example.com/v1": true, "http://api.example.com/v1": false, "http://203.0.113.5:8000/v1": false,
		"http://192.168.1.5:8000/v1": true, "http://[::1]:11434/v1": true, "http://localhost:11434/v1": true, "http://gpu.local/v1": true, "http://[::ffff:192.168.1.5]/v1": true,
		"http://[64:ff9b::a9fe:a9fe]/v1": false, "http://10.1/v1": false,
	} {
		at = address
		if err := c.KeepKey(theKey, noted); (err == nil) != ok {
			t.Errorf("at %s: %v", address, err)
		}
	}
	at = ""
	if err := c.KeepKey(theKey, noted); domain.CodeOf(err) != domain.CodeModelNotSet {
		t.Errorf("without an address: %v", err)
	}
}

func TestAKeyIsKeptOnlyOnceItsLineIsWritten(t *testing.T) {
	e := newEndpoint(t)
	o := e.options()
	c := New(o)
	kept := func() int {
		names, err := o.Keys.Names("")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	full := errors.New("the journal takes no line")
	if err := c.KeepKey(theKey, func() error { return full }); !errors.Is(err, full) || kept() != 0 {
		t.Errorf("without its line: %v, %d keys kept", err, kept())
	}
	told := 0
	before := func() error {
		told++
		if kept() != 0 {
			t.Error("the key was kept before its line")
		}
		return nil
	}
	if err := c.KeepKey("no key", before); err == nil || told != 0 {
		t.Errorf("what is no key: %v, %d lines", err, told)
	}
	if err := c.KeepKey(theKey, before); err != nil || told != 1 || kept() != 1 {
		t.Errorf("with its line: %v, %d lines, %d keys", err, told, kept())
	}
}
