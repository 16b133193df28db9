package native

import (
	"context"
	"errors"
)

type describeArguments struct {
	Database string `json:"database"`
	Table    string `json:"table"`
}

// listTables lists tables and views with the rows of the query as they are.
func (d *Database) listTables(ctx context.Context, wanted describeArguments) (answer, error) {
	return d.ask(ctx, wanted.Database, func(c *connection) (any, error) {
		return c.rows(ctx, mostRows,
			`SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`, nil)
	})
}

type describeFacts struct {
	Table       string      `json:"table"`
	Type        string      `json:"type"`
	SQL         string      `json:"sql"`
	Columns     *fetchFacts `json:"columns"`
	Indexes     *fetchFacts `json:"indexes"`
	ForeignKeys *fetchFacts `json:"foreign_keys"`
}

func (d *Database) describe(ctx context.Context, wanted describeArguments) (answer, error) {
	return d.ask(ctx, wanted.Database, func(c *connection) (any, error) {
		facts := &describeFacts{Table: wanted.Table}
		return facts, c.describe(ctx, facts)
	})
}

func (c *connection) describe(ctx context.Context, facts *describeFacts) error {
	found, err := c.rows(ctx, 1, "SELECT name, type, substr(coalesce(sql, ''), 1, 20000) FROM sqlite_schema "+
		"WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", []any{facts.Table})
	if err != nil {
		return err
	}
	if found.RowCount == 0 {
		return refuse("There is no table or view %q. Call list_tables to see what there is.", facts.Table)
	}
	for i, into := range []*string{&facts.Table, &facts.Type, &facts.SQL} {
		text, ok := found.Rows[0][i].(string)
		if !ok {
			return errors.New("the schema of the database is damaged")
		}
		*into = text
	}
	for query, into := range map[string]**fetchFacts{
		`SELECT name, type, "notnull" AS not_null, dflt_value AS default_value, pk AS primary_key, hidden FROM pragma_table_xinfo(?)`: &facts.Columns,
		`SELECT l.name, l."unique", l.origin, (SELECT group_concat(i.name, ', ') FROM pragma_index_info(l.name) AS i) AS columns
			FROM pragma_index_list(?) AS l`: &facts.Indexes,
		`SELECT "from", "table", "to", on_update, on_delete FROM pragma_foreign_key_list(?)`: &facts.ForeignKeys,
	} {
		if *into, err = c.rows(ctx, mostRows, query, []any{facts.Table}); err != nil {
			return err
		}
	}
	return nil
}
