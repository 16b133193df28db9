package transport

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestFindWindows(t *testing.T) {
	files := []string{
		`C:\node\npx.cmd`, `C:\node\npx`, `C:\Program Files\py\python.exe`, `D:\work\run.bat`, `D:\work\bin\tool.exe`, `C:\odd\data.txt`,
	}
	exists := func(file string) bool {
		return slices.ContainsFunc(files, func(f string) bool { return strings.EqualFold(f, file) })
	}
	path := `C:\node;"C:\Program Files\py";.\here;C:\odd\`
	tests := []struct{ command, want string }{
		{"npx", `C:\node\npx.cmd`}, // not the shell script beside it
		{"NPX.CMD", `C:\node\NPX.CMD`},
		{"python", `C:\Program Files\py\python.exe`},
		{`.\run`, `D:\work\run.bat`},
		{`bin\tool`, `D:\work\bin\tool.exe`},
		{"bin/tool", `D:\work\bin/tool.exe`},
		{`D:\work\run.bat`, `D:\work\run.bat`},
		{"data.txt", ""}, // no program
		{"run", ""},      // never from the folder we are in
		{"", ""},
	}
	for _, test := range tests {
		got, err := findWindows(test.command, `D:\work`, path, ".EXE;bat;.cmd;", func(f string) bool {
			return exists(strings.ReplaceAll(f, "/", `\`))
		})
		if (err != nil) != (test.want == "") || got != test.want {
			t.Errorf("%q: %q, %v, want %q", test.command, got, err, test.want)
		}
	}
	if _, err := findWindows("npx", "", path, "", exists); err != nil {
		t.Errorf("with the standard extensions: %v", err)
	}
	if _, err := findWindows("none", "", path, "", exists); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestWindowsCommandLine(t *testing.T) {
	tests := []struct {
		name string
		file string
		args []string
		want string
	}{
		{"plain", `C:\py\python.exe`, []string{"-m", "server"}, `C:\py\python.exe -m server`},
		{"spaces", `C:\Program Files\x.exe`, []string{"my files", ""}, `"C:\Program Files\x.exe" "my files" ""`},
		{"backslashes before a quote", `C:\x.exe`, []string{`a\"b`, `c d\`, `e\f`}, `C:\x.exe "a\\\"b" "c d\\" e\f`},
		{
			"batch", `C:\Program Files\nodejs\npx.cmd`,
			[]string{"-y", "@scope/server", "my files"},
			`C:\cmd.exe /d /v:off /s /c ""C:\Program Files\nodejs\npx.cmd" "-y" "@scope/server" "my files""`,
		},
		{"operators stay text", `C:\npx.cmd`, []string{"a&b|c<d>e^f"}, `C:\cmd.exe /d /v:off /s /c ""C:\npx.cmd" "a&b|c<d>e^f""`},
		{"percent does not expand", `C:\npx.cmd`, []string{"%PATH%"}, `C:\cmd.exe /d /v:off /s /c ""C:\npx.cmd" "%%cd:~,%PATH%%cd:~,%""`},
		{"a quote in a batch argument", `C:\npx.cmd`, []string{`{"a":1}`, `end\`}, `C:\cmd.exe /d /v:off /s /c ""C:\npx.cmd" "{""a"":1}" "end\\""`},
	}
	for _, test := range tests {
		got, err := windowsCommandLine(`C:\cmd.exe`, test.file, test.args)
		if err != nil || got != test.want {
			t.Errorf("%s:\n got %s (%v)\nwant %s", test.name, got, err, test.want)
		}
	}
	if _, err := windowsCommandLine("cmd", "a.bat", []string{"two\nlines"}); err == nil {
		t.Error("a line break goes through")
	}
}
