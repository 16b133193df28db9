package secrets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zalando/go-keyring"

	"apollia.fr/connexions/backend/domain"
)

// lostInfix is in the names of what a renewal keeps of the old key.
const lostInfix = ".lost-"

// Renewal says what a new key costs, and where the old values are.
type Renewal struct {
	// Secrets names those whose values must be given again, as SERVER_ID/KEY.
	Secrets []string `json:"secrets"`
	// KeptIn is the file that keeps their encrypted values, for whoever finds the old key.
	KeptIn string `json:"kept_in"`
	// KeyKeptIn is where a key file that does not fit was moved to; empty when there was none.
	KeyKeptIn string `json:"key_kept_in,omitempty"`
	// Place is where the new key is.
	Place Place `json:"place"`
}

// keptValues is the content of Renewal.KeptIn. Each value is a Fernet token over its name, a zero byte and the secret.
type keptValues struct {
	Mark   json.RawMessage   `json:"mark"`
	Values map[string]string `json:"values"`
}

// Renew makes a new key in place of one that is lost. The values that only the old key opens are moved to a file, so
// that each reads as one that is not there until it is given again. It fails with CodeSecretKeyPresent when the key is
// there, and with CodeKeyringDown when the keyring may still hold it: nothing is given up that may come back.
//
// A renewal that was cut short leaves the key missing, and can be made again.
func (v *Vault) Renew() (Renewal, error) {
	v.opening.Lock()
	defer v.opening.Unlock()
	if err := v.mustBeLost(); err != nil {
		return Renewal{}, err
	}
	old, names, err := v.all()
	if err != nil {
		return Renewal{}, err
	}
	r := Renewal{Secrets: ofServers(names)}
	suffix := lostInfix + v.now().UTC().Format("20060102T150405Z")
	if r.KeptIn, err = keep(filepath.Join(filepath.Dir(v.file), "secrets"+suffix), old); err != nil {
		return Renewal{}, err
	}
	if r.KeyKeptIn, err = moveAside(v.file, v.file+suffix); err != nil {
		return Renewal{}, err
	}
	account := v.ring.account
	if _, err := v.ring.get(account); !errors.Is(err, keyring.ErrNotFound) {
		account += suffix // what is there is another key: it is never overwritten
	}
	open, now, err := v.newKey(account, nil)
	if err != nil {
		return Renewal{}, err
	}
	if err := v.replace(old, now, open.key); err != nil {
		return Renewal{}, err
	}
	v.opened.Store(open)
	v.problem.Store(nil)
	r.Place = open.place
	return r, nil
}

// mustBeLost says why the key may not be given up. The caller holds opening.
func (v *Vault) mustBeLost() error {
	keys, err := v.values.ValueKeys("")
	if err != nil {
		return err
	}
	if v.opened.Load() == nil && len(keys) > 0 {
		switch _, err := v.look(); {
		case domain.CodeOf(err) == domain.CodeSecretKeyMissing:
			return nil
		case err != nil:
			return err
		}
	}
	return &domain.Error{
		Code: domain.CodeSecretKeyPresent, Message: "the key of the secret store is not lost",
		Hint: "There is nothing to do: a new key would only make the secrets unreadable.",
	}
}

// all reads every value, the mark among them, and names the secrets.
func (v *Vault) all() (values map[string][]byte, names []string, err error) {
	if names, err = v.names(); err != nil {
		return nil, nil, err
	}
	values = make(map[string][]byte, len(names)+1)
	for _, key := range append([]string{markKey}, names...) {
		value, ok, err := v.values.Value(key)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			values[key] = value
		}
	}
	return values, names, nil
}

// names lists the secrets there are, as SERVER_ID/KEY.
func (v *Vault) names() ([]string, error) {
	keys, err := v.values.ValueKeys("")
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(keys))
	for _, key := range keys {
		if key != markKey {
			names = append(names, key)
		}
	}
	return names, nil
}

// ofServers are the secrets that a person can give again. Tokens come back by signing in, which their servers ask for.
func ofServers(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, keptPrefix) })
}

// replace forgets the old values and sets the mark of a new key, both or neither.
func (v *Vault) replace(old map[string][]byte, now mark, k dataKey) error {
	raw, err := now.sealed(k)
	if err != nil {
		return err
	}
	change := map[string][]byte{markKey: raw}
	for key := range old {
		if key != markKey {
			change[key] = nil
		}
	}
	_, err = v.values.SwapValues(change)
	return err
}

// keep writes the old values into a new file beside the others, for the user alone, and returns its path.
func keep(base string, old map[string][]byte) (path string, err error) {
	content := keptValues{Mark: old[markKey], Values: make(map[string]string, len(old))}
	for name, value := range old {
		if name != markKey {
			content.Values[name] = string(value)
		}
	}
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encode the old secrets: %w", err)
	}
	var file *os.File
	for n := 1; file == nil; n++ {
		path = numbered(base, n) + ".json"
		file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return "", domain.StorageError(path, fmt.Errorf("keep the old secrets: %w", err))
		}
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", domain.StorageError(path, fmt.Errorf("keep the old secrets: %w", errors.Join(err, os.Remove(path))))
	}
	return path, nil
}

// moveAside renames a file to a name that is free and returns it; empty when there is no such file.
func moveAside(path, base string) (string, error) {
	kept := base
	for n := 2; ; n++ {
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			break
		}
		kept = numbered(base, n)
	}
	err := os.Rename(path, kept)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", domain.StorageError(path, fmt.Errorf("move the old key aside: %w", err))
	}
	return kept, nil
}

func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "-" + strconv.Itoa(n)
}
