package store

import (
	"encoding/json"
	"fmt"

	"go.etcd.io/bbolt"
)

// Settings reads all settings that were set.
func (s *Store) Settings() (map[string]string, error) {
	settings := make(map[string]string)
	err := s.main.view(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(settingsBucket)).ForEach(func(k, raw []byte) error {
			v, err := decode[string](settingsBucket, k, raw)
			settings[string(k)] = v
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return settings, nil
}

// SetSetting keeps value under key, which must not be empty.
func (s *Store) SetSetting(key, value string) error {
	return s.main.update(func(tx *bbolt.Tx) error { return save(tx, settingsBucket, []byte(key), value) })
}

// UnsetSetting forgets a setting, so that its default counts again. An unknown key is no error.
func (s *Store) UnsetSetting(key string) error {
	return s.main.remove(settingsBucket, key)
}

// Offer reads what a server offered when it was last asked, and reports whether that is known.
func (s *Store) Offer(server string) (json.RawMessage, bool, error) {
	return s.main.value(offersBucket, server)
}

// SaveOffer remembers what a server offers, a JSON value kept byte for byte, to show it before the server runs.
func (s *Store) SaveOffer(server string, offer json.RawMessage) error {
	if !json.Valid(offer) {
		return fmt.Errorf("save offer of %s: it is not JSON", server)
	}
	return s.main.put(offersBucket, server, offer)
}
