package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// asideSuffix stands between the name of a database and the time it was moved aside.
const asideSuffix = ".damaged-"

// open opens one database at its current schema. A damaged one is kept aside and a fresh one takes its place, with
// the records that can still be read. One that was used before is damaged when it is empty.
func (s *Store) open(path string, sch schema, used bool) (*database, error) {
	var d *database
	var err error
	if used {
		sch.loss = sch.lost(Loss{At: s.options.Now()}) // should there be none: a folder in use had one
	}
	if used && isEmpty(path) {
		err = (&database{path: path}).damage(errors.New("the file is empty"))
	} else {
		d, err = s.openChecked(path, sch)
	}
	if domain.CodeOf(err) != domain.CodeDBDamaged {
		return d, err
	}
	kept, moveErr := moveAside(path, s.options.Now())
	if moveErr != nil {
		return nil, errors.Join(err, moveErr)
	}
	sch.loss = sch.lost(Loss{KeptAs: kept, At: s.options.Now()})
	d, openErr := s.openChecked(path, sch)
	if openErr != nil {
		return nil, openErr
	}
	s.damage = append(s.damage, Damage{
		File: filepath.Base(path), KeptAs: kept, Cause: domain.AsError(err).Args["cause"],
		Recovered: s.salvage(kept, d, sch.salvage),
	})
	return d, nil
}

func (s *Store) openChecked(path string, sch schema) (*database, error) {
	d, err := openDatabase(path, s.options.LockWait)
	if err != nil {
		return nil, err
	}
	if err := d.check(sch); err != nil {
		return nil, errors.Join(err, d.close())
	}
	if err := d.migrate(sch); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// moveAside renames a damaged database to a name that is free and says when it happened.
func moveAside(path string, now time.Time) (string, error) {
	base := path + asideSuffix + now.UTC().Format("20060102T150405Z")
	kept := base
	for n := 2; exists(kept); n++ {
		kept = base + "-" + strconv.Itoa(n)
	}
	if err := os.Rename(path, kept); err != nil {
		return "", domain.StorageError(path, fmt.Errorf("move damaged database aside: %w", err))
	}
	return kept, nil
}

func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// salvage copies what can be read of the database at kept into fresh and counts it. It fails by copying less: the
// damaged file stays for whoever wants to try harder.
func (s *Store) salvage(kept string, fresh *database, buckets []string) int {
	count := 0
	for _, name := range buckets {
		// Each bucket gets its own opening: a page that makes bbolt panic must not cost the other buckets.
		old, err := openReadOnly(kept, s.options.LockWait)
		if err != nil {
			return count
		}
		found := readable(old, name)
		_ = old.close() // only read from
		if fresh.update(func(tx *bbolt.Tx) error { return putAll(tx, name, found) }) == nil {
			count += len(found)
		}
	}
	return count
}

type pair struct{ key, value []byte }

// readable copies the records of a bucket up to the first page that cannot be read, without those that make no sense.
func readable(d *database, bucket string) []pair {
	var found []pair
	_ = d.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(bucket))
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error {
			if jsonBucket(bucket) && !json.Valid(v) {
				return nil
			}
			found = append(found, pair{slices.Clone(k), slices.Clone(v)})
			return nil
		})
	})
	return found
}

func putAll(tx *bbolt.Tx, bucket string, records []pair) error {
	for _, r := range records {
		if err := tx.Bucket([]byte(bucket)).Put(r.key, r.value); err != nil {
			return err
		}
	}
	return nil
}
