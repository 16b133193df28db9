package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"

	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// load reads one record and reports whether there is one.
func load[T any](tx *bbolt.Tx, bucket string, key []byte) (T, bool, error) {
	var v T
	raw := tx.Bucket([]byte(bucket)).Get(key)
	if raw == nil {
		return v, false, nil
	}
	v, err := decode[T](bucket, key, raw)
	return v, err == nil, err
}

// save writes one record in place of the one with the same key.
func save(tx *bbolt.Tx, bucket string, key []byte, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode record of %s: %w", bucket, err)
	}
	return tx.Bucket([]byte(bucket)).Put(key, raw)
}

// all reads a bucket in the order of its keys.
func all[T any](d *database, bucket string) ([]T, error) {
	var found []T
	err := d.view(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(bucket)).ForEach(func(k, raw []byte) error {
			v, err := decode[T](bucket, k, raw)
			found = append(found, v)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func decode[T any](bucket string, key, raw []byte) (T, error) {
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, &domain.Error{
			Code: domain.CodeDBDamaged, Message: fmt.Sprintf("a record of %s cannot be read", bucket), Cause: err,
			Hint: "Run apollia doctor to check the databases.",
			Args: map[string]string{"bucket": bucket, "key": strconv.QuoteToASCII(string(key))},
		}
	}
	return v, nil
}

// sequenceKey is the key of a record whose ID is a decimal number; keys sort as the numbers do.
func sequenceKey(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// parseID reads an ID as sequenceKey wants it. Only the spelling that was given out is accepted.
func parseID(id string) ([]byte, bool) {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != id {
		return nil, false
	}
	return sequenceKey(n), true
}

// nextID gives the next free ID of a bucket and its key.
func nextID(tx *bbolt.Tx, bucket string) (string, []byte, error) {
	n, err := tx.Bucket([]byte(bucket)).NextSequence()
	if err != nil {
		return "", nil, fmt.Errorf("number record of %s: %w", bucket, err)
	}
	return strconv.FormatUint(n, 10), sequenceKey(n), nil
}

// keyOf finds the key of an ID that exists in a bucket, or says that it does not.
func keyOf(tx *bbolt.Tx, bucket, id string) ([]byte, error) {
	key, ok := parseID(id)
	if !ok || tx.Bucket([]byte(bucket)).Get(key) == nil {
		return nil, unknownItem(bucket, id)
	}
	return key, nil
}

func unknownItem(bucket, id string) error {
	return &domain.Error{
		Code: domain.CodeUnknownItem, Message: fmt.Sprintf("%s has no entry %q", bucket, id),
		Hint: "List the entries to see which there are.",
		Args: map[string]string{"list": bucket, "id": id},
	}
}
