package secrets

import (
	"fmt"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// keptPrefix parts what is kept by its own name from the secrets of servers: no server's id begins like this.
const keptPrefix = "@kept/"

// Kept are secrets that no definition refers to, such as tokens, by names of their owner's choice.
type Kept struct{ vault *Vault }

// Kept gives the secrets that no definition refers to.
func (v *Vault) Kept() Kept { return Kept{v} }

// Get reads a value and reports whether there is one. Errors carry CodeKeyringDown, CodeSecretKeyMissing, or
// CodeCredentialMissing for a value that is damaged.
func (k Kept) Get(name string) (value string, ok bool, err error) {
	sealed, ok, err := k.vault.values.Value(keptPrefix + name)
	if err != nil || !ok {
		return "", false, err
	}
	open, err := k.vault.open()
	if err != nil {
		return "", false, err
	}
	value, ok = open.key.unseal(keptPrefix+name, sealed)
	if !ok {
		return "", false, &domain.Error{
			Code: domain.CodeCredentialMissing, Message: fmt.Sprintf("what is kept as %s is damaged", name), Hint: "Sign in again.",
			Args: map[string]string{"variable": name},
		}
	}
	return value, true, nil
}

// Put keeps a value in place of an earlier one. Errors carry CodeKeyringDown or CodeSecretKeyMissing.
func (k Kept) Put(name, value string) error {
	open, err := k.vault.open()
	if err != nil {
		return err
	}
	sealed, err := open.key.seal(keptPrefix+name, value)
	if err != nil {
		return err
	}
	return k.vault.values.PutValue(keptPrefix+name, sealed)
}

// Delete forgets a value; one that nobody kept is no error. It needs no key.
func (k Kept) Delete(name string) error { return k.vault.values.DeleteValue(keptPrefix + name) }

// Names lists those that begin with a prefix.
func (k Kept) Names(prefix string) ([]string, error) {
	keys, err := k.vault.values.ValueKeys(keptPrefix + prefix)
	for i := range keys {
		keys[i] = strings.TrimPrefix(keys[i], keptPrefix)
	}
	return keys, err
}
