package core

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/native"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/toolbox"
)

// nativeModules are the modules that work in the folders which the setting modules.folders opens to them.
type nativeModules struct {
	core *Core

	mu    sync.Mutex
	value string
	list  []toolbox.Module
}

// now gives the modules that there are, and begins anew when the setting became another one.
func (n *nativeModules) now() []toolbox.Module {
	n.mu.Lock()
	defer n.mu.Unlock()
	if value := n.core.setting("modules.folders"); value != n.value {
		n.value = value
		list, err := n.open(filepath.SplitList(value))
		if err != nil {
			n.core.options.Logger.Error("open folders to the modules", "error", err)
		}
		n.list = list
	}
	return append(slices.Clip(n.list), n.core.options.Modules...)
}

func (n *nativeModules) open(folders []string) ([]toolbox.Module, error) {
	if len(folders) == 0 {
		return nil, nil
	}
	files, err := native.NewFilesystem(folders, n.core.checkFolder)
	if err != nil {
		return nil, fmt.Errorf("filesystem: %w", err)
	}
	database, err := native.NewDatabase(folders, n.core.checkFolder)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	return []toolbox.Module{files, database}, nil
}

// checkSetting refuses a value that is well formed and cannot be used here.
func (c *Core) checkSetting(key, value string) error {
	if key != "modules.folders" {
		return nil
	}
	for _, folder := range filepath.SplitList(value) {
		if err := c.checkFolder(folder); err != nil {
			return domain.AsError(err).With("setting", key)
		}
	}
	return nil
}

// explain says what the policy answers to a call of a server or of a module.
func (c *Core) explain(call domain.Call, app *policy.App) (domain.Decision, error) {
	if _, module := naming.ParseNative(call.Server); !module {
		return c.servers.Explain(call, app)
	}
	target, err := c.modules.Find(context.Background(), call)
	if err != nil {
		return domain.Decision{}, err
	}
	rules, err := c.rules()
	if err != nil {
		return domain.Decision{}, err
	}
	rules.App = app
	return pipeline.Verdict(call, target, rules), nil
}
