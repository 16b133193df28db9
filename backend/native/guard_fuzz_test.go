package native

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"
)

// Whatever SQL is given to the tool that reads, the file stays as it is, no other file appears, and nothing is hung up.
func FuzzFetch(f *testing.F) {
	for _, seed := range []string{
		"SELECT * FROM item", "ATTACH 'x' AS y", "PRAGMA writable_schema=1", "VACUUM INTO 'x'", "SELECT load_extension('x')", "DELETE FROM item RETURNING *",
		"WITH a AS (SELECT 1) SELECT * FROM a", "CREATE TEMP TABLE a(b)", "SELECT made FROM item) SELECT (1", "SELECT made FROM item /*",
	} {
		f.Add(seed)
	}
	var shop []byte // made once, since the writing of it takes longer than a query
	f.Fuzz(func(t *testing.T, query string) {
		s := newSpace(t)
		if shop == nil {
			_, made := newSpace(t).shop(t)
			var err error
			shop, err = os.ReadFile(made)
			must(t, err)
		}
		path := s.write(t, "shop.db", string(shop))
		d := s.database(t)
		works[connectFacts](t, d, "connect", args{"database": path})
		before := hash(t, path)
		raw, err := json.Marshal(args{"query": query, "limit": 5})
		must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // some queries have no end
		defer cancel()
		if _, err := d.Call(ctx, "fetch_results", raw); err != nil && ctx.Err() == nil {
			t.Errorf("%q: %v", query, err)
		}
		if hash(t, path) != before {
			t.Errorf("%q changed the file", query)
		}
		left, err := os.ReadDir(s.allowed)
		must(t, err)
		if len(left) != 1 {
			t.Errorf("%q left behind %v", query, left)
		}
	})
}
