package syntax

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// spell writes commands as "DIR|NAME=value …|word|word" lines.
func spell(commands []Command) string {
	var lines []string
	for _, c := range commands {
		var env []string
		for _, a := range c.Env {
			env = append(env, a.Name+"="+a.Value)
		}
		lines = append(lines, fmt.Sprintf("%d:%d %s|%s|%s", c.Line, c.Column, c.Dir, strings.Join(env, " "), strings.Join(c.Words, "|")))
	}
	return strings.Join(lines, "\n")
}

func TestParseShell(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", " \n# only a comment", ""},
		{"words", "npx -y @a/b  --x=1", "1:1 ||npx|-y|@a/b|--x=1"},
		{"quotes", `a "b c" 'd "e"' f\ g "h\"i\\j\k" ''`, `1:1 ||a|b c|d "e"|f g|h"i\j\k|`},
		{"joined quotes", `--header="A: b"'c'`, "1:1 ||--header=A: bc"},
		{"environment before", "A=1 B='2 3' npx x", "1:1 |A=1 B=2 3|npx|x"},
		{"exports and cd before", "export A=1 C\nB=2\ncd '/x y' && npx z", "3:14 /x y|A=1 B=2|npx|z"},
		{"two commands", "a b; c\nd", "1:1 ||a|b\n1:6 ||c\n2:1 ||d"},
		{"continued lines", "a \\\n  b \\\r\n  c", "1:1 ||a|b|c"},
		{"cmd and PowerShell lines", "a ^\r\n  b `\r\n  c", "1:1 ||a|b|c"},
		{"comment at the end", "a b # c", "1:1 ||a|b"},
		{"variables", `a $B "${C} $D" ${E:-f g} "${H:-"$I"}" '$J'`, "1:1 ||a|${B}|${C} ${D}|${E:-f g}|${H:-${I}}|$J"},
		{"other programs' references", `a "${env:B}" ${input:c-d}`, "1:1 ||a|${env:B}|${input:c-d}"},
		{"home", "~/bin/x ~ a~ '~/y'", "1:1 ||${HOME}/bin/x|${HOME}|a~|~/y"},
		{"escaped dollar", `a "\$B" \$C`, "1:1 ||a|$B|$C"},
		{"windows path", `C:\Users\lea\x.exe --dir "D:\a b\c" \\host\share`, `1:1 ||C:\Users\lea\x.exe|--dir|D:\a b\c|\\host\share`},
		{"windows relative path", `.\bin\x.exe "say \"hi\""`, `1:1 ||.\bin\x.exe|say "hi"`},
		{"no windows path", `a b\c\d`, "1:1 ||a|bcd"},
		{"column in characters", "é a; b", "1:1 ||é|a\n1:6 ||b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			commands, err := ParseShell([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := spell(commands); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestParseShellRefuses(t *testing.T) {
	for _, tt := range []struct {
		text         string
		line, column int
		message      string
	}{
		{"a 'b", 1, 3, ""},
		{"a\nb \"c", 2, 3, ""},
		{"a | b", 1, 3, "pipes"},
		{"a || b", 1, 3, "pipes"},
		{"a > b", 1, 3, "redirections"},
		{"a &", 1, 1, "plain commands"},
		{"! a", 1, 1, "plain commands"},
		{"if a; then b; fi", 1, 1, "plain commands"},
		{"(a)", 1, 1, "plain commands"},
		{"a $(b)", 1, 3, "never run"},
		{"a \"`b`\"", 1, 4, "never run"},
		{"a <(b)", 1, 3, "never run"},
		{"a $((1+1))", 1, 3, "never run"},
		{"A=$(b) c", 1, 3, "never run"},
		{"export A=`b`", 1, 10, "never run"},
		{"local A=1", 1, 1, "plain commands"},
		{"A+=1 b", 1, 1, "NAME=value"},
		{"A=(1 2) b", 1, 1, "arrays"},
		{"A=(1 2)", 1, 1, "NAME=value"},
		{"a $'b'", 1, 3, "plain quotes"},
		{"a ${B#c}", 1, 3, "only ${NAME}"},
		{"a ${#B}", 1, 3, "only ${NAME}"},
		{"a ${B:1:2}", 1, 3, "only ${NAME}"},
		{"a $1", 1, 3, "only ${NAME}"},
		{"a ${B:-$(c)}", 1, 8, "never run"},
		{"a && b | c", 1, 8, "pipes"},
		{"a\x00", 1, 2, "control character"},
		{strings.Repeat("a", maxShell+1), 1, 1, "too long"},
		{strings.Repeat("(", maxShell), 1, maxDepth + 1, "too deep"},
		{strings.Repeat("$(", maxShell/2), 1, 2*maxDepth + 2, "too deep"},
		{strings.Repeat("a${b:-", maxShell/6), 1, 6*maxDepth + 3, "too deep"},
		{strings.Repeat("if ", maxShell/3), 1, 0, ""},
		{strings.Repeat("! ", maxShell/2), 1, 0, ""},
		{strings.Repeat("[[ ! ", maxShell/5), 1, 0, ""},
		{"a" + strings.Repeat(" && a", maxShell/5-1) + " |", 1, 0, ""},
	} {
		name := tt.text
		if len(name) > 20 {
			name = name[:20]
		}
		t.Run(name, func(t *testing.T) {
			_, err := ParseShell([]byte(tt.text))
			var bad *Error
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if bad.Line != tt.line || tt.column > 0 && bad.Column != tt.column || !strings.Contains(bad.Message, tt.message) {
				t.Errorf("got %v, want line %d, column %d: …%s…", err, tt.line, tt.column, tt.message)
			}
		})
	}
}

func FuzzParseShell(f *testing.F) {
	for _, seed := range []string{`A=1 npx -y "b c" 'd'`, `cd x && C:\a\b.exe ${D:-e}`, "a \\\r\nb ^\n c", "export A=~/x; b $C"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		commands, err := ParseShell(b)
		if err != nil {
			return
		}
		for _, c := range commands {
			if len(c.Words) == 0 || c.Line < 1 || c.Column < 1 {
				t.Fatalf("a command without words or place: %+v", c)
			}
		}
	})
}
