package store

import "time"

// lossKey is where the meta bucket of governance.db keeps the loss of its predecessor.
const lossKey = "loss"

// Loss says that the rules and approvals of a person were lost: governance.db was damaged, or it was gone. It is kept
// in the fresh file until a person accepts it, so that no number of starts makes it forgotten.
type Loss struct {
	// KeptAs is the path of the damaged file, empty when the file was gone.
	KeptAs string    `json:"kept_as,omitempty"`
	At     time.Time `json:"at"`
}

// Loss reads the loss that nobody accepted yet, nil when there is none.
func (s *Store) Loss() (*Loss, error) { return meta[Loss](s, lossKey) }

// AcceptLoss forgets the loss: the rules are from now on those that are there.
func (s *Store) AcceptLoss() error { return s.governance.remove(metaBucket, lossKey) }
