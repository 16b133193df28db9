package core

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/secrets"
)

// keySetting names where the person's own key is.
const keySetting = "server.token_encryption_key"

// maxKeyFile is far above the size of a key, in bytes.
const maxKeyFile = 4096

// ownKey is the key that server.token_encryption_key names. CodeConfigInvalid, with the line that does, when it cannot be had.
func (c *Core) ownKey() (text string, given bool, err error) {
	source := c.setting(keySetting)
	if source == "" {
		return "", false, nil
	}
	if text, err = c.readOwnKey(source); err == nil {
		err = secrets.CheckKey(text)
	}
	if err != nil {
		return "", true, c.noKey(err)
	}
	return text, true, nil
}

// readOwnKey reads a key from a variable, or from a file for the user alone.
func (c *Core) readOwnKey(source string) (string, error) {
	path, isFile := strings.CutPrefix(source, "file:")
	if !isFile {
		name := strings.TrimSuffix(strings.TrimPrefix(source, "${"), "}")
		text, _ := c.lookup(name)
		if text == "" {
			return "", errors.New("the variable " + name + " is not set")
		}
		return text, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxKeyFile: // a pipe would never end
		return "", errors.New(path + " is no file with a key")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", errors.New(path + " can be read by other users; make it yours alone (mode 0600)")
	}
	text, err := os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}

// noKey says why the person's own key cannot be had, and where it is named.
func (c *Core) noKey(cause error) error {
	e := &domain.Error{
		Code: domain.CodeConfigInvalid, Message: keySetting + ": " + cause.Error(), Cause: errors.Join(domain.ErrUnsent, cause),
		Hint: "Correct it, or name the key that was used before. Nothing was changed, and nothing is lost.",
		Args: map[string]string{"reason": "key_source", "setting": keySetting, "cause": cause.Error()},
	}
	file, _ := c.file.get()
	if _, line, ok := file.SettingAt(keySetting); ok {
		e.Message = fmt.Sprintf("%s, line %d: %s", c.file.path, line, e.Message)
		e = e.With("file", c.file.path).With("line", fmt.Sprint(line))
	}
	return e
}
