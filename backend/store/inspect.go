package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// Condition is what a full check of one database found.
type Condition struct {
	File string `json:"file"`
	// Bytes is the length of the database as its pages in use need it.
	Bytes  int64 `json:"bytes"`
	Schema int   `json:"schema"`
	// Records counts the entries of each bucket.
	Records map[string]int `json:"records"`
	// Kept are the paths of damaged predecessors that were moved aside and are still there.
	Kept    []string      `json:"kept,omitempty"`
	Problem *domain.Error `json:"problem,omitempty"`
}

// Inspect reads both databases from end to end. It takes as long as reading the files does.
func (s *Store) Inspect() []Condition {
	return []Condition{s.main.inspect(), s.governance.inspect()}
}

func (d *database) inspect() Condition {
	c := Condition{File: filepath.Base(d.path), Records: make(map[string]int), Kept: keptAside(d.path)}
	err := d.view(func(tx *bbolt.Tx) (err error) {
		c.Bytes = tx.Size()
		if c.Schema, err = d.checkFile(tx); err != nil {
			return d.damage(err)
		}
		for problem := range tx.Check() {
			err = problem // the channel must be read to its end
		}
		if err != nil {
			return d.damage(err)
		}
		return d.inspectRecords(tx, c.Records)
	})
	c.Problem = domain.AsError(err)
	return c
}

// keptAside lists the damaged predecessors of a database. A folder that cannot be listed shows in other ways.
func keptAside(path string) []string {
	dir, name := filepath.Split(path)
	entries, _ := os.ReadDir(dir)
	var kept []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), name+asideSuffix) {
			kept = append(kept, filepath.Join(dir, e.Name()))
		}
	}
	return kept
}

func (d *database) inspectRecords(tx *bbolt.Tx, counts map[string]int) error {
	return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
		err := b.ForEach(func(_, _ []byte) error {
			counts[string(name)]++
			return nil
		})
		if err != nil || !jsonBucket(string(name)) {
			return err
		}
		if err := checkRecords(tx, string(name)); err != nil {
			return d.damage(fmt.Errorf("check records: %w", err))
		}
		return nil
	})
}
