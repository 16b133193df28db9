package syntax

import (
	"errors"
	"strings"
	"testing"
)

type appended struct {
	Servers []appendedServer `toml:"mcp_servers"`
}

type appendedServer struct {
	Name string            `toml:"name"`
	Args []string          `toml:"args,omitempty"`
	Env  map[string]string `toml:"env,omitempty"`
}

func TestAppendTOMLLeavesEveryByte(t *testing.T) {
	block := "[[mcp_servers]]\nname = 'a'\nargs = ['C:\\x', \"it's\"]\n\n[mcp_servers.env]\nK = '${K}'\n"
	v := appended{[]appendedServer{{Name: "a", Args: []string{`C:\x`, "it's"}, Env: map[string]string{"K": "${K}"}}}}
	for _, tt := range []struct{ name, before, between string }{
		{"empty", "", ""},
		{"only a byte order mark", byteOrderMark, ""},
		{"comment and blank lines", "# mine\n\n\n[ui]\n  theme = \"dark\"   # keep\n", "\n"},
		{"no final newline", "[ui]\ntheme = 'dark'", "\n\n"},
		{"crlf", "[ui]\r\ntheme = 'dark'\r\n", "\r\n"},
		{"crlf without the last", "\ufeff[ui]\r\ntheme = 'dark'", "\r\n\r\n"},
		{"another entry", "[[mcp_servers]]\nname = \"b\"\n[mcp_servers.env]\nX = \"1\"\n", "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.before + tt.between + block
			if strings.Contains(tt.before, "\r\n") {
				want = tt.before + tt.between + strings.ReplaceAll(block, "\n", "\r\n")
			}
			got, err := AppendTOML([]byte(tt.before), v)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestAppendTOMLRefuses(t *testing.T) {
	v := appended{[]appendedServer{{Name: "a"}}}
	for name, before := range map[string]string{
		"broken document":          "a = ",
		"list written as a value":  "mcp_servers = []\n",
		"name used for a table":    "[mcp_servers]\nx = 1\n",
		"name used for plain text": "mcp_servers = 'x'\n",
	} {
		t.Run(name, func(t *testing.T) {
			var bad *Error
			if _, err := AppendTOML([]byte(before), v); !errors.As(err, &bad) {
				t.Errorf("got %v, want an *Error", err)
			}
		})
	}
	if _, err := AppendTOML(nil, make(chan int)); err == nil {
		t.Error("a value that is no document was accepted")
	}
}
