package store

import (
	"encoding/binary"
	"errors"
	"slices"

	"go.etcd.io/bbolt"
)

const (
	auditHeadKey  = "head"
	auditEndedKey = "ended"
)

// AuditHead reads where the chain of the audit log stood when SetAuditHead was last called: 0 and nil before that.
func (s *Store) AuditHead() (seq uint64, hash []byte, err error) {
	err = s.governance.view(func(tx *bbolt.Tx) error {
		head := tx.Bucket([]byte(auditBucket)).Get([]byte(auditHeadKey))
		if head == nil {
			return nil
		}
		if len(head) < 8 {
			return s.governance.damage(errors.New("the head of the audit log is too short"))
		}
		seq, hash = binary.BigEndian.Uint64(head), slices.Clone(head[8:])
		return nil
	})
	return seq, hash, err
}

// SetAuditHead remembers the sequence number and the hash of the last line of the audit log.
func (s *Store) SetAuditHead(seq uint64, hash []byte) error {
	head := append(binary.BigEndian.AppendUint64(nil, seq), hash...)
	return s.governance.put(auditBucket, auditHeadKey, head)
}

// AuditEnded reads up to which entry of the audit log every call is known to have an outcome: 0 when nothing is.
func (s *Store) AuditEnded() (seq uint64, err error) {
	err = s.governance.view(func(tx *bbolt.Tx) error {
		if raw := tx.Bucket([]byte(auditBucket)).Get([]byte(auditEndedKey)); len(raw) == 8 {
			seq = binary.BigEndian.Uint64(raw)
		}
		return nil
	})
	return seq, err
}

// SetAuditEnded remembers what AuditEnded reads.
func (s *Store) SetAuditEnded(seq uint64) error {
	return s.governance.put(auditBucket, auditEndedKey, binary.BigEndian.AppendUint64(nil, seq))
}
