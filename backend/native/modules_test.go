package native

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

func (s space) modules(t *testing.T) []Module {
	t.Helper()
	return []Module{s.files(t), s.database(t)}
}

func (s space) database(t *testing.T) *Database {
	t.Helper()
	d, err := NewDatabase([]string{s.allowed}, s.check)
	must(t, err)
	return d
}

// make writes a database with the real thing, as any other program would.
func (s space) make(t *testing.T, name string, statements ...string) string {
	t.Helper()
	path := filepath.Join(s.allowed, name)
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	for _, statement := range statements {
		_, err := db.ExecContext(context.Background(), statement)
		must(t, err)
	}
	return path
}

// shop is a connected database with a few rows.
func (s space) shop(t *testing.T) (d *Database, path string) {
	t.Helper()
	path = s.make(t, "shop.db",
		"CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, made DATETIME, day DATE, picture BLOB)",
		"CREATE TABLE part (item INTEGER REFERENCES item(id), name TEXT)",
		"CREATE UNIQUE INDEX item_name ON item(name)",
		"CREATE VIEW cheap AS SELECT * FROM item WHERE price < 10",
		"INSERT INTO item VALUES (1, 'cup', 4.5, '2026-01-02 03:04', '2026-01-02', x'00ff'), (2, 'pot', 20, NULL, NULL, NULL)") //nolint:dupword // columns
	d = s.database(t)
	works[connectFacts](t, d, "connect", args{"driver": "sqlite", "database": "shop.db"})
	return d, path
}

func hash(t *testing.T, path string) [32]byte {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	return sha256.Sum256(content)
}
