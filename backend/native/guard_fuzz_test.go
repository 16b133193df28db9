package native

import (
	"os"
	"testing"
)

// Whatever SQL is given to the tool that reads, the file stays as it is, no other file appears, and nothing is hung up.
func FuzzFetch(f *testing.F) {
	for _, seed := range []string{
		"SELECT * FROM item", "ATTACH 'x' AS y", "PRAGMA writable_schema=1", "VACUUM INTO 'x'", "SELECT load_extension('x')", "DELETE FROM item RETURNING *",
		"WITH a AS (SELECT 1) SELECT * FROM a", "CREATE TEMP TABLE a(b)", "SELECT made FROM item) SELECT (1", "SELECT made FROM item /*",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		s := newSpace(t)
		d, path := s.shop(t)
		before := hash(t, path)
		call(t, d, "fetch_results", args{"query": query, "limit": 5})
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
