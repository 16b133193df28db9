package store

import (
	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// haltKey is where the meta bucket of governance.db keeps that all calls are stopped.
const haltKey = "halt"

// Halt reads the halt that holds, nil when there is none.
func (s *Store) Halt() (*domain.Halt, error) { return meta[domain.Halt](s, haltKey) }

// SetHalt keeps that all calls are stopped.
func (s *Store) SetHalt(h domain.Halt) error {
	return s.governance.update(func(tx *bbolt.Tx) error { return save(tx, metaBucket, []byte(haltKey), h) })
}

// EndHalt forgets the halt.
func (s *Store) EndHalt() error { return s.governance.remove(metaBucket, haltKey) }

// meta reads one thing of the meta bucket of governance.db, nil when it is not there.
func meta[T any](s *Store, key string) (*T, error) {
	var found *T
	err := s.governance.view(func(tx *bbolt.Tx) error {
		value, ok, err := load[T](tx, metaBucket, []byte(key))
		if ok {
			found = &value
		}
		return err
	})
	return found, err
}
