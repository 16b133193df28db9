package syntax

import (
	"errors"
	"strings"
	"testing"
)

type parseFunc func([]byte) (*Node, error)

func parsers() map[string]parseFunc {
	return map[string]parseFunc{"toml": ParseTOML, "yaml": ParseYAML, "jsonc": ParseJSONC}
}

// outline writes a tree on one line with the position of every value, so that a test can compare it whole.
func outline(n *Node) string {
	at := func(p Position) string { return "@" + itoa(p.Line) + ":" + itoa(p.Column) }
	var b strings.Builder
	switch {
	case n == nil:
		return "absent"
	case n.Kind == Object:
		b.WriteString("{")
		for _, m := range n.Members {
			b.WriteString(m.Key + at(m.Position) + "=" + outline(m.Value) + " ")
		}
		return strings.TrimSuffix(b.String(), " ") + "}" + at(n.Position)
	case n.Kind == Array:
		b.WriteString("[")
		for _, item := range n.Items {
			b.WriteString(outline(item) + " ")
		}
		return strings.TrimSuffix(b.String(), " ") + "]" + at(n.Position)
	}
	mark := map[Kind]string{String: "s", Integer: "i", Float: "f", Bool: "b", Date: "d", Null: "n"}[n.Kind]
	return n.Text + "(" + mark + ")" + at(n.Position)
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestOutline(t *testing.T) {
	for _, tt := range []struct{ name, language, text, want string }{
		{"toml empty", "toml", "", "{}@1:1"},
		{
			"toml scalars", "toml", "a = \"x\"\nb=0x1F\n  c = 1_0.5 # é\nd = true\ne = 1979-05-27",
			"{a@1:1=x(s)@1:5 b@2:1=0x1F(i)@2:3 c@3:3=1_0.5(f)@3:7 d@4:1=true(b)@4:5 e@5:1=1979-05-27(d)@5:5}@1:1",
		},
		{"toml bom and crlf", "toml", "\ufeff[a]\r\nb = 'é'\r\n", "{a@1:2={b@2:1=é(s)@2:5}@1:1}@1:1"},
		{
			"toml lists of tables", "toml", "[[s]]\nn=1\n[s.env]\nK=2\n [[ s ]]\n",
			"{s@1:3=[{n@2:1=1(i)@2:3 env@3:4={K@4:1=2(i)@4:3}@3:1}@1:1 {}@5:2]@1:3}@1:1",
		},
		{
			"toml dotted and quoted", "toml", "a.\"b c\".d = [ 1,\n {x = 2} ]",
			"{a@1:1={b c@1:3={d@1:9=[1(i)@1:15 {x@2:3=2(i)@2:7}@2:2]@1:9}@1:3}@1:1}@1:1",
		},
		{
			"toml table after its child", "toml", "[a.b]\nx=1\n[a]\ny=2",
			"{a@1:2={b@1:4={x@2:1=1(i)@2:3}@1:1 y@4:1=2(i)@4:3}@3:1}@1:1",
		},
		{
			"jsonc comments and trailing commas", "jsonc", "\ufeff{ // one\n  \"a\": [1, -2.5e3,], /* two\n */ \"b\": null,\n}",
			"{a@2:3=[1(i)@2:9 -2.5e3(f)@2:12]@2:8 b@3:5=(n)@3:10}@1:1",
		},
		{
			"jsonc last of two keys counts", "jsonc", `{"a":1,"a":true}`,
			"{a@1:2=1(i)@1:6 a@1:8=true(b)@1:12}@1:1",
		},
		{"jsonc scalar", "jsonc", ` "x"`, "x(s)@1:2"},
		{"yaml empty", "yaml", "# nothing\n", "(n)@1:1"},
		{
			"yaml block", "yaml", "a:\n  - name: x\n    \"on\": True\n  - ~\nb: {c: 1.5, d: [0o17]}\n",
			"{a@1:1=[{name@2:5=x(s)@2:11 on@3:5=true(b)@3:11}@2:5 (n)@4:5]@2:3 b@5:1={c@5:5=1.5(f)@5:8 d@5:13=[0o17(i)@5:17]@5:16}@5:4}@1:1",
		},
		{"yaml crlf and literal", "yaml", "a: |\r\n  one\r\n  two\r\nb: x\r\n", "{a@1:1=one\ntwo\n(s)@1:4 b@4:1=x(s)@4:4}@1:1"},
		{
			"yaml anchors", "yaml", "a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  k: 3\nc: *x",
			"{a@1:1={k@1:8=1(i)@1:11 l@1:14=2(i)@1:17}@1:7 b@2:1={k@4:3=3(i)@4:6 l@1:14=2(i)@1:17}@3:3 " +
				"c@5:1={k@1:8=1(i)@1:11 l@1:14=2(i)@1:17}@1:7}@1:1",
		},
		{"yaml tag", "yaml", "a: !!str 12\n1: .INF", "{a@1:1=12(s)@1:4 1@2:1=inf(f)@2:4}@1:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := parsers()[tt.language]([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := outline(n); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for _, tt := range []struct {
		name, language, text string
		line, column         int
		message              string
	}{
		{"toml value missing", "toml", "a = 1\nb = \n", 2, 5, ""},
		{"toml column in characters", "toml", "\"é\" = 1\n\"à\" x", 2, 5, "expected '='"},
		{"toml key twice", "toml", "a = 1\n[b]\na = 1\na = 2", 4, 1, "already"},
		{"toml table twice", "toml", "[a]\n[a]", 2, 2, ""},
		{"toml unterminated", "toml", "a = \"x", 1, 6, "unterminated"},
		{"toml not utf-8", "toml", "a = 1\nb = \"\xff\"", 2, 6, "not UTF-8"},
		{"utf-16", "toml", "\xff\xfea\x00", 1, 1, "UTF-16"},
		{"binary", "yaml", "a: \x00", 1, 4, "control character U+0000"},
		{"jsonc comma", "jsonc", "{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3, "invalid character"},
		{"jsonc cut off", "jsonc", "{\"a\": [1,\n", 1, 10, "ends too early"},
		{"jsonc empty", "jsonc", "", 1, 1, "ends too early"},
		{"jsonc two values", "jsonc", "{} {}", 1, 4, "after top-level value"},
		{"jsonc open comment", "jsonc", "{} /* x", 1, 4, "invalid character '/'"},
		{"jsonc deep", "jsonc", strings.Repeat("[", 300) + strings.Repeat("]", 300), 1, 202, "too deep"},
		{"yaml indentation", "yaml", "a:\n  b: 1\n c: 2\n", 3, 2, ""},
		{"yaml key twice", "yaml", "a: 1\nb: 2\na: 3", 3, 1, "already defined"},
		{"yaml key twice by spelling", "yaml", "1: a\n\"1\": b", 2, 1, ""},
		{"yaml unknown alias", "yaml", "a: *x", 1, 4, "no anchor"},
		{"yaml alias in itself", "yaml", "a: &x [*x]", 1, 8, "no anchor"},
		{"yaml two documents", "yaml", "a: 1\n---\nb: 2", 3, 1, "second document"},
		{"yaml list as key", "yaml", "? [a]\n: b", 2, 1, "invalid key"},
		{"yaml deep", "yaml", strings.Repeat("[", 300), 1, 201, "too deep"},
		{"yaml deep lists", "yaml", "a:\n" + strings.Repeat("- ", 3000), 2, 1, "too deep"},
		{"yaml aliases that explode", "yaml", bomb(), 6, 10, "too large"},
		{"toml deep", "toml", "a = " + strings.Repeat("[", 300) + strings.Repeat("]", 300), 1, 1, "too deep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parsers()[tt.language]([]byte(tt.text))
			var bad *Error
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if bad.Line != tt.line || bad.Column != tt.column || !strings.Contains(bad.Message, tt.message) {
				t.Errorf("got %v, want line %d, column %d: …%s…", err, tt.line, tt.column, tt.message)
			}
		})
	}
}

// bomb doubles ten times per line: seven lines stand for ten million values.
func bomb() string {
	text := "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n"
	for i := 1; i < 7; i++ {
		prev := "*a" + itoa(i-1)
		text += "a" + itoa(i) + ": &a" + itoa(i) + " [" + strings.Repeat(prev+",", 9) + prev + "]\n"
	}
	return text
}

func TestLargeGarbageEndsWithAnError(t *testing.T) {
	for language, parse := range parsers() {
		for _, unit := range []string{"[", "{a: ", "- ", "\x00", "'a", "[a]\nb = ", "\xff", "%"} {
			for _, size := range []int{maxYAML, 1 << 20} {
				if _, err := parse([]byte(strings.Repeat(unit, size/len(unit)))); err == nil {
					t.Errorf("%s: %d bytes of %q were accepted", language, size, unit)
				}
			}
		}
		if _, err := parse(make([]byte, MaxSize+1)); err == nil || !strings.Contains(err.Error(), "longer than 16 MiB") {
			t.Errorf("%s: more than MaxSize gave %v", language, err)
		}
	}
}

func TestAccessors(t *testing.T) {
	n, err := ParseTOML([]byte("i = 1_000\nf = 2.5\nb = true\ns = \"1\"\nbig = 9223372036854775807\n[t]\nk = 3"))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := n.Get("i").Int(); v != 1000 || !ok {
		t.Errorf("i is %d, %v", v, ok)
	}
	if v, ok := n.Get("f").Number(); v != 2.5 || !ok {
		t.Errorf("f is %v, %v", v, ok)
	}
	if v, ok := n.Get("t", "k").Number(); v != 3 || !ok {
		t.Errorf("t.k is %v, %v", v, ok)
	}
	if v, ok := n.Get("b").Bool(); !v || !ok {
		t.Errorf("b is %v, %v", v, ok)
	}
	if _, ok := n.Get("s").Int(); ok {
		t.Error("text counts as a number")
	}
	if _, ok := n.Get("s").Bool(); ok {
		t.Error("text counts as true or false")
	}
	if n.Get("t", "none", "k") != nil || n.Get("none").Member("x") != nil || n.Get("none").Scalar() {
		t.Error("an absent node is not absent")
	}
	if !n.Get("s").Is(String) || n.Get("t").Scalar() {
		t.Error("kinds are mixed up")
	}
}

func TestPositionsDoNotDependOnTheOrderOfQuestions(t *testing.T) {
	text := []byte("aé\n\nzß日x\ny")
	for from := range text {
		for to := range text {
			fresh, err := newSource(text)
			if err != nil {
				t.Fatal(err)
			}
			used, _ := newSource(text)
			used.position(from)
			if got, want := used.position(to), fresh.position(to); got != want {
				t.Errorf("offset %d after %d: %v, want %v", to, from, got, want)
			}
		}
	}
}
