package domain

import (
	"encoding/json"
	"testing"
)

func TestADigestFollowsTheParams(t *testing.T) {
	params := func(text string) Call { return Call{Params: json.RawMessage(text)} }
	call := params(`{"name":"echo","arguments":{"n":1,"m":"x"},"_meta":{"progressToken":7}}`)
	known := call.Digested()
	if known.ArgumentsDigest() != call.ArgumentsDigest() {
		t.Error("the digest at hand is another one")
	}
	same := params(`{ "arguments": {"m":"x", "n":1}, "name":"echo" }`)
	if same.ArgumentsDigest() != call.ArgumentsDigest() {
		t.Error("white space, the order of keys or _meta counts")
	}
	known.Params = json.RawMessage(`{"name":"echo","arguments":{"n":2,"m":"x"}}`)
	if known.ArgumentsDigest() == call.ArgumentsDigest() || known.ArgumentsDigest() != params(string(known.Params)).ArgumentsDigest() {
		t.Error("edited params have the digest of those before")
	}
	different := []string{
		`{"name":"echo","arguments":{"n":1.0,"m":"x"}}`, `{"name":"echo","arguments":{"n":1,"m":"x"}} {}`, `{"name":"echo"}`, `{}`, `null`, ``, `7`,
		`{"name":"echo","arguments":{"n":12345678901234567890,"m":"x"}}`, `{"name":"echo","arguments":{"n":12345678901234567891,"m":"x"}}`,
	}
	seen := map[string]string{call.ArgumentsDigest(): string(call.Params)}
	for _, text := range different {
		digest := params(text).ArgumentsDigest()
		if other, ok := seen[digest]; ok && text != `null` { // which is no params, as {} is
			t.Errorf("%s has the digest of %s", text, other)
		}
		seen[digest] = text
	}
}

func TestAToolSaysThatItFailed(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"isError":true}`: true, `{"is\u0045rror":true}`: true, `{"isError":false}`: false, `{"content":[{"text":"isError"}]}`: false,
		`{"content":[]}`: false, ``: false, `{"text":"\u00e9"}`: false,
	} {
		if got := (Result{Raw: json.RawMessage(raw)}).IsError(); got != want {
			t.Errorf("%s: %t, want %t", raw, got, want)
		}
	}
}
