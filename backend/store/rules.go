package store

import (
	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// Rules lists the rules of the owner's policy in the order in which they were first saved.
func (s *Store) Rules() ([]domain.Rule, error) {
	return all[domain.Rule](s.governance, rulesBucket)
}

// SaveRule adds a rule without an ID under a new one, or replaces the rule with that ID; CodeUnknownItem. before hears of the
// rule, with its ID, before it counts, and keeps it from that by an error; it must not use the store. nil hears nothing.
func (s *Store) SaveRule(r domain.Rule, before func(domain.Rule) error) (domain.Rule, error) {
	r.Source, r.Line = domain.FromStore, 0
	err := s.governance.saveNumbered(rulesBucket, &r.ID, &r, func() error {
		if before == nil {
			return nil
		}
		return before(r)
	})
	return r, err
}

// DeleteRule removes a rule; CodeUnknownItem.
func (s *Store) DeleteRule(id string) error {
	return s.governance.removeNumbered(rulesBucket, id)
}

// saveNumbered saves v, whose ID field is id, under that ID or under the next one of the bucket, unless before fails, which
// runs when the ID is known.
func (d *database) saveNumbered(bucket string, id *string, v any, before func() error) error {
	return d.update(func(tx *bbolt.Tx) error {
		key, err := keyFor(tx, bucket, id)
		if err != nil {
			return err
		}
		if err := before(); err != nil {
			return err
		}
		return save(tx, bucket, key, v)
	})
}

// keyFor is the key of a record, which gets the next ID of its bucket when it has none.
func keyFor(tx *bbolt.Tx, bucket string, id *string) (key []byte, err error) {
	if *id != "" {
		return keyOf(tx, bucket, *id)
	}
	*id, key, err = nextID(tx, bucket)
	return key, err
}

func (d *database) removeNumbered(bucket, id string) error {
	return d.update(func(tx *bbolt.Tx) error {
		key, err := keyOf(tx, bucket, id)
		if err != nil {
			return err
		}
		return tx.Bucket([]byte(bucket)).Delete(key)
	})
}
