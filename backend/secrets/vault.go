// Package secrets keeps secrets: in the OS keyring, or in an encrypted file without one.
package secrets

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// keyringLimit is how long the OS keyring may take to answer.
const keyringLimit = 2 * time.Second

// Values keeps encrypted values by key.
type Values interface {
	Value(key string) ([]byte, bool, error)
	PutValue(key string, value []byte) error
	DeleteValue(key string) error
	ValueKeys(prefix string) ([]string, error)
	// SwapValues keeps and forgets values by key, all of them or none, and returns what was there. Nil stands for no value.
	SwapValues(values map[string][]byte) (map[string][]byte, error)
}

// Options of a Vault; the zero value is right for the product.
type Options struct {
	// Environ is our environment as "NAME=value" entries; nil means os.Environ(). It tells whether there is a session
	// bus.
	Environ []string
	// Keyring keeps the data key; nil means the keyring of the system.
	Keyring Keyring
	// Override is the person's own key; nil is none.
	Override Override
	// Found hears that the key, which was out of reach, is not any more. It must not block; nil is nobody.
	Found func()
	// KeyringLimit is how long the keyring may take to answer; 0 means two seconds.
	KeyringLimit time.Duration
	// Now tells the time; nil means time.Now.
	Now func() time.Time
}

// Vault keeps secrets: values encrypted with one data key, which is in the OS keyring or else in a file of the data
// folder. It looks for the key at the first use, never before, and keeps it from then on. It is safe for concurrent
// use.
type Vault struct {
	values Values
	ring   ring
	file   string // path of the key file
	now    func() time.Time
	// override is the person's own key.
	override Override
	found    func()

	opening sync.Mutex // held while the key is looked for
	opened  atomic.Pointer[opened]
	problem atomic.Pointer[domain.Error] // why the key was not found when it was last looked for
}

// opened is a vault's key, with where it is kept.
type opened struct {
	key   dataKey
	place Place
}

// Format keeps the key out of whatever it is printed into.
func (o *opened) Format(s fmt.State, _ rune) { redact(s) }

// secretName is SERVER_ID/KEY. The same form is read in templates, see package config.
var secretName = regexp.MustCompile(`^([a-z0-9_]+)/([^/\s{}]+)$`)

// Open makes the vault of the data folder dir over values. It touches neither the keyring nor the disk.
func Open(dir string, values Values, o Options) *Vault {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.KeyringLimit == 0 {
		o.KeyringLimit = keyringLimit
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Override == nil {
		o.Override = func() (string, bool, error) { return "", false, nil }
	}
	if o.Found == nil {
		o.Found = func() {}
	}
	return &Vault{values: values, ring: newRing(dir, o), file: filepath.Join(dir, keyFile), now: o.Now, override: o.Override, found: o.Found}
}

// Sealed is an encrypted value that is not kept yet.
type Sealed struct {
	// Name is SERVER_ID/KEY, the key of Value among the values.
	Name  string
	Value []byte
}

// Reference is ${secret:SERVER_ID/KEY}, which stands for the secret in a definition.
func (s Sealed) Reference() string { return "${secret:" + s.Name + "}" }

// Seal encrypts value for a key of a server, for whoever keeps it together with the definition that refers to it. Errors
// carry CodeInvalidName, CodeKeyringDown or CodeSecretKeyMissing.
func (v *Vault) Seal(serverID, key, value string) (Sealed, error) {
	name := serverID + "/" + key
	if !secretName.MatchString(name) {
		return Sealed{}, &domain.Error{
			Code: domain.CodeInvalidName, Message: fmt.Sprintf("a secret cannot be named %q", name),
			Hint: "Use a server's id and a key without spaces, slashes and braces.", Args: map[string]string{"name": name},
		}
	}
	open, err := v.open()
	if err != nil {
		return Sealed{}, err
	}
	sealed, err := open.key.seal(name, value)
	return Sealed{Name: name, Value: sealed}, err
}

// Put keeps value under a key of a server, in place of an earlier one, and returns the reference that stands for it.
// Errors are those of Seal.
func (v *Vault) Put(serverID, key, value string) (string, error) {
	sealed, err := v.Seal(serverID, key, value)
	if err != nil {
		return "", err
	}
	if err := v.values.PutValue(sealed.Name, sealed.Value); err != nil {
		return "", err
	}
	return sealed.Reference(), nil
}

// Resolve reads the secret that ref stands for: ${secret:SERVER_ID/KEY}, or SERVER_ID/KEY alone. Errors carry
// CodeCredentialMissing when there is no such secret or it cannot be read, CodeKeyringDown or CodeSecretKeyMissing.
func (v *Vault) Resolve(ref string) (string, error) {
	name := ref
	if inside, ok := strings.CutPrefix(ref, "${secret:"); ok {
		name = strings.TrimSuffix(inside, "}")
	}
	if !secretName.MatchString(name) {
		return "", missing(name)
	}
	sealed, ok, err := v.values.Value(name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", missing(name)
	}
	open, err := v.open()
	if err != nil {
		return "", err
	}
	value, ok := open.key.unseal(name, sealed)
	if !ok {
		return "", &domain.Error{
			Code: domain.CodeCredentialMissing, Message: fmt.Sprintf("the secret %s is damaged", name),
			Hint: "Give its value again in the server's settings.", Args: map[string]string{"variable": name},
		}
	}
	return value, nil
}

func missing(name string) error {
	server, key, _ := strings.Cut(name, "/")
	return &domain.Error{
		Code: domain.CodeCredentialMissing, Message: fmt.Sprintf("there is no secret %s", name),
		Hint: "Give its value in the server's settings, or with: apollia mcp config " + server + " --set " + key, Args: map[string]string{"variable": name},
	}
}

// DeleteServer forgets all secrets of a server. It needs no key.
func (v *Vault) DeleteServer(serverID string) error {
	keys, err := v.values.ValueKeys(serverID + "/")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := v.values.DeleteValue(key); err != nil {
			return err
		}
	}
	return nil
}

// Key derives the 32-byte key for a purpose from the data key (HKDF-SHA256, RFC 5869). The same purpose gives the same
// key as long as the data key stays. Errors are those of Put.
func (v *Vault) Key(purpose string) ([]byte, error) {
	open, err := v.open()
	if err != nil {
		return nil, err
	}
	return open.key.derive(purpose)
}

// Format keeps the key out of whatever a vault is printed into.
func (v *Vault) Format(s fmt.State, _ rune) { redact(s) }
