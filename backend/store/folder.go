package store

import (
	"fmt"
	"os"

	"apollia.fr/connexions/backend/domain"
)

// prepareFolder creates dir for the current user alone, or checks that an existing one is the user's. It leaves the
// mode of an existing folder as it is: APOLLIA_HOME may point at one that is shared.
func prepareFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return domain.StorageError(dir, fmt.Errorf("create data folder: %w", err))
	}
	info, err := os.Stat(dir)
	if err != nil {
		return domain.StorageError(dir, fmt.Errorf("look at data folder: %w", err))
	}
	if !ownedByUser(info) {
		return &domain.Error{
			Code: domain.CodeFolderForeign, Message: "the data folder " + dir + " belongs to another user",
			Hint: "Run Apollia as that user, or set APOLLIA_HOME to a folder of your own.",
			Args: map[string]string{"path": dir},
		}
	}
	return nil
}
