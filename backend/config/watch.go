package config

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long the file must be left alone before it is read: editors write in several steps.
const settle = 100 * time.Millisecond

// Watch calls changed with what Load returns: once at the start, so that no change slips in between an earlier Load
// and the watch, then whenever the file was written, replaced, deleted or made again. It returns nil when ctx ends,
// and an error when the folder cannot be watched. Calls never overlap. On an error the caller keeps its last good
// Config.
func Watch(ctx context.Context, path string, changed func(Config, error)) (err error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, watcher.Close()) }()
	// The folder, since an editor that replaces the file would take a watch on the file away with the old one.
	if err := watcher.Add(filepath.Dir(path)); err != nil {
		return fmt.Errorf("watch %s: %w", filepath.Dir(path), err)
	}
	w := &watch{watcher: watcher, path: path}
	w.followLink()
	changed(Load(path))
	return w.run(ctx, changed)
}

type watch struct {
	watcher *fsnotify.Watcher
	path    string
	// target is where the file really is when path is a link to another folder.
	target string
}

func (w *watch) run(ctx context.Context, changed func(Config, error)) error {
	var quiet <-chan time.Time // nil while there is nothing to read
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-w.watcher.Events:
			if !ok {
				return errors.New("watch config.toml: the watcher ended")
			}
			if w.concerns(event) {
				quiet = time.After(settle)
			}
		case _, ok := <-w.watcher.Errors:
			if !ok {
				return errors.New("watch config.toml: the watcher ended")
			}
			quiet = time.After(settle) // events were lost: whatever happened, reading again is right
		case <-quiet:
			quiet = nil
			w.followLink()
			changed(Load(w.path))
		}
	}
}

// concerns drops what the databases beside the file do all the time.
func (w *watch) concerns(event fsnotify.Event) bool {
	return strings.EqualFold(filepath.Base(event.Name), filepath.Base(w.path)) || event.Name == w.target
}

// followLink watches the folder of a linked file too. A failure is not one of the watch: the link itself is watched.
func (w *watch) followLink() {
	target, err := filepath.EvalSymlinks(w.path)
	if err != nil || target == w.target {
		return
	}
	w.target = target
	if filepath.Dir(target) != filepath.Dir(w.path) {
		_ = w.watcher.Add(filepath.Dir(target))
	}
}
