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
	return v.look()
}

// look is open for who holds opening, where the key is not known yet.
func (v *Vault) look() (*opened, error) {
	open, err := v.find()
	before := v.problem.Swap(domain.AsError(err))
	if err != nil {
		return nil, err
	}
	v.opened.Store(open)
	if before != nil {
		v.found()
	}
	return open, nil
}

// find opens the vault with the person's own key where one is named, else with the one that was kept.
func (v *Vault) find() (*opened, error) {
	m, err := v.mark()
	if err != nil {
		return nil, err
	}
	text, given, err := v.override()
	switch {
	case err != nil:
		return nil, err
	case given:
		return v.findOverridden(m, text)
	case m != nil && m.Kind == InSetting:
		return nil, overrideGone()
	}
	return v.findKept(m)
}

// findKept looks in the key file first: once there is one, it is the place, unless the mark says that the key went into
// the keyring and the file is another one.
func (v *Vault) findKept(m *mark) (*opened, error) {
	k, found, exposed, err := readKeyFile(v.file)
	stray := found && m != nil && m.Kind == InKeyring && (err != nil || !m.fits(k))
	if err != nil && !stray {
		return nil, err
	}
	if found && !stray {
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

// mayMake says why no new key may be made after the keyring answered with cause: something needs the old one. Where there
// is a mark there was a key, and the journal is sealed with it even if no secret is: only Renew gives it up.
func (v *Vault) mayMake(m *mark, cause error) error {
	gone := errors.Is(cause, keyring.ErrNotFound)
	if m != nil {
		if !gone && m.Kind == InKeyring {
			return keyringDown(cause)
		}
		return v.keyMissing(cause)
	}
	names, err := v.names()
	switch {
	case err != nil:
		return err
	case len(names) == 0:
		return nil
	case gone:
		return v.keyMissing(cause)
	default:
		return keyringDown(cause)
	}
}

// make makes the first data key. It goes into the keyring when that answers, else into the key file.
func (v *Vault) make(cause error) (*opened, error) {
	if errors.Is(cause, keyring.ErrNotFound) {
		cause = nil
	}
	open, now, err := v.newKey(v.ring.account, cause)
	if err != nil {
		return nil, err
	}
	if err := v.setMark(now, open.key); err != nil {
		return nil, err
	}
	return open, nil
}

// newKey makes a data key and puts it into the keyring under account, or into the key file when cause says why it cannot
// be there, or the keyring does. The mark that belongs to it is for the caller to set.
func (v *Vault) newKey(account string, cause error) (*opened, mark, error) {
	k, err := newDataKey()
	if err != nil {
		return nil, mark{}, err
	}
	if cause == nil {
		cause = v.ring.set(account, k)
	}
	if cause == nil {
		return &opened{k, Place{Kind: InKeyring}}, mark{Kind: InKeyring, Account: account, Unrecorded: true}, nil
	}
	now := mark{Kind: InFile, Cause: cause.Error(), Unrecorded: true}
	if err := writeKeyFile(v.file, k); err != nil {
		return nil, mark{}, err
	}
	return &opened{k, v.inFile(&now, false)}, now, nil
}

// waysOut is what to do about a key that is not there.
const waysOut = " If the key is lost for good, make a new one: apollia doctor --new-key, or Settings, Secrets."

func (v *Vault) keyMissing(cause error) error {
	return &domain.Error{
		Code: domain.CodeSecretKeyMissing, Message: "the key of the secret store is missing", Cause: cause,
		Hint: "Bring back " + v.file + " or the keyring of the machine that made it." + waysOut,
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
