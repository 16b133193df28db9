package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

type executeArguments struct {
	Database   string          `json:"database"`
	Statement  string          `json:"statement"`
	Parameters json.RawMessage `json:"parameters"`
}

type executeFacts struct {
	// RowsAffected counts the rows that INSERT, UPDATE or DELETE changed.
	RowsAffected int64 `json:"rows_affected"`
	// LastInsertID is the rowid of the last row that was put in; absent when there is none.
	LastInsertID any `json:"last_insert_id,omitempty"`
}

func (d *Database) execute(ctx context.Context, wanted executeArguments) (answer, error) {
	statement, values, err := prepare(wanted.Statement, wanted.Parameters)
	if err != nil {
		return answer{}, err
	}
	file, err := d.chosen(wanted.Database)
	if err != nil {
		return answer{}, err
	}
	var facts executeFacts
	err = file.writing(ctx, func(c *connection) error { return c.change(ctx, &facts, statement, values) })
	if err != nil {
		return answer{}, err
	}
	return sayJSON(facts)
}

// change runs one statement in a transaction of its own.
func (c *connection) change(ctx context.Context, facts *executeFacts, statement string, values []any) (err error) {
	if err := c.transaction(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			// What SQLite rolled back itself is no failure, and closing the connection rolls back too.
			_ = c.transaction(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	done, err := c.conn.ExecContext(ctx, statement, values...)
	if err != nil {
		return err
	}
	changed, err := done.RowsAffected()
	last, failed := done.LastInsertId()
	if err := errors.Join(err, failed, ctx.Err()); err != nil {
		return fmt.Errorf("read what changed: %w", err)
	}
	facts.RowsAffected = changed
	if last != 0 {
		facts.LastInsertID = shown(last)
	}
	return c.transaction(context.WithoutCancel(ctx), "COMMIT")
}

// transaction runs a statement that only the tool itself may run.
func (c *connection) transaction(ctx context.Context, statement string) error {
	c.guard.own = true
	_, err := c.conn.ExecContext(ctx, statement)
	c.guard.own = false
	return err
}
