package syntax

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"mvdan.cc/sh/v3/expand"
	shell "mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"
)

func TestShellLine(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{"npx", "-y", "@acme/files@1.2", "--root=/srv", "a:b,c"}, "npx -y @acme/files@1.2 --root=/srv a:b,c"},
		{[]string{"npx", "", "two words", "it's"}, `npx '' 'two words' 'it'"'"'s'`},
		{[]string{"npx", "${TOKEN}", "$(rm x)", "a;b", "*", "~", "#x", "!x", "{a,b}", "[a]", "=x"}, "npx '${TOKEN}' '$(rm x)' 'a;b' '*' '~' '#x' '!x' '{a,b}' '[a]' '=x'"},
		{[]string{`C:\Program Files\x.exe`, `a\b`}, `'C:\Program Files\x.exe' 'a\b'`},
		{[]string{"é", "a  b"}, "'é' 'a  b'"},
		{[]string{"npx", "a\nb", "a\tb", "a b", "a\u202eb", "a\u200bb", "it's\x1b[2J", "a\\\nb", "\U000e0041"}, `npx $'a\nb' $'a\tb' 'a b' $'a\u202eb' $'a\u200bb' $'it\'s\x1b[2J' $'a\\\nb' $'\U000e0041'`},
		{[]string{"A=1", "A=1"}, "'A=1' A=1"},
		{[]string{"time", "time"}, "'time' time"},
	} {
		if got := ShellLine(test.words...); got != test.want {
			t.Errorf("%q is written %s, want %s", test.words, got, test.want)
		}
	}
}

// words are those of one command, as a shell would pass them to the program.
func words(t *rapid.T, line string) (read []string) {
	file, err := shell.NewParser(shell.Variant(shell.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if len(file.Stmts) != 1 || file.Stmts[0].Background || file.Stmts[0].Negated || len(file.Stmts[0].Redirs) > 0 {
		t.Fatalf("%s is not one command", line)
	}
	call, ok := file.Stmts[0].Cmd.(*shell.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		t.Fatalf("%s is no simple command", line)
	}
	read, err = expand.Fields(&expand.Config{NoUnset: true}, call.Args...)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return read
}

func TestAShellReadsTheSameWordsAgain(t *testing.T) {
	word := rapid.OneOf(
		rapid.SampledFrom([]string{"npx", "time", "if", "A=1", "=x", "-y", "~/x", `C:\x\y`, "it's", "a\\\nb", "a ^\nb", "${X}", "`x`", "\u202e"}),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab=$'\"\\ \n\t*?[]{}()<>|&;#~!^%`-é\u200b\U0001F600")), 0, 12, -1),
		rapid.StringN(0, 8, -1),
	).Filter(func(w string) bool { return !strings.ContainsRune(w, 0) }) // no program takes one
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(word, 1, 5).Draw(t, "words")
		line := ShellLine(want...)
		if got := words(t, line); !slices.Equal(got, want) {
			t.Fatalf("%s is read as %q, want %q", line, got, want)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q has what cannot be seen", line)
		}
		if strings.Contains(line, "$'") || slices.ContainsFunc(want, func(w string) bool { return strings.Contains(w, "$") }) {
			return // those the reader of pasted commands refuses, or tells from its own variables
		}
		read, err := ParseShell([]byte(line))
		if err != nil || len(read) != 1 || !slices.Equal(read[0].Words, want) {
			t.Fatalf("pasted, %s is read as %+v, %v", line, read, err)
		}
	})
}

// A path of Windows has the reader of pasted commands leave backslashes as they are, in the whole line.
func TestAQuoteBesideAPathOfWindowsReadsBack(t *testing.T) {
	want := []string{`C:\x\y`, "'", "it's"}
	read, err := ParseShell([]byte(ShellLine(want...)))
	if err != nil || len(read) != 1 || !slices.Equal(read[0].Words, want) {
		t.Errorf("%s is read as %+v, %v", ShellLine(want...), read, err)
	}
}
