package syntax

import (
	"bytes"
	"strings"
	"testing"
)

// check fails when a tree breaks what ParseX promise: positions inside the text, members that can be found again.
func check(t *testing.T, n *Node) {
	t.Helper()
	if n.Line < 0 || n.Column < 0 {
		t.Fatalf("a value stands at %d:%d", n.Line, n.Column)
	}
	_, _ = n.Int()
	_, _ = n.Number()
	for _, m := range n.Members {
		if n.Member(m.Key) == nil || m.Line < 1 || m.Column < 1 {
			t.Fatalf("key %q is lost, or stands at %d:%d", m.Key, m.Line, m.Column)
		}
		check(t, m.Value)
	}
	for _, item := range n.Items {
		check(t, item)
	}
}

func fuzz(f *testing.F, parse parseFunc, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		n, err := parse(b)
		if !bytes.Equal(b, before) {
			t.Fatal("the text was changed")
		}
		if err == nil {
			check(t, n)
		}
	})
}

func FuzzParseTOML(f *testing.F) {
	fuzz(f, ParseTOML, "[[a]]\nb.c = [1, {d = 2}]\r\n[a.e]\n", "\ufeffx = '''\n'''", "[a]\n[[a.b]]\n[a.b.c]\nd=1979-05-27T07:32:00Z")
}

func FuzzParseYAML(f *testing.F) {
	fuzz(f, ParseYAML, "a: &x [1, {b: c}]\nd: *x\n", "<<: {a: 1}\n? x\n: |\n  y\n", "--- !!map\n- !!str 1\n...\n", "a: >-\n  b\r\n \"c\": 'd'")
}

func FuzzParseJSONC(f *testing.F) {
	fuzz(f, ParseJSONC, "{\"a\": [1, null,], // x\n}", "/* */ [true, -1e9, \"\\u00e9\"]", "\ufeff{\"a\":{\"a\":1},\"a\":2}")
}

func FuzzAppendTOML(f *testing.F) {
	f.Add([]byte("[a]\r\nb = 1"), "x")
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		name = strings.ToValidUTF8(name, "")
		out, err := AppendTOML(b, appended{[]appendedServer{{Name: name}}})
		if err != nil {
			return
		}
		n, err := ParseTOML(out)
		if err != nil || !bytes.HasPrefix(out, b) {
			t.Fatalf("%q does not start with the document, or is broken: %v", out, err)
		}
		list := n.Get("mcp_servers")
		if got := list.Items[len(list.Items)-1].Get("name").Text; got != name {
			t.Fatalf("got %q back for %q", got, name)
		}
	})
}
