package core

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/servers"
)

// configFile is config.toml as it was last read well. A broken file changes nothing but the problem that is told.
type configFile struct {
	path string
	// kept is the copy of its last good version, for the next start.
	kept   string
	logger *slog.Logger
	// sinceLast is what changed while we did not run.
	sinceLast []audit.Entry
	// changing hears of what a new version changes before it counts; nil hears nothing.
	changing func([]audit.Entry)

	replacing sync.Mutex // one after the other
	mu        sync.RWMutex
	good      config.Config
	broken    *domain.Error
}

// keptConfig is the copy of the last good config.toml. It holds rules, so it must not lie in run/, which may be deleted.
const keptConfig = "config.last-good.toml"

// newConfigFile reads the file of a data folder for the first time. When it is broken, the last version that could be read counts, as it
// does while we run; with none, what could be read of the broken one: its deny rules above all.
func newConfigFile(home string, logger *slog.Logger) *configFile {
	path, kept := config.Path(home), filepath.Join(home, keptConfig)
	f := &configFile{path: path, kept: kept, logger: logger}
	if err := os.Rename(filepath.Join(home, "run", keptConfig), kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		logger.Warn("move the last good config.toml out of run", "error", err) // where earlier versions had it
	}
	if sameText(path, kept) {
		kept = "" // nothing to compare with, and nothing else to go by
	}
	last, lastErr := config.LoadKept(kept)
	read, err := config.Load(path)
	f.replace(read, err)
	switch {
	case err == nil && lastErr == nil:
		f.sinceLast = fileChanges(last, read)
	case err != nil && lastErr == nil:
		f.good = last
	case err != nil:
		f.good = read
	}
	return f
}

func (f *configFile) replace(read config.Config, err error) {
	f.replacing.Lock()
	defer f.replacing.Unlock()
	if before, _ := f.get(); err == nil && f.changing != nil {
		f.changing(fileChanges(before, read))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken = domain.AsError(err)
	if err != nil {
		return
	}
	f.good = read
	if err := config.Keep(f.path, f.kept); err != nil {
		f.logger.Warn("keep the last good config.toml", "error", err)
	}
}

// reload reads the file again and says what is wrong with it.
func (f *configFile) reload() error {
	read, err := config.Load(f.path)
	f.replace(read, err)
	return err
}

func (f *configFile) get() (config.Config, *domain.Error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.good, f.broken
}

// setting is the value in force: config.toml, else what a person stored, else the default.
func (c *Core) setting(key string) string {
	file, _ := c.file.get()
	if value, _, ok := file.SettingAt(key); ok {
		return value
	}
	if stored, err := c.store.Settings(); err == nil {
		if value, ok := stored[key]; ok {
			return value
		}
	}
	setting, err := config.FindSetting(key)
	if err != nil {
		return ""
	}
	return setting.Default
}

// rules are the owner's rules of config.toml and governance.db, equal in rank, with the standing approvals.
func (c *Core) rules() (policy.Rules, error) {
	stored, err := c.store.Rules()
	if err != nil {
		return policy.Rules{}, err
	}
	approvals, err := c.store.Approvals()
	if err != nil {
		return policy.Rules{}, err
	}
	loss, err := c.store.Loss()
	if err != nil {
		return policy.Rules{}, err
	}
	file, _ := c.file.get()
	return policy.Rules{
		Owner: slices.Concat(file.Rules, stored), Approvals: approvals, Now: c.options.Now(), Lost: loss != nil,
	}, nil
}

// rulesFor gives the rules in force for a call: the owner's, whoever calls.
func (c *Core) rulesFor(domain.Call) (policy.Rules, error) { return c.rules() }

// expand fills in the variables, the secrets and the default limits of a definition, just before it is used. Only the
// secrets of the given servers are opened: a pasted definition must not carry those of another one to its own address.
// What only looks like a secret, in a draft, in config.toml or in our environment, is marked as one, so that logs and
// proofs leave it out.
func (c *Core) expand(d domain.Definition, owners ...string) (domain.Definition, error) {
	if d.TimeoutMS == 0 {
		d.TimeoutMS = c.duration("defaults.timeout").Milliseconds()
	}
	if d.BufferSize == 0 {
		// The table of settings lets no other text in.
		d.BufferSize, _ = strconv.ParseInt(c.setting("defaults.buffer_size"), 10, 64)
	}
	var hidden []string
	variable := func(name string) (string, bool) {
		value, ok := c.lookup(name)
		if ok && servers.LooksSecret(name, value) {
			hidden = append(hidden, value)
		}
		return value, ok
	}
	d, err := config.Expand(servers.LiftSecrets(d), variable, func(ref string) (string, error) {
		owner, _, _ := strings.Cut(ref, "/")
		if !slices.Contains(owners, owner) {
			return "", &domain.Error{
				Code: domain.CodeCredentialMissing, Message: "the secret " + ref + " belongs to another server",
				Hint: "Give its value again here.", Args: map[string]string{"secret": ref, "reason": "other_server"},
			}
		}
		value, err := c.vault.Resolve(ref)
		hidden = append(hidden, value)
		return value, err
	})
	if d.InheritEnv && d.Transport == domain.Stdio {
		hidden = append(hidden, c.secretsOfEnvironment()...)
	}
	d.Hidden = hidden
	return d, err
}

// leastSecret is how long a value of our environment must be to be taken for a secret: a short one would blot out half
// of every line.
const leastSecret = 8

// secretsOfEnvironment are the values of our own environment that look secret, for a process that inherits it.
func (c *Core) secretsOfEnvironment() []string {
	var found []string
	for _, entry := range c.options.Environ {
		name, value, _ := strings.Cut(entry, "=")
		// PWD is the working folder, not a password.
		if name != "PWD" && len(value) >= leastSecret && servers.LooksSecret(name, value) {
			found = append(found, value)
		}
	}
	return found
}

// lookup reads a variable of our own environment. The last entry of a name counts, as for os/exec.
func (c *Core) lookup(name string) (string, bool) {
	for _, entry := range slices.Backward(c.options.Environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, true
		}
	}
	return "", false
}
