package secrets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

// service is our name in the OS keyring.
const service = "apollia-connexions"

var (
	errNoSessionBus = errors.New("there is no session bus")
	errTooSlow      = errors.New("it did not answer in time; it may be locked")
)

// Keyring keeps small secrets by service and account. Get of an unknown one fails with keyring.ErrNotFound.
type Keyring interface {
	Get(service, account string) (string, error)
	Set(service, account, secret string) error
	Delete(service, account string) error
}

// systemKeyring is the keyring of the system: Secret Service, Keychain or Credential Manager.
type systemKeyring struct{}

func (systemKeyring) Get(service, account string) (string, error) {
	return keyring.Get(service, account)
}

func (systemKeyring) Set(service, account, secret string) error {
	return keyring.Set(service, account, secret)
}

func (systemKeyring) Delete(service, account string) error { return keyring.Delete(service, account) }

// ring is a keyring that answers within a limit or counts as unavailable.
type ring struct {
	keyring Keyring
	limit   time.Duration
	// account is ours in the keyring: one per data folder, so that two folders never overwrite each other's key.
	account   string
	reachable func() bool

	// late is the call that took too long, until it ends. A locked keyring may wait for a person for ever and cannot
	// be told to stop, so there is never a second one.
	late *lateCall
}

type lateCall struct {
	mu   sync.Mutex
	done chan struct{} // nil when no call is late
}

func newRing(dir string, o Options) ring {
	r := ring{keyring: o.Keyring, limit: o.KeyringLimit, late: new(lateCall), account: accountOf(dir)}
	r.reachable = func() bool { return true }
	if r.keyring == nil {
		r.keyring = systemKeyring{}
		socket := filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus")
		r.reachable = func() bool { return hasSessionBus(o.Environ, socket) }
	}
	return r
}

// accountOf names the data folder by a digest, since keyrings limit the length of names.
func accountOf(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	return "data-key-" + hex.EncodeToString(sum[:8])
}

// hasSessionBus reports whether the D-Bus library will find a bus where the keyring lives on it. When it finds none it
// starts a dbus-daemon that stays behind, so it must not be asked. It looks for a socket in /run/user, whatever
// XDG_RUNTIME_DIR says.
func hasSessionBus(environ []string, socket string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	for _, entry := range slices.Backward(environ) {
		if address, ok := strings.CutPrefix(entry, "DBUS_SESSION_BUS_ADDRESS="); ok {
			if address != "" && address != "autolaunch:" {
				return true
			}
			break
		}
	}
	_, err := os.Stat(socket)
	return err == nil
}

// get reads the key of an account. Any error but keyring.ErrNotFound means that the keyring cannot be used now.
func (r ring) get(account string) (dataKey, error) {
	text, err := r.bounded(func() (string, error) { return r.keyring.Get(service, account) })
	if err != nil {
		return dataKey{}, err
	}
	return readDataKey(text)
}

// set keeps a key under an account and reads it back: some keyrings take what they cannot keep.
func (r ring) set(account string, k dataKey) error {
	_, err := r.bounded(func() (string, error) { return "", r.keyring.Set(service, account, k.text()) })
	if err != nil {
		return err
	}
	back, err := r.get(account)
	if err != nil {
		return err
	}
	if back.text() != k.text() {
		return fmt.Errorf("write data key: the keyring gives another one back")
	}
	return nil
}

// remove takes the key of an account away.
func (r ring) remove(account string) error {
	_, err := r.bounded(func() (string, error) { return "", r.keyring.Delete(service, account) })
	return err
}

// bounded runs one call to the keyring, and leaves it behind when it takes longer than the limit.
func (r ring) bounded(call func() (string, error)) (string, error) {
	if !r.reachable() {
		return "", errNoSessionBus
	}
	r.late.mu.Lock()
	defer r.late.mu.Unlock()
	if r.late.done != nil {
		select {
		case <-r.late.done:
			r.late.done = nil
		default:
			return "", errTooSlow
		}
	}
	var text string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, err = call()
	}()
	timer := time.NewTimer(r.limit)
	defer timer.Stop()
	select {
	case <-done:
		return text, err
	case <-timer.C:
		r.late.done = done
		return "", errTooSlow
	}
}
