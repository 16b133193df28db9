package store

import (
	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// setupsKey is where the meta bucket of governance.db keeps that setups are confirmed from now on.
const setupsKey = "setups_begun"

// Setups are the confirmed setups of the servers of config.toml, by server.
func (s *Store) Setups() (map[string]domain.ConfirmedSetup, error) {
	found := make(map[string]domain.ConfirmedSetup)
	list, err := all[domain.ConfirmedSetup](s.governance, setupsBucket)
	for _, setup := range list {
		found[setup.Server] = setup
	}
	return found, err
}

// SaveSetup keeps the confirmed setup of a server.
func (s *Store) SaveSetup(setup domain.ConfirmedSetup) error {
	return s.governance.update(func(tx *bbolt.Tx) error {
		return save(tx, setupsBucket, []byte(setup.Server), setup)
	})
}

// SetupsBegun reports whether BeginSetups was called.
func (s *Store) SetupsBegun() (bool, error) {
	begun, err := meta[bool](s, setupsKey)
	return begun != nil && *begun, err
}

// BeginSetups keeps the setups that count as confirmed from the start, all or none.
func (s *Store) BeginSetups(setups []domain.ConfirmedSetup) error {
	return s.governance.update(func(tx *bbolt.Tx) error {
		for _, setup := range setups {
			if err := save(tx, setupsBucket, []byte(setup.Server), setup); err != nil {
				return err
			}
		}
		return save(tx, metaBucket, []byte(setupsKey), true)
	})
}
