package native

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Each is a way around what is refused, on both connections.
func TestWhatReachesBeyondTheDatabaseIsRefused(t *testing.T) {
	s := newSpace(t)
	d, path := s.shop(t)
	other := filepath.Join(s.allowed, "made.db")
	before := hash(t, path)
	for _, statement := range []string{
		"ATTACH '" + other + "' AS x",
		"aTtAcH/* */DATABASE\n'" + other + "' AS x",
		"EXPLAIN ATTACH '" + other + "' AS x",
		"/* a */ -- b\nATTACH ':memory:' AS x",
		"DETACH main",
		"VACUUM",
		"VACUUM INTO '" + other + "'",
		"vacuum main into '" + other + "'",
		"SELECT load_extension('x.so')",
		"SELECT LOAD_EXTENSION('x.so', 'y')",
		"SELECT \"load_extension\"('x.so')",
		"WITH a AS (SELECT load_extension('x') AS b) SELECT b FROM a",
		"SELECT * FROM item WHERE id IN (SELECT load_extension('x'))",
		"SELECT fts3_tokenizer('simple')",
		"PRAGMA writable_schema = ON",
		"pragma/**/Writable_Schema(1)",
		"PRAGMA main.writable_schema = 1",
		"PRAGMA journal_mode = OFF",
		"PRAGMA journal_mode(WAL)",
		"PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA query_only = OFF",
		"PRAGMA trusted_schema = ON",
		"PRAGMA foreign_keys = OFF",
		"PRAGMA temp_store_directory = '/tmp'",
		"PRAGMA data_store_directory = '/tmp'",
		"PRAGMA schema_version = 1",
		"PRAGMA wal_checkpoint(TRUNCATE)",
		"PRAGMA mmap_size = 1000000000",
		"PRAGMA hard_heap_limit = 1",
		"PRAGMA no_such_pragma",
		"SELECT * FROM pragma_database_list",
		"UPDATE sqlite_schema SET sql = 'x'",
		"INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x(a)')",
		"DELETE FROM sqlite_schema",
		"CREATE VIRTUAL TABLE v USING dbstat",
		"CREATE VIRTUAL TABLE v USING sqlite_dbpage",
		"CREATE VIRTUAL TABLE v USING csv(filename='/etc/passwd')",
		"UPDATE sqlite_dbpage SET data = zeroblob(4096) WHERE pgno = 1",
		"BEGIN",
		"COMMIT",
		"ROLLBACK",
		"END",
		"SAVEPOINT a",
		"RELEASE a",
		"SELECT 1; SELECT 2",
		"SELECT 1; ATTACH ':memory:' AS x",
		"SELECT 1;;-- c\n;DELETE FROM item",
		"SELECT ';' ; DROP TABLE item",
		"SELECT [;] FROM item; DROP TABLE item",
		"CREATE TRIGGER a AFTER INSERT ON item BEGIN SELECT 1; END; DROP TABLE item",
		"",
		" -- nothing\n;;",
		"SELECT 1\x00; DROP TABLE item",
		"SELECT " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000),
	} {
		fails(t, d, "fetch_results", args{"query": statement}, "")
		fails(t, d, "execute", args{"statement": statement}, "")
		if got := call(t, d, "execute", args{"statement": statement}); got.text() == "" {
			t.Errorf("%s is refused without a word", statement)
		}
	}
	if hash(t, path) != before {
		t.Error("the database changed")
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("another file was made")
	}
	fails(t, d, "execute", args{"statement": "ATTACH 'x' AS y"}, "Not allowed here: ATTACH")
	fails(t, d, "execute", args{"statement": "SELECT Load_Extension('x')"}, "Not allowed here: the function load_extension")
	fails(t, d, "fetch_results", args{"query": "PRAGMA journal_mode=OFF"}, "Not allowed here: PRAGMA journal_mode")
}

// What lies in the file waits for a statement that sets it off.
func TestTriggersAndViewsAreGuarded(t *testing.T) {
	s := newSpace(t)
	s.make(t, "trap.db", "CREATE TABLE t(a)", "CREATE VIEW v AS SELECT load_extension('x') AS b",
		"CREATE TRIGGER w AFTER INSERT ON t BEGIN SELECT load_extension('y'); END", "CREATE TABLE u(a)",
		"CREATE VIEW y AS SELECT * FROM u",
		"CREATE TRIGGER z INSTEAD OF INSERT ON y BEGIN DELETE FROM u; END", "INSERT INTO u VALUES (1)")
	d := s.database(t)
	works[connectFacts](t, d, "connect", args{"database": "trap.db"})
	fails(t, d, "fetch_results", args{"query": "SELECT * FROM v"}, "load_extension")
	fails(t, d, "execute", args{"statement": "INSERT INTO t VALUES (1)"}, "load_extension")
	fails(t, d, "fetch_results", args{"query": "INSERT INTO y VALUES (1)"}, "Not allowed here")
	works[executeFacts](t, d, "execute", args{"statement": "INSERT INTO y VALUES (1)"})
}

func TestFetchDoesNotWrite(t *testing.T) {
	s := newSpace(t)
	d, path := s.shop(t)
	before := hash(t, path)
	for _, statement := range []string{
		"DELETE FROM item", "WITH x AS (SELECT 1) DELETE FROM item", "INSERT INTO item(name) VALUES ('a') RETURNING id", "EXPLAIN DELETE FROM item",
		"CREATE TABLE x(a)", "CREATE TEMP TABLE x(a)", "CREATE TEMP VIEW x AS SELECT 1", "DROP TABLE item", "REPLACE INTO item(id, name) VALUES (1, 'x')",
		"PRAGMA user_version = 9", "PRAGMA application_id = 9", "ANALYZE", "REINDEX", "ALTER TABLE item RENAME TO x", "PRAGMA optimize",
		"PRAGMA incremental_vacuum",
	} {
		fails(t, d, "fetch_results", args{"query": statement}, "")
	}
	if hash(t, path) != before {
		t.Error("the database changed")
	}
	for _, query := range []string{"EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT * FROM item", "PRAGMA table_info(item)", "VALUES (1, 2)", "PRAGMA integrity_check", "PRAGMA user_version"} {
		works[fetchFacts](t, d, "fetch_results", args{"query": query})
	}
}

// Whatever is asked, reading leaves the file as it is, byte for byte, and no other file behind.
func TestFetchNeverChangesTheFile(t *testing.T) {
	s := newSpace(t)
	d, path := s.shop(t)
	before := hash(t, path)
	word := rapid.SampledFrom(strings.Fields(`SELECT DELETE FROM item part WHERE UPDATE SET name = 'x' INSERT INTO VALUES ( ) , ; * 1 PRAGMA user_version
		journal_mode writable_schema ON ATTACH AS VACUUM 'made.db' CREATE TABLE TEMP TRIGGER VIEW BEGIN COMMIT END DROP ALTER RETURNING WITH RECURSIVE
		EXPLAIN REPLACE UNION ALL load_extension -- /* */ " [ ] pragma_table_info sqlite_schema ? :a`))
	rapid.Check(t, func(r *rapid.T) {
		query := strings.Join(rapid.SliceOfN(word, 1, 12).Draw(r, "query"), " ")
		call(t, d, "fetch_results", args{"query": query, "limit": 3})
		if hash(t, path) != before {
			r.Fatalf("%s changed the file", query)
		}
	})
	left, err := os.ReadDir(s.allowed)
	must(t, err)
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
