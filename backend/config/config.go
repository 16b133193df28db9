// Package config reads settings, config.toml and app YAML, and expands variables.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// FileName is the name of the person's own file in the data folder.
const FileName = "config.toml"

// maxFile is the longest config.toml that is read, in bytes.
const maxFile = 1 << 20

// Config is what config.toml says.
type Config struct {
	// Servers are the [[mcp_servers]] entries in the order of the file. Their variables are not expanded.
	Servers []domain.Server
	// Rules are the [[policy.rules]] entries in the order of the file. Their IDs are "config:LINE".
	Rules []domain.Rule
	// Cache is the [cache] table, for the window, the command line and clients.
	Cache domain.Cache
	// Middleware is what the [middleware.…] tables switch on, for the same.
	Middleware domain.Middleware
	// Settings are the keys of KnownSettings that the file sets.
	Settings map[string]Value
	// Problems are everything that is wrong with the file, in its order. Load also returns the first one as its error.
	Problems []*domain.Error
}

// Value is a setting as the file spells it.
type Value struct {
	Text string
	// Line counts from 1.
	Line int
}

// SettingAt is the value that the file gives a setting, and the line that does.
func (c Config) SettingAt(key string) (value string, line int, ok bool) {
	v, ok := c.Settings[key]
	return v.Text, v.Line, ok
}

// Home is the data folder: APOLLIA_HOME, else .apollia in the person's home folder. The path is absolute; the folder
// need not exist.
func Home(getenv func(string) string) (string, error) {
	if home := getenv("APOLLIA_HOME"); home != "" {
		return filepath.Abs(home)
	}
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	home := getenv(variable)
	if home == "" {
		return "", &domain.Error{
			Code: domain.CodeInvalidInput, Message: "the home folder is not known: " + variable + " is not set",
			Hint: "Set APOLLIA_HOME to the folder that holds your data.", Args: map[string]string{"variable": variable},
		}
	}
	return filepath.Abs(filepath.Join(home, ".apollia"))
}

// Path is config.toml in the data folder.
func Path(home string) string { return filepath.Join(home, FileName) }

// Load reads config.toml; a missing file is an empty Config. When anything is wrong with the file, the error is the
// first problem, a *domain.Error with CodeConfigInvalid, and the Config holds what could be read beside it: enough to
// show, and to keep rules in force when there is no earlier reading.
func Load(path string) (Config, error) {
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{Cache: domain.DefaultCache()}, nil
	}
	if err != nil {
		problem := unreadable(path, err)
		return Config{Cache: domain.DefaultCache(), Problems: []*domain.Error{problem}}, problem
	}
	return parse(path, text)
}

func parse(path string, text []byte) (Config, error) {
	r := &reader{path: path, language: inTOML()}
	root, err := syntax.ParseTOML(text)
	if err != nil {
		r.broken(err)
		root = &syntax.Node{Kind: syntax.Object}
	}
	c := r.config(root)
	c.Problems, err = r.result()
	return c, err
}

func readFile(path string) ([]byte, error) {
	// Opening a pipe would wait, for ever, for somebody to write into it.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it is longer than %d MiB", maxFile>>20)
	}
	return text, err
}

func unreadable(path string, err error) *domain.Error {
	reason := err.Error()
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		reason = at.Err.Error()
	}
	return &domain.Error{
		Code: domain.CodeConfigInvalid, Message: fmt.Sprintf("%s cannot be read: %s", path, reason), Cause: err,
		Hint: "Check that it is a file that your user may read.",
		Args: map[string]string{"file": path, "problem": "unreadable", "reason": reason},
	}
}
