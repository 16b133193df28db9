package transport

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// FindProgram finds the file that a command starts: a path relative to cwd when it has a separator, else the first
// match on searchPath, in the form of the PATH variable. It fails with CodeProgramNotFound, whose Proof is where it
// looked.
func FindProgram(command, cwd, searchPath string) (string, error) {
	return findProgram(command, cwd, searchPath, "")
}

func findProgram(command, cwd, searchPath, pathext string) (string, error) {
	var file string
	var err error
	if runtime.GOOS == "windows" {
		file, err = findWindows(command, cwd, searchPath, pathext, isFile)
	} else {
		file, err = findUnix(command, cwd, searchPath)
	}
	if err != nil {
		return "", programNotFound(command, cwd, searchPath, err)
	}
	return file, nil
}

func findUnix(command, cwd, path string) (string, error) {
	if strings.Contains(command, "/") {
		file := command
		if !filepath.IsAbs(file) {
			file = filepath.Join(cwd, file)
		}
		return file, executable(file)
	}
	found := fs.ErrNotExist
	for _, dir := range filepath.SplitList(path) {
		// An empty or relative entry would run a file of whatever folder we happen to be in.
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, command)
		err := executable(file)
		if err == nil {
			return file, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			found = err
		}
	}
	return "", found
}

func executable(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.IsDir() || info.Mode()&0o111 == 0 {
		return fs.ErrPermission
	}
	return nil
}

func isFile(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir()
}

func programNotFound(command, cwd, path string, cause error) *domain.Error {
	e := &domain.Error{
		Code:    domain.CodeProgramNotFound,
		Message: "The program \"" + command + "\" was not found.",
		Hint:    installHint(command),
		Args:    map[string]string{"program": command},
		Proof:   "PATH=" + path,
		Cause:   cause,
	}
	if strings.ContainsAny(command, `/\`) {
		e.Proof = "folder: " + cwd
	}
	if errors.Is(cause, fs.ErrPermission) {
		e.Message = "The program \"" + command + "\" is there but may not be run."
		e.Hint = "Make the file executable, or choose another program."
		e.Args["reason"] = "not_executable"
	}
	return e
}

func installHint(command string) string {
	switch filepath.Base(command) {
	case "npx", "npm", "node":
		return "Install Node.js, or choose the program by its full path."
	case "uvx", "uv":
		return "Install uv, or choose the program by its full path."
	case "docker", "podman":
		return "Install " + command + ", or choose the program by its full path."
	}
	return "Check the spelling, or choose the program by its full path."
}
