package native

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// Bounds of the rows of one query.
const (
	usualRows = 100
	mostRows  = 1000
)

type fetchArguments struct {
	Database   string          `json:"database"`
	Query      string          `json:"query"`
	Parameters json.RawMessage `json:"parameters"`
	Limit      count           `json:"limit"`
}

// fetchFacts are the rows of a query, in the order of its columns.
type fetchFacts struct {
	Columns  []string `json:"columns"`
	Rows     [][]any  `json:"rows"`
	RowCount int      `json:"row_count"`
	// More says that the query has more rows than these.
	More bool   `json:"more"`
	Note string `json:"note,omitempty"`
}

func (d *Database) fetch(ctx context.Context, wanted fetchArguments) (answer, error) {
	query, values, err := prepare(wanted.Query, wanted.Parameters)
	if err != nil {
		return answer{}, err
	}
	return d.ask(ctx, wanted.Database, func(c *connection) (any, error) {
		return c.rows(ctx, wanted.Limit.within(usualRows, mostRows), query, values)
	})
}

// prepare reads a statement and its parameters.
func prepare(text string, parameters json.RawMessage) (statement string, values []any, err error) {
	if statement, err = alone(text); err != nil {
		return "", nil, err
	}
	values, err = bound(parameters)
	return statement, values, err
}

// ask reads from a database and says what was found.
func (d *Database) ask(ctx context.Context, database string, find func(*connection) (any, error)) (answer, error) {
	file, err := d.chosen(database)
	if err != nil {
		return answer{}, err
	}
	var facts any
	err = file.reading(ctx, func(c *connection) error {
		facts, err = find(c)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return sayJSON(facts)
}

// rows runs a query.
func (c *connection) rows(ctx context.Context, most int, query string, values []any) (*fetchFacts, error) {
	columns, err := c.columns(query)
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return nil, refuse("The statement gives no rows. Use execute to change data.")
	}
	facts := &fetchFacts{Rows: [][]any{}}
	for _, column := range columns {
		facts.Columns = append(facts.Columns, strings.ToValidUTF8(column.Name, "\uFFFD"))
	}
	plain := undated(query, columns)
	if _, err := c.columns(plain); err != nil {
		plain = query
	}
	rows, err := c.conn.QueryContext(ctx, plain, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if err := facts.gather(rows, most); err != nil {
		return nil, err
	}
	return facts, rows.Err()
}

// columns compiles a query and gives what its result will have. Nothing runs.
func (c *connection) columns(query string) (columns []sqlite.ColumnInfo, err error) {
	err = c.conn.Raw(func(conn any) error {
		compiler, ok := conn.(interface {
			ColumnInfo(query string) ([]sqlite.ColumnInfo, error)
		})
		if !ok {
			return errors.New("this SQLite does not tell columns")
		}
		columns, err = compiler.ColumnInfo(query)
		return err
	})
	return columns, err
}

// undated writes a query so that texts of columns that are declared as dates come as they are stored. The driver makes
// times of them, from which the text cannot be had again, and asking for what was read would find nothing.
func undated(query string, columns []sqlite.ColumnInfo) string {
	dated := slices.ContainsFunc(columns, func(c sqlite.ColumnInfo) bool {
		return slices.Contains([]string{"DATE", "DATETIME", "TIMESTAMP"}, strings.ToUpper(c.DeclType))
	})
	if !dated {
		return query
	}
	names, values := make([]string, len(columns)), make([]string, len(columns))
	for i := range columns {
		names[i], values[i] = fmt.Sprintf("c%d", i), fmt.Sprintf("+c%d", i)
	}
	return "WITH apollia_rows(" + strings.Join(names, ",") + ") AS (\n" + query + "\n) SELECT " + strings.Join(values, ",") + " FROM apollia_rows"
}

// gather takes rows up to the bounds.
func (f *fetchFacts) gather(rows *sql.Rows, most int) error {
	row := make([]any, len(f.Columns))
	into := make([]any, len(row))
	for i := range row {
		into[i] = &row[i]
	}
	size := 0
	for rows.Next() {
		if len(f.Rows) == most {
			f.More = true
			f.Note = fmt.Sprintf("There are more rows than these %d. Ask for fewer, or use LIMIT and OFFSET.", most)
			return nil
		}
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("read row: %w", err)
		}
		written := make([]any, len(row))
		for i, value := range row {
			written[i] = shown(value)
		}
		text, err := json.Marshal(written)
		if err != nil {
			return fmt.Errorf("write row: %w", err)
		}
		if size += len(text); size > maxAnswer && len(f.Rows) > 0 {
			f.More = true
			f.Note = fmt.Sprintf("These %d rows fill the result of %d bytes, and there are more. Ask for fewer columns or rows.", len(f.Rows), maxAnswer)
			return nil
		}
		f.Rows = append(f.Rows, written)
		f.RowCount++
	}
	return rows.Err()
}
