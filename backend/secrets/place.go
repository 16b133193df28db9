package secrets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"apollia.fr/connexions/backend/domain"
)

// The kinds of a Place.
const (
	InKeyring = "keyring"
	InFile    = "file"
	Unused    = "unused"
)

// Place says where the key of the secrets is kept.
type Place struct {
	// Kind is "keyring", "file", "setting" for a key of the person's own, or "unused": no secret was ever kept.
	Kind string `json:"kind" enum:"keyring,file,setting,unused"`
	// Degraded is set when the key lies in a file, or cannot be had at all.
	Degraded bool `json:"degraded"`
	// Reason says why; nil when all is well.
	Reason *domain.Error `json:"reason,omitempty"`
	// Lost names the secrets that cannot be read because their key is missing, as SERVER_ID/KEY.
	Lost []string `json:"lost,omitempty"`
}

// Where says where the key is kept, as far as that is known without asking the keyring.
func (v *Vault) Where(context.Context) Place {
	if open := v.opened.Load(); open != nil {
		return open.place
	}
	mark, err := v.mark()
	if err != nil {
		return Place{Kind: Unused, Degraded: true, Reason: domain.AsError(err)}
	}
	kind := Unused
	if mark != nil {
		kind = mark.Kind
	}
	_, absent := os.Stat(v.file)
	if absent == nil {
		kind = InFile
	}
	if problem := v.problem.Load(); problem != nil {
		return v.without(kind, problem)
	}
	if kind == InFile && errors.Is(absent, fs.ErrNotExist) {
		return v.without(kind, domain.AsError(v.keyMissing(absent)))
	}
	if kind == InFile {
		return v.inFile(mark, false)
	}
	return Place{Kind: kind}
}

// Check looks for the key, which may ask the keyring, and says where it is. It never makes one.
func (v *Vault) Check(ctx context.Context) Place {
	switch m, err := v.mark(); {
	case err != nil: // Where tells so
	case m != nil:
		_, _ = v.open() // Where tells why it failed
	default:
		_, _, err := v.override()
		v.problem.Store(domain.AsError(err))
	}
	return v.Where(ctx)
}

// without is the place of a key that cannot be had.
func (v *Vault) without(kind string, why *domain.Error) Place {
	place := Place{Kind: kind, Degraded: true, Reason: why}
	if why.Code == domain.CodeSecretKeyMissing {
		names, _ := v.names() // the reason weighs more than a list that cannot be read
		place.Lost = ofServers(names)
	}
	return place
}

// inFile is the place of a key that lies in the key file, with the notice a person must see.
func (v *Vault) inFile(m *mark, exposed bool) Place {
	reason := &domain.Error{
		Code: domain.CodeSecretsInFile, Message: "the key of the secrets lies in " + v.file + ", not in the system keyring",
		Hint: "Keep the data folder to yourself: whoever reads that file can read the secrets.",
		Args: map[string]string{"path": v.file},
	}
	if m != nil && m.Cause != "" {
		reason = reason.With("cause", m.Cause)
	}
	if exposed {
		reason.Message = v.file + ", the key of the secrets, could be read by other users; it no longer can"
		reason.Hint = "If other people use this machine, change the secrets where they were issued."
		reason = reason.With("exposed", "true")
	}
	return Place{Kind: InFile, Degraded: true, Reason: reason}
}

// markKey is where the mark is kept among the values. No secret is named so: see secretName.
const markKey = ".vault"

// mark remembers where the data key was put, so that a new one is never made while the old one is only out of reach.
type mark struct {
	Kind string `json:"kind"`
	// Account is the one in the keyring; it stays when the data folder moves.
	Account string `json:"account,omitempty"`
	// Wrapped is the data key, sealed with the person's own.
	Wrapped string `json:"wrapped,omitempty"`
	// Cause is why the key is not in the keyring.
	Cause string `json:"cause,omitempty"`
	// Check is a known text sealed with the key, to tell the right key from another one.
	Check string `json:"check"`
	// Unrecorded says that the journal does not know yet that this key is new.
	Unrecorded bool `json:"unrecorded,omitempty"`
}

// mark reads the mark, nil when no key was made yet.
func (v *Vault) mark() (*mark, error) {
	raw, ok, err := v.values.Value(markKey)
	if err != nil || !ok {
		return nil, err
	}
	var m mark
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("read the mark of the secret store: %w", err)
	}
	return &m, nil
}

func (v *Vault) setMark(m mark, k dataKey) error {
	raw, err := m.sealed(k)
	if err != nil {
		return err
	}
	return v.values.PutValue(markKey, raw)
}

// sealed encodes the mark with the check of k.
func (m mark) sealed(k dataKey) ([]byte, error) {
	check, err := k.seal(markKey, markKey)
	if err != nil {
		return nil, err
	}
	m.Check = string(check)
	return m.encode()
}

func (m mark) encode() ([]byte, error) {
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("write the mark of the secret store: %w", err)
	}
	return raw, nil
}

// Unrecorded reports whether the key is new and Recorded was not called since it was made. Whoever seals with Key what
// outlives a key can tell by it that what came before was sealed with another one.
func (v *Vault) Unrecorded() (bool, error) {
	m, err := v.mark()
	return m != nil && m.Unrecorded, err
}

// Recorded remembers that the journal knows of the new key.
func (v *Vault) Recorded() error {
	v.opening.Lock()
	defer v.opening.Unlock()
	m, err := v.mark()
	if err != nil || m == nil || !m.Unrecorded {
		return err
	}
	m.Unrecorded = false
	raw, err := m.encode()
	if err != nil {
		return err
	}
	return v.values.PutValue(markKey, raw)
}

// fits reports whether k is the key that the mark was made with.
func (m *mark) fits(k dataKey) bool {
	text, ok := k.unseal(markKey, []byte(m.Check))
	return ok && text == markKey
}

var errWrongKey = errors.New("it is another key than the one that was used")
