package store

import (
	"bytes"
	"slices"

	"go.etcd.io/bbolt"
)

// Value reads an encrypted value and reports whether there is one. The store neither encrypts nor decrypts.
func (s *Store) Value(key string) ([]byte, bool, error) {
	return s.main.value(valuesBucket, key)
}

// PutValue keeps an encrypted value under key, which must not be empty.
func (s *Store) PutValue(key string, value []byte) error {
	return s.main.put(valuesBucket, key, value)
}

// SwapValues keeps values by key, all of them or none, and returns what they replaced, so that SwapValues of that brings
// it back. Nil stands for no value.
func (s *Store) SwapValues(values map[string][]byte) (replaced map[string][]byte, err error) {
	replaced = make(map[string][]byte, len(values))
	err = s.main.update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte(valuesBucket))
		for key, value := range values {
			replaced[key] = slices.Clone(bucket.Get([]byte(key)))
			err := bucket.Delete([]byte(key))
			if err == nil && value != nil {
				err = bucket.Put([]byte(key), value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return replaced, err
}

// DeleteValue forgets a value. An unknown key is no error.
func (s *Store) DeleteValue(key string) error {
	return s.main.remove(valuesBucket, key)
}

// ValueKeys lists the keys of values that start with prefix, in order.
func (s *Store) ValueKeys(prefix string) ([]string, error) {
	var keys []string
	err := s.main.view(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket([]byte(valuesBucket)).Cursor()
		start := []byte(prefix)
		for k, _ := cursor.Seek(start); k != nil && bytes.HasPrefix(k, start); k, _ = cursor.Next() {
			keys = append(keys, string(k))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return keys, nil
}

// value copies one value out of its transaction.
func (d *database) value(bucket, key string) ([]byte, bool, error) {
	var found []byte
	err := d.view(func(tx *bbolt.Tx) error {
		found = slices.Clone(tx.Bucket([]byte(bucket)).Get([]byte(key)))
		return nil
	})
	return found, found != nil, err
}

func (d *database) put(bucket, key string, value []byte) error {
	return d.update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucket)).Put([]byte(key), value) })
}

func (d *database) remove(bucket, key string) error {
	return d.update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucket)).Delete([]byte(key)) })
}
