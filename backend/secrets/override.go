package secrets

import (
	"errors"
	"os"

	"github.com/zalando/go-keyring"

	"apollia.fr/connexions/backend/domain"
)

// InSetting is the kind of a Place whose key is protected by one of the person's own.
const InSetting = "setting"

// wrapped is what the data key is sealed under.
const wrapped = "data key"

// Override is a key of the person's own that protects the data key in place of the keyring and the key file. It is asked
// for when the vault is opened; given is false where there is none. Its error, a *domain.Error, says why it cannot be had.
type Override func() (text string, given bool, err error)

// CheckKey says why a text is no key.
func CheckKey(text string) error {
	_, err := readDataKey(text)
	return err
}

// findOverridden opens the vault with the person's own key. The data key stays what it is, whatever protects it: so nothing
// that was sealed with it is lost, neither secrets nor the journal. The first time it moves from where it was.
func (v *Vault) findOverridden(m *mark, text string) (*opened, error) {
	own, err := readDataKey(text)
	if err != nil {
		return nil, err
	}
	if m != nil && m.Kind == InSetting {
		inner, ok := own.unseal(wrapped, []byte(m.Wrapped))
		if !ok {
			return nil, overrideRefused()
		}
		k, err := readDataKey(inner)
		if err != nil || !m.fits(k) {
			return nil, v.keyMissing(errWrongKey)
		}
		return &opened{k, Place{Kind: InSetting}}, v.removeLeftKey(m)
	}
	var before *opened
	if m != nil {
		if before, err = v.findKept(m); err != nil {
			return nil, err
		}
	} else if before, err = v.firstOfSetting(); err != nil {
		return nil, err
	}
	if err := v.protect(m, before.key, own); err != nil {
		return nil, err
	}
	return &opened{before.key, Place{Kind: InSetting}}, nil
}

// removeLeftKey takes a key file away that protect was killed before it could: whoever reads it needs no other key.
func (v *Vault) removeLeftKey(m *mark) error {
	if k, found, _, err := readKeyFile(v.file); err == nil && found && m.fits(k) { // else it opens nothing here
		if err := os.Remove(v.file); err != nil {
			return domain.StorageError(v.file, err)
		}
	}
	return nil
}

// firstOfSetting makes the first data key, unless something was sealed with one that is lost.
func (v *Vault) firstOfSetting() (*opened, error) {
	if err := v.mayMake(nil, keyring.ErrNotFound); err != nil {
		return nil, err
	}
	k, err := newDataKey()
	return &opened{key: k}, err
}

// protect keeps the data key under the person's own, and takes it away from where it was once that can be read back.
func (v *Vault) protect(m *mark, k, own dataKey) error {
	inner, err := own.seal(wrapped, k.text())
	if err != nil {
		return err
	}
	now := mark{Kind: InSetting, Wrapped: string(inner), Unrecorded: m == nil || m.Unrecorded}
	if err := v.setMark(now, k); err != nil {
		return err
	}
	back, err := v.mark()
	if err != nil || back == nil {
		return errors.Join(err, errors.New("read the mark of the secret store back"))
	}
	if inner, ok := own.unseal(wrapped, []byte(back.Wrapped)); !ok || inner != k.text() {
		return errors.New("read the data key back: it is another one")
	}
	if m == nil {
		return nil
	}
	if m.Kind == InKeyring {
		account := m.Account
		if account == "" {
			account = v.ring.account
		}
		_ = v.ring.remove(account) // what is left there opens nothing that the person's own key does not
		return nil
	}
	if err := os.Remove(v.file); err != nil {
		return domain.StorageError(v.file, err)
	}
	return nil
}

func overrideRefused() error {
	return &domain.Error{
		Code: domain.CodeSecretKeyMissing, Cause: errWrongKey,
		Message: "the key that server.token_encryption_key names is another one than that which the secrets were protected with",
		Hint:    "Name the key that was used before. Nothing was changed, and nothing is lost." + waysOut,
		Args:    map[string]string{"reason": "setting", "setting": "server.token_encryption_key", "cause": errWrongKey.Error()},
	}
}

// overrideGone says that the vault is protected by a key that is named nowhere any more.
func overrideGone() error {
	return &domain.Error{
		Code: domain.CodeSecretKeyMissing, Message: "the secrets are protected by a key that server.token_encryption_key named, and it is not set any more",
		Hint: "Set it as it was. Nothing was changed, and nothing is lost." + waysOut,
		Args: map[string]string{"reason": "setting", "setting": "server.token_encryption_key"},
	}
}
