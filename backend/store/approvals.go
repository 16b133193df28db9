package store

import (
	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// Approvals lists the standing approvals in the order in which they were given.
func (s *Store) Approvals() ([]domain.Approval, error) {
	return all[domain.Approval](s.governance, approvalsBucket)
}

// SaveApproval adds an approval without an ID under a new one, or replaces the one with that ID; CodeUnknownItem. before is
// as that of SaveRule.
func (s *Store) SaveApproval(a domain.Approval, before func(domain.Approval) error) (domain.Approval, error) {
	err := s.governance.saveNumbered(approvalsBucket, &a.ID, &a, func() error {
		if before == nil {
			return nil
		}
		return before(a)
	})
	return a, err
}

// DeleteApproval removes an approval; CodeUnknownItem.
func (s *Store) DeleteApproval(id string) error {
	return s.governance.removeNumbered(approvalsBucket, id)
}

// DeleteApprovals removes every approval that gone reports true for, all in one transaction. gone must not use the
// store.
func (s *Store) DeleteApprovals(gone func(domain.Approval) bool) error {
	approvals, err := s.Approvals()
	if err != nil {
		return err
	}
	var keys [][]byte
	for _, a := range approvals {
		if key, ok := parseID(a.ID); ok && gone(a) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return s.governance.update(func(tx *bbolt.Tx) error {
		for _, key := range keys {
			if err := tx.Bucket([]byte(approvalsBucket)).Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}
