package cli

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestTextOfAResult(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"text", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\nb"},
		{"an image", `{"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`, "[image/png, 3 bytes]"},
		{"sound", `{"content":[{"type":"audio","data":"AAAA"}]}`, "[audio, 3 bytes]"},
		{"an embedded resource", `{"content":[{"type":"resource","resource":{"uri":"u","text":"inside"}}]}`, "inside"},
		{"a link", `{"content":[{"type":"resource_link","uri":"file:///a","name":"A"}]}`, "[A: file:///a]"},
		{"a resource", `{"contents":[{"uri":"u","text":"body"}]}`, "body"},
		{"data of a resource", `{"contents":[{"uri":"u","mimeType":"image/gif","blob":"AAAA"}]}`, "[image/gif, 3 bytes]"},
		{"a prompt", `{"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]}`, "user: hello"},
		{"structured only", `{"content":[],"structuredContent":{"n":1}}`, "{\n  \"n\": 1\n}"},
		{"nothing", `{"content":[]}`, ""},
		{"not an object", `[1]`, ""},
	}
	for _, test := range tests {
		if got := textOf(json.RawMessage(test.raw)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestDataGoesToAFileAsItIs(t *testing.T) {
	data, ok := onlyBlob(json.RawMessage(`{"contents":[{"uri":"u","blob":"iVBORw=="}]}`))
	if !ok || !bytes.Equal(data, []byte("\x89PNG")) {
		t.Errorf("got %q, %t", data, ok)
	}
	for _, raw := range []string{`{"contents":[{"text":"t"}]}`, `{"content":[{"data":"AAAA"},{"text":"t"}]}`, `{"content":[{"data":"?"}]}`} {
		if _, ok := onlyBlob(json.RawMessage(raw)); ok {
			t.Errorf("%s: taken for data", raw)
		}
	}
}

func FuzzTextOf(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"blob":"AAAA"}}]}`))
	f.Add([]byte(`{"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		// Whatever a server sends: an answer, and on a screen nothing that moves the cursor.
		if text := printable(textOf(raw)); bytes.ContainsAny([]byte(text), "\x1b\r\x08") {
			t.Errorf("%q", text)
		}
	})
}
