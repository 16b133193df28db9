package native

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestFetchGivesRows(t *testing.T) {
	s := newSpace(t)
	d, _ := s.shop(t)
	got, facts := works[fetchFacts](t, d, "fetch_results", args{"query": "SELECT * FROM item ORDER BY id DESC; -- all"})
	want := [][]any{
		{2.0, "pot", 20.0, nil, nil, nil},
		{1.0, "cup", 4.5, "2026-01-02 03:04", "2026-01-02", map[string]any{"$blob": map[string]any{"base64": "AP8=", "bytes": 2.0}}},
	}
	if !reflect.DeepEqual(facts.Rows, want) || strings.Join(facts.Columns, " ") != "id name price made day picture" || facts.More || facts.RowCount != 2 {
		t.Errorf("%+v", facts)
	}
	var text fetchFacts
	if json.Unmarshal([]byte(got.text()), &text) != nil || !reflect.DeepEqual(text, facts) {
		t.Errorf("the text is %s", got.text())
	}
	for query, parameters := range map[string]any{
		"SELECT id FROM item WHERE name = ? AND price < ?":            []any{"cup", 5},
		"SELECT id FROM item WHERE name = :name AND made = @made":     args{"name": "cup", "made": "2026-01-02 03:04"},
		"SELECT id FROM item WHERE picture = ?":                       []any{args{"$blob": args{"base64": "AP8="}}},
		"SELECT id FROM item WHERE id = ?1 AND id = ?1":               []any{true},
		"WITH x AS (SELECT 1 AS y) SELECT y FROM x WHERE ? IS NULL":   []any{nil},
		"SELECT 1 WHERE ? = 9007199254740993":                         []any{json.Number("9007199254740993")},
		"SELECT 1 WHERE ? = 9007199254740993 AND 'a;b' = 'a;b' /*;*/": []any{args{"$integer": "9007199254740993"}},
	} {
		if _, facts := works[fetchFacts](t, d, "fetch_results", args{"query": query, "parameters": parameters}); facts.RowCount != 1 || facts.Rows[0][0] != 1.0 {
			t.Errorf("%s: %+v", query, facts)
		}
	}
}

func TestValuesComeWithoutSilentLoss(t *testing.T) {
	s := newSpace(t)
	d, _ := s.shop(t)
	for expression, want := range map[string]string{
		"9007199254740992":      `9007199254740992`,
		"9007199254740993":      `{"$integer":"9007199254740993"}`,
		"-9223372036854775808":  `{"$integer":"-9223372036854775808"}`,
		"9e999":                 `{"$real":"Inf"}`,
		"-9e999":                `{"$real":"-Inf"}`,
		"NULL":                  `null`,
		"'é'":                   `"é"`,
		"x''":                   `{"$blob":{"base64":"","bytes":0}}`,
		"1.5":                   `1.5`,
		"CAST(x'41ff' AS TEXT)": `{"$text":{"start":"A\ufffd","bytes":2,"replaced":true}}`,
	} {
		got := call(t, d, "fetch_results", args{"query": "SELECT " + expression})
		if !strings.Contains(got.text(), `"rows":[[`+want+`]]`) {
			t.Errorf("%s gave %s", expression, got.text())
		}
	}
	got := call(t, d, "fetch_results", args{"query": "SELECT zeroblob(100000), printf('%.*c', 100000, 'x')"})
	if !strings.Contains(got.text(), `"bytes":100000,"cut":true`) || strings.Count(got.text(), `"cut":true`) != 2 {
		t.Errorf("%.200s", got.text())
	}
	fails(t, d, "fetch_results", args{"query": "SELECT zeroblob(100000000)"}, "larger than 67108864 bytes")
	for _, bad := range []any{[]any{[]any{1}}, []any{args{"a": 1}}, []any{json.Number("99999999999999999999")}, []any{args{"$blob": args{"base64": "?"}}}} {
		fails(t, d, "fetch_results", args{"query": "SELECT ?", "parameters": bad}, "cannot be used")
	}
	fails(t, d, "fetch_results", args{"query": "SELECT ?, ?", "parameters": []any{1}}, "missing")
}

