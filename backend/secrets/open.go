package secrets

import (
	"errors"

	"github.com/zalando/go-keyring"

	"apollia.fr/connexions/backend/domain"
)

// open finds the data key, or makes one when there is nothing that an earlier one has encrypted. A failure is not
// remembered: the keyring may be unlocked the next time.
func (v *Vault) open() (*opened, error) {
	v.opening.Lock()
	defer v.opening.Unlock()
	if open := v.opened.Load(); open != nil {
		return open, nil
	}
	open, err := v.find()
	v.problem.Store(domain.AsError(err))
	if err != nil {
		return nil, err
	}
	v.opened.Store(open)
	return open, nil
}

// find looks in the key file first: once there is one, it is the place.
func (v *Vault) find() (*opened, error) {
	m, err := v.mark()
	if err != nil {
		return nil, err
	}
	k, found, exposed, err := readKeyFile(v.file)
	if err != nil {
		return nil, err
	}
	if found {
		return v.settle(m, k, mark{Kind: InFile}, exposed)
	}
	account := v.ring.account
	if m != nil && m.Account != "" {
		account = m.Account
	}
	k, err = v.ring.get(account)
	if err == nil {
		return v.settle(m, k, mark{Kind: InKeyring, Account: account}, false)
	}
	if err := v.mayMake(m, err); err != nil {
		return nil, err
	}
	return v.make(err)
}

// settle checks a key that was found against the mark, and marks it when it is the first of its vault.
func (v *Vault) settle(m *mark, k dataKey, now mark, exposed bool) (*opened, error) {
	if m != nil && !m.fits(k) {
		return nil, v.keyMissing(errWrongKey)
	}
	if m == nil {
		if err := v.setMark(now, k); err != nil {
			return nil, err
		}
		m = &now
	}
	if now.Kind == InFile {
		return &opened{k, v.inFile(m, exposed)}, nil
	}
	return &opened{k, Place{Kind: InKeyring}}, nil
}

// mayMake says why no new key may be made after the keyring answered with cause: something may still need the old one.
func (v *Vault) mayMake(m *mark, cause error) error {
	gone := errors.Is(cause, keyring.ErrNotFound)
	if !gone && m != nil && m.Kind == InKeyring {
		return keyringDown(cause)
	}
	keys, err := v.values.ValueKeys("")
	if err != nil {
		return err
	}
	for _, key := range keys {
		switch {
		case key == markKey:
		case gone || m != nil:
			return v.keyMissing(cause)
		default:
			return keyringDown(cause)
		}
	}
	return nil
}

// make makes a new data key. It goes into the keyring when that answers, else into the key file.
func (v *Vault) make(cause error) (*opened, error) {
	k, err := newDataKey()
	if err != nil {
		return nil, err
	}
	if errors.Is(cause, keyring.ErrNotFound) {
		cause = v.ring.set(k)
	}
	now, place := mark{Kind: InKeyring, Account: v.ring.account}, Place{Kind: InKeyring}
	if cause != nil {
		now = mark{Kind: InFile, Cause: cause.Error()}
		place = v.inFile(&now, false)
		if err := writeKeyFile(v.file, k); err != nil {
			return nil, err
		}
	}
	if err := v.setMark(now, k); err != nil {
		return nil, err
	}
	return &opened{k, place}, nil
}

func (v *Vault) keyMissing(cause error) error {
	return &domain.Error{
		Code: domain.CodeSecretKeyMissing, Message: "the key of the secret store is missing", Cause: cause,
		Hint: "Bring back " + v.file + " or the keyring of the machine that made it, or add the servers that hold secrets again.",
		Args: map[string]string{"path": v.file, "cause": cause.Error()},
	}
}

func keyringDown(cause error) error {
	return &domain.Error{
		Code: domain.CodeKeyringDown, Message: "the system keyring, which holds the key of the secrets, cannot be reached", Cause: cause,
		Hint: "Unlock the keyring or sign in to your desktop session, then try again.",
		Args: map[string]string{"cause": cause.Error()},
	}
}
