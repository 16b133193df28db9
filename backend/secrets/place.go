package secrets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	// Kind is "keyring", "file" or "unused": no secret was ever kept.
	Kind string `json:"kind" enum:"keyring,file,unused"`
	// Degraded is set when the key lies in a file, or cannot be had at all.
	Degraded bool `json:"degraded"`
	// Reason says why; nil when all is well.
	Reason *domain.Error `json:"reason,omitempty"`
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
	if _, err := os.Stat(v.file); err == nil {
		kind = InFile
	}
	if problem := v.problem.Load(); problem != nil {
		return Place{Kind: kind, Degraded: true, Reason: problem}
	}
	if kind == InFile {
		return v.inFile(mark, false)
	}
	return Place{Kind: kind}
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
	// Cause is why the key is not in the keyring.
	Cause string `json:"cause,omitempty"`
	// Check is a known text sealed with the key, to tell the right key from another one.
	Check string `json:"check"`
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
	check, err := k.seal(markKey, markKey)
	if err != nil {
		return err
	}
	m.Check = string(check)
	raw, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write the mark of the secret store: %w", err)
	}
	return v.values.PutValue(markKey, raw)
}

// fits reports whether k is the key that the mark was made with.
func (m *mark) fits(k dataKey) bool {
	text, ok := k.unseal(markKey, []byte(m.Check))
	return ok && text == markKey
}

var errWrongKey = errors.New("it is another key than the one that was used")
