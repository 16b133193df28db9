package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// trashed is a server that was deleted and can still be restored.
type trashed struct {
	Server    domain.Server `json:"server"`
	DeletedAt time.Time     `json:"deleted_at"`
}

// Servers lists the saved definitions by ID.
func (s *Store) Servers() ([]domain.Server, error) {
	return all[domain.Server](s.main, serversBucket)
}

// Server reads one definition; CodeUnknownServer when there is none.
func (s *Store) Server(id string) (domain.Server, error) {
	var found domain.Server
	err := s.main.view(func(tx *bbolt.Tx) (err error) {
		found, err = loadServer(tx, id)
		return err
	})
	return found, err
}

func loadServer(tx *bbolt.Tx, id string) (domain.Server, error) {
	found, ok, err := load[domain.Server](tx, serversBucket, []byte(id))
	if err == nil && !ok {
		err = unknownServer(id)
	}
	return found, err
}

func unknownServer(id string) error {
	return &domain.Error{
		Code: domain.CodeUnknownServer, Message: fmt.Sprintf("there is no server %q", id),
		Hint: "List the servers to see which there are.", Args: map[string]string{"server": id},
	}
}

// SaveServer adds v or replaces the definition with its ID, together with the encrypted values it refers to, by key: all
// of it or, when it fails, nothing. Values of its variables and headers that it no longer refers to are forgotten. It
// refuses a definition that holds a secret instead of a reference.
func (s *Store) SaveServer(v domain.Server, values map[string][]byte) error {
	if v.ID == "" {
		return &domain.Error{Code: domain.CodeInvalidName, Message: "a server without an ID cannot be saved"}
	}
	for _, variable := range slices.Concat(v.Variables()...) {
		if variable.Secret && variable.Value != "" && !strings.Contains(variable.Value, "${") {
			return fmt.Errorf("save server %s: the secret %s was not moved to the secret store", v.ID, variable.Name)
		}
	}
	v.Source, v.Line = domain.FromStore, 0
	return s.main.update(func(tx *bbolt.Tx) error {
		for key, value := range values {
			if err := tx.Bucket([]byte(valuesBucket)).Put([]byte(key), value); err != nil {
				return err
			}
		}
		if err := save(tx, serversBucket, []byte(v.ID), v); err != nil {
			return err
		}
		return forgetUnused(tx, v)
	})
}

// forgetUnused deletes the values of variables and headers that no text of v refers to.
func forgetUnused(tx *bbolt.Tx, v domain.Server) error {
	texts := slices.Concat([]string{v.Command, v.Cwd, v.URL}, v.Args, v.Roots)
	for _, variable := range slices.Concat(v.Variables()...) {
		texts = append(texts, variable.Value)
	}
	text := strings.Join(texts, "\n")
	bucket := tx.Bucket([]byte(valuesBucket))
	for _, prefix := range []string{v.ID + "/env.", v.ID + "/header.", v.ID + "/auth."} {
		var unused [][]byte
		cursor := bucket.Cursor()
		for k, _ := cursor.Seek([]byte(prefix)); k != nil && bytes.HasPrefix(k, []byte(prefix)); k, _ = cursor.Next() {
			if !strings.Contains(text, "${secret:"+string(k)+"}") {
				unused = append(unused, bytes.Clone(k))
			}
		}
		for _, k := range unused {
			if err := bucket.Delete(k); err != nil {
				return err
			}
		}
	}
	return nil
}

// DeleteServer moves a server to the trash, from where RestoreServer brings it back; CodeUnknownServer.
func (s *Store) DeleteServer(id string) error {
	return s.main.update(func(tx *bbolt.Tx) error {
		found, err := loadServer(tx, id)
		if err != nil {
			return err
		}
		if err := save(tx, trashBucket, []byte(id), trashed{found, s.options.Now()}); err != nil {
			return err
		}
		return tx.Bucket([]byte(serversBucket)).Delete([]byte(id))
	})
}

// Trash lists the servers that can be restored, by ID.
func (s *Store) Trash() ([]domain.Server, error) {
	found, err := all[trashed](s.main, trashBucket)
	if err != nil {
		return nil, err
	}
	servers := make([]domain.Server, len(found))
	for i, t := range found {
		servers[i] = t.Server
	}
	return servers, nil
}

// RestoreServer takes a server out of the trash. It fails with CodeUnknownServer, or with CodeDuplicateName when
// another server took the ID since.
func (s *Store) RestoreServer(id string) (domain.Server, error) {
	var restored domain.Server
	err := s.main.update(func(tx *bbolt.Tx) error {
		found, ok, err := load[trashed](tx, trashBucket, []byte(id))
		if err != nil {
			return err
		}
		if !ok {
			return unknownServer(id)
		}
		if tx.Bucket([]byte(serversBucket)).Get([]byte(id)) != nil {
			return &domain.Error{
				Code: domain.CodeDuplicateName, Message: fmt.Sprintf("another server is called %q now", id),
				Hint: "Remove or rename it, then restore again.", Args: map[string]string{"server": id},
			}
		}
		restored = found.Server
		if err := save(tx, serversBucket, []byte(id), restored); err != nil {
			return err
		}
		return tx.Bucket([]byte(trashBucket)).Delete([]byte(id))
	})
	return restored, err
}

// PurgeTrash forgets the servers that were deleted before the given time, their offers too. It returns the IDs whose
// secrets are now nobody's: those that no saved server carries.
func (s *Store) PurgeTrash(before time.Time) ([]string, error) {
	var gone []string
	err := s.main.update(func(tx *bbolt.Tx) error {
		old, err := deletedBefore(tx, before)
		if err != nil {
			return err
		}
		for _, id := range old {
			if err := tx.Bucket([]byte(trashBucket)).Delete([]byte(id)); err != nil {
				return err
			}
			if tx.Bucket([]byte(serversBucket)).Get([]byte(id)) != nil {
				continue
			}
			gone = append(gone, id)
			if err := tx.Bucket([]byte(offersBucket)).Delete([]byte(id)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

func deletedBefore(tx *bbolt.Tx, before time.Time) ([]string, error) {
	var ids []string
	err := tx.Bucket([]byte(trashBucket)).ForEach(func(k, raw []byte) error {
		t, err := decode[trashed](trashBucket, k, raw)
		if err == nil && t.DeletedAt.Before(before) {
			ids = append(ids, string(k))
		}
		return err
	})
	return ids, err
}
