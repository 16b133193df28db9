package native

import (
	"strings"
	"testing"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

func TestOnlyOneStatementIsTaken(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1":                       "SELECT 1",
		" SELECT 1 ; ;; -- x":            " SELECT 1 ",
		"SELECT ';', \"a;b\", [;], `;`;": "SELECT ';', \"a;b\", [;], `;`",
		"SELECT 'it''s;' ;":              "SELECT 'it''s;' ",
		"SELECT /* ; */ 1 -- ;":          "SELECT /* ; */ 1 -- ;",
		"CREATE TEMP TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END AS c; END;": "CREATE TEMP TRIGGER a AFTER INSERT ON b BEGIN " +
			"SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END AS c; END",
		"SELECT create, trigger FROM x; ": "SELECT create, trigger FROM x",
		"SELECT 1; SELECT 2":              "",
		"SELECT 1; x":                     "",
		"":                                "",
		";;":                              "",
		"-- a":                            "",
		"CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END; DROP TABLE b": "",
		strings.Repeat("x", maxSQL+1):                                          "",
	} {
		if got, err := alone(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%.200q gave %q (%v), want %q", text, got, err, want)
		}
	}
}

// What is taken for one statement, SQLite does not take for more: after what is given to it, it says with a semicolon
// that the statement is complete, and without one that it is not.
func FuzzStatement(f *testing.F) {
	for _, seed := range []string{
		"SELECT 1;", "SELECT ';'", "CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END", "SELECT [;", "/* ; */ SELECT 1 -- ;", "explain create temp trigger x;end",
		"/*", "SELECT 1/*", "'a''b';", "end;", "create trigger;end;",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, err := alone(text)
		if err != nil {
			return
		}
		// sqlite3_complete is true at the first place where a statement is whole, so within one it is never true before the end.
		for i := range len(one) {
			if one[i] == ';' && complete(t, one[:i+1]) && strings.Trim(one[:i+1], "; \t\r\n\f") != "" && !onlyComments(one[:i]) {
				t.Fatalf("%q is more than one statement: %q is whole", one, one[:i+1])
			}
		}
	})
}

func onlyComments(text string) bool {
	s := scanner{text: text}
	for s.next() {
		if s.token != ";" {
			return false
		}
	}
	return true
}

func complete(t *testing.T, text string) bool {
	t.Helper()
	tls := libc.NewTLS()
	defer tls.Close()
	raw, err := libc.CString(text)
	must(t, err)
	defer libc.Xfree(tls, raw)
	return sqlite3.Xsqlite3_complete(tls, raw) == 1
}