func TestFetchIsBounded(t *testing.T) {
	s := newSpace(t)
	d, _ := s.shop(t)
	const many = "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM n) SELECT x, %s FROM n"
	_, facts := works[fetchFacts](t, d, "fetch_results", args{"query": fmt.Sprintf(many, "1")})
	if facts.RowCount != usualRows || !facts.More || !strings.Contains(facts.Note, "more rows than these 100") {
		t.Errorf("%d rows, %s", facts.RowCount, facts.Note)
	}
	_, facts = works[fetchFacts](t, d, "fetch_results", args{"query": fmt.Sprintf(many, "printf('%.*c', 10000, 'x')"), "limit": 1000})
	if facts.RowCount != maxAnswer/10_010 || !facts.More || !strings.Contains(facts.Note, "fill the result") {
		t.Errorf("%d rows, %s", facts.RowCount, facts.Note)
	}
}

// A query without end ends with its call.
func TestALongQueryIsInterrupted(t *testing.T) {
	s := newSpace(t)
	d, path := s.shop(t)
	before := hash(t, path)
	const endless = "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM n) "
	for tool, arguments := range map[string]args{
		"fetch_results": {"query": endless + "SELECT count(*) FROM n"},
		"execute":       {"statement": "INSERT INTO part SELECT 1, x FROM (" + endless + "SELECT x FROM n)"},
	} {
		raw, err := json.Marshal(arguments)
		must(t, err)
		endsEarly(t, d, tool, raw)
	}
	if hash(t, path) != before {
		t.Error("a call that was given up left something behind")
	}
}

// endsEarly runs a call that has no end of its own.
func endsEarly(t *testing.T, m Module, tool string, arguments json.RawMessage) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, domain.ErrEnding)
	defer cancel()
	if result, err := m.Call(ctx, tool, arguments); !errors.Is(err, domain.ErrEnding) {
		t.Errorf("%s: %v %.300s", tool, err, result.Raw)
	}
}

