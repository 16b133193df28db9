package store

import (
	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// Pins reads the definitions of a server's tools that a person accepted. It reports whether any were ever kept.
func (s *Store) Pins(server string) (pins []domain.Pin, known bool, err error) {
	err = s.governance.view(func(tx *bbolt.Tx) (err error) {
		pins, known, err = load[[]domain.Pin](tx, pinsBucket, []byte(server))
		return err
	})
	return pins, known, err
}

// SavePins keeps them in place of those that were kept of the server.
func (s *Store) SavePins(server string, pins []domain.Pin) error {
	return s.governance.update(func(tx *bbolt.Tx) error { return save(tx, pinsBucket, []byte(server), pins) })
}

// DeletePins forgets that anything of the server was ever accepted.
func (s *Store) DeletePins(server string) error { return s.governance.remove(pinsBucket, server) }
