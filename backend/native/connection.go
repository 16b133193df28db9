package native

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Bounds of SQLite itself.
const (
	maxValue  = 64 << 20 // bytes of one text, blob or row
	maxSQL    = 100_000  // bytes of a statement
	maxParams = 1000
)

// connection is one connection to one file, for one call.
type connection struct {
	conn  *sql.Conn
	guard *guard
}

// reading opens the file so that nothing can be written by it: SQLite opens it read-only, query_only is on, and the
// guard refuses whatever is no reading.
func (f databaseFile) reading(ctx context.Context, use func(*connection) error) error {
	return f.open(ctx, "ro", &guard{}, use)
}

// writing opens the file for one statement that changes it.
func (f databaseFile) writing(ctx context.Context, use func(*connection) error) error {
	return f.open(ctx, "rw", &guard{writes: true}, use)
}

func (f databaseFile) open(ctx context.Context, mode string, g *guard, use func(*connection) error) (err error) {
	base, err := sqlite.NewConnector(f.address(mode))
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	db := sql.OpenDB(guarded{base, g})
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return f.explain(err, g)
	}
	defer func() {
		if closed := conn.Close(); closed != nil && err == nil {
			err = closed
		}
	}()
	for limit, value := range map[int]int{
		sqlite3.SQLITE_LIMIT_ATTACHED: 0, sqlite3.SQLITE_LIMIT_LENGTH: maxValue, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2 * maxSQL,
		sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: maxParams, sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
	} {
		if _, err := sqlite.Limit(conn, limit, value); err != nil {
			return fmt.Errorf("bound database: %w", err)
		}
	}
	if err := f.same(); err != nil {
		return err
	}
	if err := use(&connection{conn, g}); err != nil {
		return f.explain(err, g)
	}
	return nil
}

// address is the URI that SQLite opens. The path in it is escaped, so that nothing in a name becomes a parameter.
func (f databaseFile) address(mode string) string {
	path := filepath.ToSlash(f.resolved)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	settings := url.Values{
		"mode": {mode}, "_defensive": {"1"}, "_error_rc": {"1"}, "_busy_timeout": {"5000"},
		"_pragma": {"trusted_schema(0)", "cell_size_check(1)", "mmap_size(0)", "foreign_keys(1)"},
	}
	if mode == "ro" {
		settings.Set("_query_only", "1")
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: settings.Encode()}).String()
}

// guarded gives every connection its guard before anybody can use it.
type guarded struct {
	driver.Connector

	guard *guard
}

// Connect opens a connection.
func (g guarded) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := g.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	watched, ok := conn.(sqlite.AuthorizerRegisterer)
	if !ok {
		return nil, errors.Join(errors.New("this SQLite has no authorizer"), conn.Close())
	}
	if err := watched.RegisterAuthorizer(g.guard.judge); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// row asks for one row of our own.
func (c *connection) row(ctx context.Context, query string, values ...any) *sql.Row {
	return c.conn.QueryRowContext(ctx, query, values...)
}

// explain says what SQLite said, and what the guard did.
func (f databaseFile) explain(err error, g *guard) error {
	failure, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	if g.denied != "" { // the codes for it differ: of a function it is SQLITE_ERROR
		return refuse("Not allowed here: %s.", g.denied)
	}
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_READONLY:
		return refuse("The connection of this tool only reads. Use execute to change data. (%s)", failure.Error())
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return refuse("Another program is using %s. Try again.", f.written)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return refuse("%s is no SQLite database, or is damaged.", f.written)
	case sqlite3.SQLITE_TOOBIG:
		return refuse("A value is larger than %d bytes. Ask for a part of it with substr().", maxValue)
	case sqlite3.SQLITE_CANTOPEN:
		return refuse("SQLite cannot open %s. (%s)", f.written, failure.Error())
	}
	return refuse("SQLite: %s", failure.Error())
}
