// Package folders says which folders of this computer a server may be told of.
package folders

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// Max is how many folders one server may be told of.
const Max = 100

// maxPath is the longest path in bytes, as Linux has it.
const maxPath = 4096

// Check refuses a folder that no server may be told of: one that is not named in full, is missing or no folder, and one
// that is, holds or lies in the data folder, where the keys and the rules are. It asks the file system what is the same
// folder, so that neither links nor another case of the letters lead around it. Errors: CodeInvalidInput with a reason.
func Check(dataFolder, folder string) error {
	if len(folder) > maxPath || strings.ContainsRune(folder, 0) || !filepath.IsAbs(folder) {
		return invalid("root_not_full", folder, "a folder must be named by its full path", "Give a path that starts at the root.")
	}
	resolved, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return missing(folder, err)
	}
	info, err := os.Stat(resolved)
	switch {
	case err != nil:
		return missing(folder, err)
	case !info.IsDir():
		return invalid("root_no_folder", folder, folder+" is no folder", "Name the folder that the file is in.")
	}
	data, err := filepath.EvalSymlinks(dataFolder)
	if err != nil {
		return fmt.Errorf("look at data folder: %w", err)
	}
	for _, pair := range [][2]string{{resolved, data}, {data, resolved}} {
		inside, err := lies(pair[0], pair[1])
		if err != nil {
			return fmt.Errorf("look whether %s lies in %s: %w", pair[0], pair[1], err)
		}
		if inside {
			return invalid("root_in_data", folder, folder+" is, holds or lies in the data folder of Apollia, with its secrets and rules",
				"Name another folder, or only the part of it that the server needs.")
		}
	}
	return nil
}

// lies reports whether inner is outer or below it. Both are resolved.
func lies(inner, outer string) (bool, error) {
	target, err := os.Stat(outer)
	if err != nil {
		return false, err
	}
	for at := inner; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return false, err
		}
		if os.SameFile(info, target) {
			return true, nil
		}
		if at == filepath.Dir(at) {
			return false, nil
		}
	}
}

func missing(folder string, cause error) error {
	failure := invalid("root_missing", folder, "there is no folder "+folder+", or it cannot be looked at", "Make the folder, or look at how it is written.")
	failure.Cause = cause
	return failure
}

// invalid is what is wrong with a folder. The UI has a sentence of its own for each reason.
func invalid(reason, folder, message, hint string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeInvalidInput, Message: message, Hint: hint, Args: map[string]string{"reason": reason, "folder": folder},
	}
}
