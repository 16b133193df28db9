package native

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"apollia.fr/connexions/backend/domain"
)

// maxConnected is how many databases one module knows at most.
const maxConnected = 16

// Database works with SQLite files within allowed folders. A connection lives for one call: what connect does is to
// look at the file and to remember it.
//
// There is no :memory: database: it would be gone with its connection, and agents have no use for an empty one. No
// file is made either, and no parameters of SQLite's URIs are taken.
type Database struct {
	toolset
	allowed allowed

	mu sync.Mutex
	// connected are the full paths of what was connected, as they were written.
	connected []string
}

// NewDatabase makes the module database. Folders and check are as for NewFilesystem.
func NewDatabase(folders []string, check func(folder string) error) (*Database, error) {
	within, err := allow(folders, check)
	if err != nil {
		return nil, err
	}
	d := &Database{allowed: within}
	const which = `"database":{"type":"string","description":"Path of a connected database; may be left out while there is only one"}`
	const parameters = `"parameters":{"type":["array","object"],"description":"Values for ?, or by name for :name; ` +
		`{\"$blob\":{\"base64\":\"…\"}} and {\"$integer\":\"…\"} as in results"}`
	d.toolset = toolset{id: "database", tools: []tool{
		reading("connect", "Connect a database", "Makes an SQLite file known to the other tools. The file must be there and in an allowed folder.",
			`{"type":"object","properties":{
				"driver":{"enum":["sqlite"],"default":"sqlite"},
				"database":{"type":"string","description":"Full path, or path below the only allowed folder"}
			},"required":["database"],"additionalProperties":false}`, d.connect),
		reading("list_tables", "List tables", "Lists the tables and views of a database.",
			`{"type":"object","properties":{`+which+`},"additionalProperties":false}`, d.listTables),
		reading("describe", "Describe a table", "Gives the columns, indexes and foreign keys of one table or view, and the SQL that made it.",
			`{"type":"object","properties":{`+which+`,"table":{"type":"string"}},"required":["table"],"additionalProperties":false}`, d.describe),
		reading("fetch_results", "Query", "Runs one SELECT on a connection that can only read, and gives the rows. Integers beyond 2^53 come as "+
			"{\"$integer\":\"…\"}, blobs as {\"$blob\":{\"base64\":\"…\",\"bytes\":n}}, "+
			"texts that are long or no UTF-8 as {\"$text\":{\"start\":\"…\",\"bytes\":n}}.",
			`{"type":"object","properties":{`+which+`,"query":{"type":"string","minLength":1,"maxLength":100000},`+parameters+`,
				"limit":{"type":"integer","minimum":1,"maximum":1000,"default":100,"description":"Most rows to give"}
			},"required":["query"],"additionalProperties":false}`, d.fetch),
		{
			name: "execute", title: "Change data", effect: domain.Destroys, run: typed(d.execute),
			description: "Runs one statement that changes data or tables, in a transaction of its own: all of it or nothing. " +
				"Gives how many rows it changed.",
			input: `{"type":"object","properties":{` + which + `,"statement":{"type":"string","minLength":1,"maxLength":100000},` + parameters + `
			},"required":["statement"],"additionalProperties":false}`,
		},
	}}
	return d, nil
}

type connectArguments struct {
	Driver   string `json:"driver"`
	Database string `json:"database"`
}

type connectFacts struct {
	Database string `json:"database"`
	Tables   int    `json:"tables"`
	Bytes    int64  `json:"bytes"`
}

func (d *Database) connect(ctx context.Context, wanted connectArguments) (answer, error) {
	if wanted.Driver != "" && wanted.Driver != "sqlite" {
		return answer{}, refuse("The driver %q is not there. Use sqlite.", wanted.Driver)
	}
	file, err := d.locate(wanted.Database)
	if err != nil {
		return answer{}, err
	}
	facts := connectFacts{Database: file.written, Bytes: file.info.Size()}
	err = file.reading(ctx, func(c *connection) error {
		return c.row(ctx, "SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").Scan(&facts.Tables)
	})
	if err != nil {
		return answer{}, err
	}
	if err := d.remember(file.written); err != nil {
		return answer{}, err
	}
	return sayJSON(facts)
}

func (d *Database) remember(database string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if slices.Contains(d.connected, database) {
		return nil
	}
	if len(d.connected) == maxConnected {
		return refuse("%d databases are connected already, and there is no room for more.", maxConnected)
	}
	d.connected = append(d.connected, database)
	return nil
}

// chosen finds the database that a call means. A call that names none goes to the only one there is, never to one of
// several: what a person approved must not run elsewhere because another was connected meanwhile.
func (d *Database) chosen(named string) (databaseFile, error) {
	d.mu.Lock()
	connected := slices.Clone(d.connected)
	d.mu.Unlock()
	switch {
	case len(connected) == 0:
		return databaseFile{}, refuse("No database is connected. Call connect first.")
	case named == "" && len(connected) > 1:
		return databaseFile{}, refuse("Several databases are connected, so \"database\" must name one: %s.", strings.Join(connected, ", "))
	case named == "":
		named = connected[0]
	}
	file, err := d.locate(named)
	if err != nil {
		return databaseFile{}, err
	}
	if !slices.Contains(connected, file.written) {
		return databaseFile{}, refuse("%s is not connected. Call connect first; connected are %s.", named, strings.Join(connected, ", "))
	}
	return file, nil
}

// databaseFile is a file that was looked at and may be opened.
type databaseFile struct {
	// written is the path as a person names it, resolved the one without links.
	written, resolved string
	info              os.FileInfo
}

// locate looks at a file in the same way as filesystem does, and refuses what is no SQLite database.
func (d *Database) locate(path string) (databaseFile, error) {
	if path == "" || strings.HasPrefix(path, ":") || strings.HasPrefix(path, "file:") {
		return databaseFile{}, refuse("%q is no path of a file. Databases in memory and addresses with parameters are not opened.", path)
	}
	at, err := d.allowed.open(path)
	if err != nil {
		return databaseFile{}, err
	}
	defer at.Close()
	opened, info, err := at.openFile(at.name)
	if err != nil {
		return databaseFile{}, err
	}
	defer opened.Close()
	const magic = "SQLite format 3\x00"
	start := make([]byte, len(magic))
	if n, _ := opened.ReadAt(start, 0); info.Size() > 0 && (n < len(magic) || string(start) != magic) {
		return databaseFile{}, refuse("%s is no SQLite database.", at.full(at.name))
	}
	file := databaseFile{written: at.full(at.name), info: info}
	if file.resolved, err = filepath.EvalSymlinks(file.written); err != nil {
		return databaseFile{}, at.named(at.name, err)
	}
	if err := d.allowed.check(filepath.Dir(file.resolved)); err != nil {
		return databaseFile{}, err
	}
	return file, file.same()
}

// same says whether the path still leads to the file that was looked at. SQLite opens files by their names.
func (f databaseFile) same() error {
	now, err := os.Lstat(f.resolved)
	if err != nil {
		return fmt.Errorf("look at database: %w", err)
	}
	if !os.SameFile(now, f.info) {
		return refuse("%s is being replaced by another file. Try again.", f.written)
	}
	return nil
}
