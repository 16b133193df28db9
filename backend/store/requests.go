package store

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// CreateRequest keeps r under a new ID, a decimal number that grows.
func (s *Store) CreateRequest(r domain.Request) (domain.Request, error) {
	err := s.governance.update(func(tx *bbolt.Tx) error {
		id, key, err := nextID(tx, requestsBucket)
		if err != nil {
			return err
		}
		r.ID = id
		if err := saveRequest(tx, key, r); err != nil {
			return err
		}
		if binary.BigEndian.Uint64(key)%pruneEvery != 0 {
			return nil
		}
		return pruneRequests(tx, s.options.KeepRequests)
	})
	return r, err
}

// UpdateRequest reads, changes and writes one request in one transaction, so that of two callers the second one sees
// what the first did. When change fails nothing is written and its error comes back, with the request as it is.
// CodeUnknownRequest when there is none.
func (s *Store) UpdateRequest(id string, change func(*domain.Request) error) (domain.Request, error) {
	var r domain.Request
	err := s.governance.update(func(tx *bbolt.Tx) error {
		found, key, err := loadRequest(tx, id)
		if err != nil {
			return err
		}
		r = found
		if err := change(&found); err != nil {
			return err
		}
		found.ID = id
		if err := saveRequest(tx, key, found); err != nil {
			return err
		}
		r = found
		return nil
	})
	return r, err
}

// Request reads one request; CodeUnknownRequest.
func (s *Store) Request(id string) (domain.Request, error) {
	var r domain.Request
	err := s.governance.view(func(tx *bbolt.Tx) (err error) {
		r, _, err = loadRequest(tx, id)
		return err
	})
	return r, err
}

// Requests lists the wanted requests, newest first. Open and waiting ones are found without reading the others.
func (s *Store) Requests(want domain.RequestFilter) ([]domain.Request, error) {
	index := requestsBucket
	if want.Open || want.Status == domain.RequestWaiting {
		index = openRequestsBucket
	}
	var found []domain.Request
	err := s.governance.view(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket([]byte(index)).Cursor()
		for k, _ := cursor.Last(); k != nil; k, _ = cursor.Prev() {
			r, ok, err := load[domain.Request](tx, requestsBucket, k)
			if err != nil {
				return err
			}
			if ok && r.CreatedAt.Before(want.Since) {
				return nil // what came before it is older
			}
			if !ok || !want.Matches(r) {
				continue
			}
			found = append(found, r)
			if len(found) == want.Limit {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func loadRequest(tx *bbolt.Tx, id string) (domain.Request, []byte, error) {
	key, ok := parseID(id)
	if !ok {
		return domain.Request{}, nil, unknownRequest(id)
	}
	r, ok, err := load[domain.Request](tx, requestsBucket, key)
	if err == nil && !ok {
		err = unknownRequest(id)
	}
	return r, key, err
}

func unknownRequest(id string) error {
	return &domain.Error{
		Code: domain.CodeUnknownRequest, Message: fmt.Sprintf("there is no request %q in the inbox", id),
		Hint: "List the inbox to see which there are.", Args: map[string]string{"request_id": id},
	}
}

// saveRequest writes a request and keeps the index of open ones in step.
func saveRequest(tx *bbolt.Tx, key []byte, r domain.Request) error {
	if err := save(tx, requestsBucket, key, r); err != nil {
		return err
	}
	if r.Open() {
		return tx.Bucket([]byte(openRequestsBucket)).Put(key, []byte{})
	}
	return tx.Bucket([]byte(openRequestsBucket)).Delete(key)
}
