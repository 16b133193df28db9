package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"apollia.fr/connexions/backend/domain"
)

// Keep copies config.toml to kept, for its owner alone, so that the last version that could be read is still there when
// the program starts again and the file is broken. Where there is no file, none is kept.
func Keep(path, kept string) error {
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.Remove(kept); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err != nil {
		return unreadable(path, err)
	}
	if before, err := readFile(kept); err == nil && bytes.Equal(before, text) {
		return nil
	}
	return replace(kept, text)
}

// LoadKept reads what Keep kept: fs.ErrNotExist when there is none.
func LoadKept(kept string) (Config, error) {
	text, err := readFile(kept)
	if err != nil {
		return Config{}, domain.StorageError(kept, fmt.Errorf("read %s: %w", kept, err))
	}
	return parse(kept, text)
}
