package store

import (
	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// Rules lists the rules of the owner's policy in the order in which they were first saved.
func (s *Store) Rules() ([]domain.Rule, error) {
	return all[domain.Rule](s.governance, rulesBucket)
}

// SaveRule adds a rule without an ID under a new one, or replaces the rule with that ID; CodeUnknownItem.
func (s *Store) SaveRule(r domain.Rule) (domain.Rule, error) {
	r.Source, r.Line = domain.FromStore, 0
	err := s.governance.saveNumbered(rulesBucket, &r.ID, &r)
	return r, err
}

// DeleteRule removes a rule; CodeUnknownItem.
func (s *Store) DeleteRule(id string) error {
	return s.governance.removeNumbered(rulesBucket, id)
}

// saveNumbered saves v, whose ID field is id, under that ID or under the next one of the bucket.
func (d *database) saveNumbered(bucket string, id *string, v any) error {
	return d.update(func(tx *bbolt.Tx) error {
		if *id != "" {
			key, err := keyOf(tx, bucket, *id)
			if err != nil {
				return err
			}
			return save(tx, bucket, key, v)
		}
		next, key, err := nextID(tx, bucket)
		if err != nil {
			return err
		}
		*id = next
		return save(tx, bucket, key, v)
	})
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