// A database that another program has open in WAL mode is read as it stands, and its file is not touched.
func TestADatabaseInUseIsRead(t *testing.T) {
	s := newSpace(t)
	path := s.make(t, "wal.db", "PRAGMA journal_mode = WAL", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "INSERT INTO t VALUES (2)")
	must(t, err)
	before := hash(t, path)
	d := s.database(t)
	works[connectFacts](t, d, "connect", args{"database": path})
	if _, facts := works[fetchFacts](t, d, "fetch_results", args{"query": "SELECT a FROM t"}); facts.RowCount != 2 {
		t.Errorf("%+v", facts)
	}
	if hash(t, path) != before {
		t.Error("the database changed")
	}
	works[executeFacts](t, d, "execute", args{"statement": "INSERT INTO t VALUES (3)"})
	var rows int
	must(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM t").Scan(&rows))
	if rows != 3 {
		t.Errorf("the other program sees %d rows", rows)
	}
}

func TestExecuteIsOneTransaction(t *testing.T) {
	s := newSpace(t)
	d, _ := s.shop(t)
	_, facts := works[executeFacts](t, d, "execute", args{"statement": "INSERT INTO item(id, name) VALUES (?, ?), (9007199254740993, 'big')", "parameters": []any{7, "lid"}})
	if facts.RowsAffected != 2 || !reflect.DeepEqual(facts.LastInsertID, map[string]any{"$integer": "9007199254740993"}) {
		t.Errorf("%+v", facts)
	}
	fails(t, d, "execute", args{"statement": "INSERT INTO item(id, name) VALUES (50, 'new'), (51, 'cup')"}, "UNIQUE constraint failed")
	_, rows := works[fetchFacts](t, d, "fetch_results", args{"query": "SELECT id FROM item WHERE id BETWEEN 50 AND 51"})
	if rows.RowCount != 0 {
		t.Error("half of a statement stayed")
	}
	for _, statement := range []string{
		"UPDATE item SET price = 1", "DELETE FROM part", "CREATE TABLE more(a)", "ALTER TABLE more ADD COLUMN b", "DROP TABLE more",
		"CREATE TRIGGER keep AFTER DELETE ON item BEGIN INSERT INTO part VALUES (NULL, 'gone'); SELECT CASE WHEN 1 THEN 2 END AS c; END;",
		"DELETE FROM item WHERE name = 'lid'", "ANALYZE", "REINDEX", "PRAGMA user_version = 7", "CREATE VIRTUAL TABLE words USING fts5(text)",
		"INSERT INTO words VALUES ('a word')", "INSERT INTO part VALUES (2, 'x') RETURNING item",
	} {
		works[executeFacts](t, d, "execute", args{"statement": statement})
	}
	for query, want := range map[string]any{
		"SELECT name FROM part WHERE item IS NULL": "gone", "PRAGMA user_version": 7.0, "SELECT text FROM words WHERE words MATCH 'word'": "a word",
		"SELECT name FROM part WHERE item = 2": "x",
	} {
		if _, rows := works[fetchFacts](t, d, "fetch_results", args{"query": query}); rows.RowCount != 1 || rows.Rows[0][0] != want {
			t.Errorf("%s: %+v", query, rows)
		}
	}
	fails(t, d, "execute", args{"statement": "INSERT INTO part VALUES (12345, 'of nothing')"}, "FOREIGN KEY")
}

func TestTheSchemaIsDescribed(t *testing.T) {
	s := newSpace(t)
	d, _ := s.shop(t)
	_, tables := works[fetchFacts](t, d, "list_tables", args{})
	if fmt.Sprint(tables.Rows) != "[[cheap view] [item table] [part table]]" {
		t.Errorf("%+v", tables)
	}
	_, facts := works[describeFacts](t, d, "describe", args{"table": "ITEM"})
	if facts.Table != "item" || facts.Columns.RowCount != 6 || fmt.Sprint(facts.Columns.Rows[1][:5]) != "[name TEXT 1 <nil> 0]" ||
		fmt.Sprint(facts.Indexes.Rows) != "[[item_name 1 c name]]" || !strings.HasPrefix(facts.SQL, "CREATE TABLE item") {
		t.Errorf("%+v", facts)
	}
	_, facts = works[describeFacts](t, d, "describe", args{"table": "part"})
	if fmt.Sprint(facts.ForeignKeys.Rows) != "[[item item id NO ACTION NO ACTION]]" {
		t.Errorf("%+v", facts.ForeignKeys)
	}
	fails(t, d, "describe", args{"table": "x'); DROP TABLE item; --"}, "There is no table")
}

func TestOnlyDatabasesInAllowedFoldersAreConnected(t *testing.T) {
	s := newSpace(t)
	outside := filepath.Join(s.other, "outside.db")
	must(t, os.Rename(s.make(t, "outside.db", "CREATE TABLE t(a)"), outside))
	good := filepath.Join(s.allowed, "a file?mode=rwc&x#y%41.db")
	must(t, os.Rename(s.make(t, "plain.db", "CREATE TABLE t(a)"), good))
	s.write(t, "text", "SQLite format 2, or so")
	s.write(t, "apollia.db", strings.Repeat("\x00", 16)+"\xed\xda\x0c\xed")
	must(t, os.Symlink(outside, filepath.Join(s.allowed, "out.db")))
	must(t, os.Symlink(filepath.Base(good), filepath.Join(s.allowed, "in.db")))
	d := s.database(t)
	fails(t, d, "fetch_results", args{"query": "SELECT 1"}, "No database is connected")
	for path, words := range map[string]string{
		outside: "in none of the allowed folders", "out.db": "leads out of", "../" + filepath.Base(s.other) + "/outside.db": "in none of",
		"text": "no SQLite database", "apollia.db": "no SQLite database", "missing.db": "nothing at", ".": "is a folder", "": "no path of a file",
		":memory:": "no path of a file", "file:" + good + "?mode=rwc": "no path of a file", "file::memory:?cache=shared": "no path of a file",
		good + "?mode=rwc": "nothing at", "a\x00b": "zero byte",
	} {
		fails(t, d, "connect", args{"database": path}, words)
	}
	if _, err := os.Stat(filepath.Join(s.allowed, "missing.db")); err == nil {
		t.Error("a database was made")
	}
	fails(t, d, "connect", args{"database": good, "driver": "postgres"}, "Use sqlite")
	_, facts := works[connectFacts](t, d, "connect", args{"database": good})
	if facts.Database != good || facts.Tables != 1 {
		t.Errorf("%+v", facts)
	}
	works[fetchFacts](t, d, "fetch_results", args{"query": "SELECT * FROM t"})
	works[connectFacts](t, d, "connect", args{"database": "in.db"})
	fails(t, d, "fetch_results", args{"query": "SELECT * FROM t"}, "must name one")
	works[fetchFacts](t, d, "fetch_results", args{"query": "SELECT * FROM t", "database": "in.db"})
	// The link that was good leads elsewhere now.
	must(t, os.Remove(filepath.Join(s.allowed, "in.db")))
	must(t, os.Symlink(outside, filepath.Join(s.allowed, "in.db")))
	fails(t, d, "fetch_results", args{"query": "SELECT * FROM t", "database": "in.db"}, "leads out of")
	for i := range maxConnected {
		name := fmt.Sprintf("%d.db", i)
		s.write(t, name, "")
		if got := call(t, d, "connect", args{"database": name}); got.IsError != (i >= maxConnected-2) {
			t.Errorf("%d: %s", i, got.text())
		}
	}
}
