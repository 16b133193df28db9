package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long the file must be left alone before it is read: editors write in several steps.
const settle = 100 * time.Millisecond

// emptied is how much longer a file without a byte in it must be left alone: a program that writes in place empties
// the file first, and between the two steps it says "no servers, no rules", which nobody meant.
const emptied = 2 * time.Second

// Watch calls changed with what Load returns: once at the start, so that no change slips in between an earlier Load
// and the watch, then whenever the file was written, replaced, deleted or made again. A file that was emptied is
// believed once it stayed so for a while. It returns nil when ctx ends, and an error when the folder cannot be watched.
// Calls never overlap. On an error the caller keeps its last good Config.
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
	w := &watch{watcher: watcher, path: path, after: time.After}
	return w.run(ctx, changed)
}

type watch struct {
	watcher *fsnotify.Watcher
	path    string
	after   func(time.Duration) <-chan time.Time
	// doubted is set while a file without a byte is given time to be written.
	doubted bool
	// target is where the file really is when path is a link to another folder.
	target string
}

func (w *watch) run(ctx context.Context, changed func(Config, error)) error {
	quiet := w.read(changed) // nil while there is nothing to read
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-w.watcher.Events:
			if !ok {
				return errors.New("watch config.toml: the watcher ended")
			}
			if w.concerns(event) {
				quiet = w.after(settle)
			}
		case _, ok := <-w.watcher.Errors:
			if !ok {
				return errors.New("watch config.toml: the watcher ended")
			}
			quiet = w.after(settle) // events were lost: whatever happened, reading again is right
		case <-quiet:
			quiet = w.read(changed)
		}
	}
}

// read passes on what is in the file, or returns when to look again at one that may be about to be written.
func (w *watch) read(changed func(Config, error)) <-chan time.Time {
	w.followLink()
	info, err := os.Stat(w.path)
	w.doubted = err == nil && info.Size() == 0 && !w.doubted
	if w.doubted {
		return w.after(emptied)
	}
	changed(Load(w.path))
	return nil
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
