package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// document is what AppendServer adds to config.toml.
type document struct {
	Servers []entry `toml:"mcp_servers"`
}

// entry is one [[mcp_servers]] table as it is written.
type entry struct {
	Name             string            `toml:"name"`
	Transport        string            `toml:"transport"`
	Command          string            `toml:"command,omitempty"`
	Args             []string          `toml:"args,omitempty"`
	Cwd              string            `toml:"cwd,omitempty"`
	InheritEnv       bool              `toml:"inherit_env,omitempty"`
	URL              string            `toml:"url,omitempty"`
	Auth             any               `toml:"auth,omitempty"`
	Timeout          any               `toml:"timeout,omitempty"`
	BufferSize       int64             `toml:"buffer_size,omitempty"`
	Roots            []string          `toml:"roots,omitempty"`
	CacheableTools   []string          `toml:"cacheable_tools,omitempty"`
	CacheTTL         int64             `toml:"cache_ttl,omitempty"`
	RequiresApproval bool              `toml:"requires_approval"`
	Enabled          bool              `toml:"enabled"`
	Env              map[string]string `toml:"env,omitempty"`
	Headers          map[string]string `toml:"headers,omitempty"`
}

// AppendServer adds a server at the end of config.toml and leaves every byte before it. The file is replaced in one
// step and keeps its mode; a new one is for its owner alone (0600). Secret values must be ${secret:…} references
// already.
//
// Errors: CodeConfigInvalid when the file has a problem, CodeDuplicateName, CodeInvalidInput for a secret in clear or
// text that TOML cannot hold, CodeReadOnly and CodeDiskFull.
func AppendServer(path string, s domain.Server) error {
	if err := writable(s.Definition); err != nil {
		return err
	}
	text, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreadable(path, err)
	}
	before, err := parse(path, text)
	if err != nil {
		return err
	}
	for _, other := range before.Servers {
		if other.ID == s.ID {
			return duplicate(path, s.Name, other)
		}
	}
	grown, err := syntax.AppendTOML(text, document{[]entry{newEntry(s)}})
	if err != nil {
		r := &reader{path: path, language: inTOML()}
		r.broken(err)
		_, err = r.result()
		return err
	}
	// What was written must read back, or the next start would find a broken file.
	if _, err := parse(path, grown); err != nil {
		return err
	}
	return replace(path, grown)
}

func newEntry(s domain.Server) entry {
	e := entry{
		Name: s.Name, Transport: string(s.Transport), Command: s.Command, Args: s.Args, Cwd: s.Cwd, InheritEnv: s.InheritEnv,
		URL: s.URL, BufferSize: s.BufferSize, Roots: s.Roots, CacheableTools: s.CacheableTools, CacheTTL: s.CacheSeconds,
		RequiresApproval: s.DefaultVerdict != domain.Allow, Enabled: s.Enabled,
		Env: plain(s.Env), Headers: plain(s.Headers),
	}
	switch {
	case s.TimeoutMS%1000 != 0:
		e.Timeout = float64(s.TimeoutMS) / 1000
	case s.TimeoutMS != 0:
		e.Timeout = s.TimeoutMS / 1000
	}
	if s.Transport == domain.StreamableHTTP {
		e.Transport = "streamable-http" // as the user guide spells it
	}
	if s.Auth != nil {
		e.Auth = newAuthEntry(*s.Auth)
	}
	return e
}

func plain(variables []domain.Variable) map[string]string {
	values := make(map[string]string, len(variables))
	for _, v := range variables {
		values[v.Name] = v.Value
	}
	return values
}

// writable refuses a definition that must not stand in a file in clear, or that TOML would silently change.
func writable(d domain.Definition) error {
	texts := append([]string{d.Name, d.Command, d.Cwd, d.URL}, d.Args...)
	texts = append(texts, d.Roots...)
	texts = append(texts, d.CacheableTools...)
	for _, variables := range d.Variables() {
		for _, v := range variables {
			if v.Secret && !HasReference(v.Value) {
				return &domain.Error{
					Code: domain.CodeInvalidInput, Message: fmt.Sprintf("the value of %s is a secret and cannot stand in config.toml", v.Name),
					Hint: "Keep it in the secret store and write its reference.", Args: map[string]string{"variable": v.Name},
				}
			}
			texts = append(texts, v.Name, v.Value)
		}
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return &domain.Error{
				Code: domain.CodeInvalidInput, Message: fmt.Sprintf("the server %q has a value that is not UTF-8 text", d.Name),
				Hint: "config.toml can only hold UTF-8. Save the server without --save-to-config.",
			}
		}
	}
	return nil
}

func duplicate(path, name string, other domain.Server) error {
	return &domain.Error{
		Code:    domain.CodeDuplicateName,
		Message: fmt.Sprintf("%s already has the server %q, in line %d", path, other.Name, other.Line),
		Hint:    "Choose another name, or edit that entry.",
		Args:    map[string]string{"name": name, "id": other.ID, "file": path, "line": strconv.Itoa(other.Line)},
	}
}

// replace writes a file in one step, through a temporary file beside it. A link stays a link: its target is replaced.
func replace(path string, text []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return domain.StorageError(path, fmt.Errorf("write %s: %w", path, err))
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+FileName+".*")
	if err != nil {
		return domain.StorageError(path, fmt.Errorf("write %s: %w", path, err))
	}
	if err := fill(temporary, text, mode); err != nil {
		return domain.StorageError(path, fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(temporary.Name()))))
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return domain.StorageError(path, fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(temporary.Name()))))
	}
	return nil
}

func fill(f *os.File, text []byte, mode fs.FileMode) error {
	_, err := f.Write(text)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}
