package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"go.etcd.io/bbolt"
)

// The buckets, one per kind of record.
const (
	metaBucket     = "meta"
	serversBucket  = "servers"
	trashBucket    = "trash"
	settingsBucket = "settings"
	valuesBucket   = "values"
	offersBucket   = "offers"

	rulesBucket        = "rules"
	approvalsBucket    = "approvals"
	requestsBucket     = "requests"
	openRequestsBucket = "requests_open"
	auditBucket        = "audit"
	setupsBucket       = "setups"
	pinsBucket         = "pins"
)

// schemaKey is where the meta bucket keeps the version.
const schemaKey = "schema"

// schema is how a database came to its present form.
type schema struct {
	// steps lead from one version to the next: steps[0] makes version 1 of an empty database. A step that was
	// released is never changed.
	steps []func(*bbolt.Tx) error
	// vital are the buckets whose records are read as JSON at every opening.
	vital []string
	// salvage are the buckets carried over from a damaged database. None of governance.db are: an allow rule that
	// outlives a lost deny rule would widen what may run.
	salvage []string
	// governs says that what is lost with the file is governance, which must not shrink in silence.
	governs bool
	// loss is written into a file that is made, in the same transaction; nil writes nothing.
	loss *Loss
}

// lost is what a fresh file has to remember of the one before, nil where it need not.
func (s schema) lost(l Loss) *Loss {
	if !s.governs {
		return nil
	}
	return &l
}

func mainSchema() schema {
	buckets := []string{serversBucket, trashBucket, settingsBucket, valuesBucket, offersBucket}
	return schema{
		steps:   []func(*bbolt.Tx) error{create(buckets...)},
		vital:   []string{serversBucket, settingsBucket},
		salvage: buckets,
	}
}

func governanceSchema() schema {
	return schema{
		steps: []func(*bbolt.Tx) error{
			create(rulesBucket, approvalsBucket, requestsBucket, openRequestsBucket, auditBucket),
			create(setupsBucket),
			create(pinsBucket),
		},
		vital:   []string{rulesBucket, approvalsBucket},
		governs: true,
	}
}

func create(buckets ...string) func(*bbolt.Tx) error {
	return func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return fmt.Errorf("create bucket %s: %w", name, err)
			}
		}
		return nil
	}
}

// jsonBucket tells the buckets of JSON records from those of other values.
func jsonBucket(name string) bool {
	switch name {
	case metaBucket, valuesBucket, openRequestsBucket, auditBucket:
		return false
	}
	return true
}

// version reads the schema version: 0 for a database that was just created.
func version(tx *bbolt.Tx) (int, error) {
	meta := tx.Bucket([]byte(metaBucket))
	if meta == nil {
		return 0, nil
	}
	v, err := strconv.Atoi(string(meta.Get([]byte(schemaKey))))
	if err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return v, nil
}

// check refuses a newer database (CodeDBNewer) and finds damage (CodeDBDamaged) without reading large values.
func (d *database) check(s schema) error {
	return d.view(func(tx *bbolt.Tx) error {
		v, err := d.checkFile(tx)
		if err != nil {
			return d.damage(err)
		}
		if v > len(s.steps) {
			return d.newer().With("found", strconv.Itoa(v)).With("known", strconv.Itoa(len(s.steps)))
		}
		if err := checkBuckets(tx, s.vital); err != nil {
			return d.damage(err)
		}
		return nil
	})
}

// checkFile compares the length of the file with what the pages in use need, and reads the schema version.
func (d *database) checkFile(tx *bbolt.Tx) (int, error) {
	info, err := os.Stat(d.path)
	if err != nil {
		return 0, fmt.Errorf("look at database: %w", err)
	}
	if info.Size() < tx.Size() {
		return 0, fmt.Errorf("the file was cut: %d of %d bytes are left", info.Size(), tx.Size())
	}
	return version(tx)
}

// checkBuckets walks over all keys, which must ascend, and reads the records of the vital buckets.
func checkBuckets(tx *bbolt.Tx, vital []string) error {
	err := tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
		var last []byte
		return b.ForEach(func(k, _ []byte) error {
			if last != nil && bytes.Compare(last, k) >= 0 {
				return fmt.Errorf("keys of %s are out of order", name)
			}
			last = k
			return nil
		})
	})
	if err != nil {
		return err
	}
	for _, name := range vital {
		if err := checkRecords(tx, name); err != nil {
			return err
		}
	}
	return nil
}

func checkRecords(tx *bbolt.Tx, bucket string) error {
	b := tx.Bucket([]byte(bucket))
	if b == nil {
		return nil
	}
	return b.ForEach(func(k, v []byte) error {
		if !json.Valid(v) {
			return fmt.Errorf("record %q of %s cannot be read", k, bucket)
		}
		return nil
	})
}

// migrate takes the steps that the database has not taken yet, in one transaction.
func (d *database) migrate(s schema) error {
	var from int
	err := d.view(func(tx *bbolt.Tx) (err error) {
		from, err = version(tx)
		return err
	})
	if err != nil || from == len(s.steps) {
		return err
	}
	return d.update(func(tx *bbolt.Tx) error {
		meta, err := tx.CreateBucketIfNotExists([]byte(metaBucket))
		if err != nil {
			return fmt.Errorf("create bucket %s: %w", metaBucket, err)
		}
		for i, step := range s.steps[from:] {
			if err := step(tx); err != nil {
				return fmt.Errorf("migrate %s to version %d: %w", d.path, from+i+1, err)
			}
		}
		if from == 0 && s.loss != nil {
			if err := save(tx, metaBucket, []byte(lossKey), s.loss); err != nil {
				return err
			}
		}
		return meta.Put([]byte(schemaKey), []byte(strconv.Itoa(len(s.steps))))
	})
}
