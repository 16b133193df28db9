package secrets

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/fernet/fernet-go"
)

// dataKey encrypts all values of a vault. It prints as [secret].
type dataKey struct{ fernet *fernet.Key }

func newDataKey() (dataKey, error) {
	var k fernet.Key
	if err := k.Generate(); err != nil {
		return dataKey{}, fmt.Errorf("make data key: %w", err)
	}
	return dataKey{&k}, nil
}

// readDataKey reads the text that text gives. The error does not show what was read.
func readDataKey(text string) (dataKey, error) {
	k, err := fernet.DecodeKey(text)
	if err != nil {
		return dataKey{}, errors.New("read data key: it is not 32 bytes in base64")
	}
	return dataKey{k}, nil
}

// text is the key itself, in URL-safe base64.
func (k dataKey) text() string { return k.fernet.Encode() }

// seal encrypts a value and binds it to its name, so that values cannot be swapped in the store.
func (k dataKey) seal(name, value string) ([]byte, error) {
	sealed, err := fernet.EncryptAndSign([]byte(name+"\x00"+value), k.fernet)
	if err != nil {
		return nil, fmt.Errorf("encrypt secret %s: %w", name, err)
	}
	return sealed, nil
}

func (k dataKey) unseal(name string, sealed []byte) (string, bool) {
	plain := fernet.VerifyAndDecrypt(sealed, 0, []*fernet.Key{k.fernet})
	value, ok := bytes.CutPrefix(plain, []byte(name+"\x00"))
	return string(value), ok
}

func (k dataKey) derive(purpose string) ([]byte, error) {
	derived, err := hkdf.Key(sha256.New, k.fernet[:], nil, "apollia-connexions "+purpose, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive key for %s: %w", purpose, err)
	}
	return derived, nil
}

// Format keeps the key out of whatever it is printed into.
func (k dataKey) Format(s fmt.State, _ rune) { redact(s) }

// LogValue keeps the key out of logs.
func (k dataKey) LogValue() slog.Value { return slog.StringValue("[secret]") }

func redact(w io.Writer) { _, _ = io.WriteString(w, "[secret]") }
