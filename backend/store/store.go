// Package store keeps records in bbolt, one file per kind of record, with migrations.
package store

import (
	"errors"
	"path/filepath"
	"time"
)

// Names of the databases in the data folder.
const (
	ServersFile    = "apollia.db"
	GovernanceFile = "governance.db"
)

// Options of a Store; the zero value is right for the product.
type Options struct {
	// LockWait is how long Open waits for another process to let go of the databases; 0 means one second.
	LockWait time.Duration
	// KeepRequests is how many ended requests are kept in all, the newest ones of each server; 0 means 1000.
	KeepRequests int
	// Now tells the time; nil means time.Now.
	Now func() time.Time
}

// Store holds all records of the product: servers, settings and encrypted values in apollia.db, what a person decided
// in governance.db. It is safe for concurrent use. Every write is on disk when its method returns.
type Store struct {
	main       *database
	governance *database
	damage     []Damage
	options    Options
}

// Damage says which database could not be read at Open, and where it was kept.
type Damage struct {
	// File is the name of the database in the data folder.
	File string `json:"file"`
	// KeptAs is the path the damaged file was moved to.
	KeptAs string `json:"kept_as"`
	// Recovered is how many records could be carried over to the fresh database.
	Recovered int    `json:"recovered"`
	Cause     string `json:"cause"`
}

// Open opens the databases in dir and brings them to the current schema; missing ones are created, dir too. A damaged
// database is moved aside and replaced by a fresh one, see Damage.
//
// Errors carry CodeFolderForeign, CodeReadOnly, CodeDiskFull, CodeFolderBusy (another process holds the databases) or
// CodeDBNewer (written by a newer version, left untouched). Close the store when done.
func Open(dir string, o Options) (*Store, error) {
	if o.LockWait == 0 {
		o.LockWait = time.Second
	}
	if o.KeepRequests == 0 {
		o.KeepRequests = 1000
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := prepareFolder(dir); err != nil {
		return nil, err
	}
	s := &Store{options: o}
	var err error
	main, governance := filepath.Join(dir, ServersFile), filepath.Join(dir, GovernanceFile)
	// Each is made before what comes after it, so an empty one beside that was emptied since.
	if s.main, err = s.open(main, mainSchema(), exists(governance)); err != nil {
		return nil, err
	}
	if s.governance, err = s.open(governance, governanceSchema(), exists(filepath.Join(dir, "audit"))); err != nil {
		return nil, errors.Join(err, s.main.close())
	}
	return s, nil
}

// Close lets go of the databases.
func (s *Store) Close() error {
	return errors.Join(s.main.close(), s.governance.close())
}

// Damage lists the databases that Open found damaged, empty when all is well.
func (s *Store) Damage() []Damage { return s.damage }
