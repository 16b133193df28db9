package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// keyFile holds the data key in the data folder when no keyring does.
const keyFile = "server.key"

// readKeyFile reads the key of a file. It reports whether there is a file, and whether others could read it until now:
// then it is the user's alone from now on.
func readKeyFile(path string) (k dataKey, found, exposed bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return dataKey{}, false, false, nil
	}
	if err != nil {
		return dataKey{}, true, false, unreadable(path, err)
	}
	exposed = runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
	if exposed {
		if err := os.Chmod(path, 0o600); err != nil {
			return dataKey{}, true, true, unreadable(path, fmt.Errorf("take the rights of others away: %w", err))
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return dataKey{}, true, exposed, unreadable(path, err)
	}
	k, err = readDataKey(strings.TrimSpace(string(text)))
	if err != nil {
		return dataKey{}, true, exposed, unreadable(path, err)
	}
	return k, true, exposed, nil
}

func unreadable(path string, cause error) error {
	return &domain.Error{
		Code: domain.CodeSecretKeyMissing, Message: "the key of the secret store in " + path + " cannot be read", Cause: cause,
		Hint: "Bring the file back from a backup and make it readable for your user alone." + waysOut,
		Args: map[string]string{"path": path, "cause": cause.Error()},
	}
}

// writeKeyFile writes a new key file, whole or not at all, for the user alone. There must be none yet.
func writeKeyFile(path string, k dataKey) error {
	draft, err := os.CreateTemp(filepath.Dir(path), keyFile+".*")
	if err != nil {
		return domain.StorageError(path, fmt.Errorf("create key file: %w", err))
	}
	defer func() { _ = os.Remove(draft.Name()) }() // gone already when all went well
	_, err = draft.WriteString(k.text() + "\n")
	err = errors.Join(err, draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return domain.StorageError(path, fmt.Errorf("write key file: %w", err))
	}
	return nil
}
