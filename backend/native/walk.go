package native

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
)

// Bounds of one walk through a folder and all below it.
const (
	maxVisited = 500_000
	maxDepth   = 100
)

// walk is one way through a folder and all below it, each folder by name. It follows no links.
type walk struct {
	at *place
	// visit gets the path below the start, with slashes. It says whether to go on.
	visit func(below string, found fs.DirEntry) (bool, error)

	visited, unread, deep int
	unfinished, full      bool
}

// run goes through the folder. It ends early, without an error, at its bounds and when visit has enough.
func (w *walk) run(ctx context.Context) error {
	_, err := w.folder(ctx, "", 0)
	return err
}

func (w *walk) folder(ctx context.Context, below string, depth int) (goOn bool, err error) {
	if depth > maxDepth {
		w.deep++
		return true, nil
	}
	found, unfinished, err := w.at.entries(ctx, filepath.Join(w.at.name, filepath.FromSlash(below)))
	switch {
	case err != nil && (ctx.Err() != nil || depth == 0):
		return false, err
	case err != nil:
		w.unread++
		return true, nil //nolint:nilerr // one folder that cannot be looked at does not end the search; notes say so
	}
	w.unfinished = w.unfinished || unfinished
	for _, one := range found {
		if goOn, err := w.step(ctx, path.Join(below, one.Name()), one, depth); err != nil || !goOn {
			return false, err
		}
	}
	return true, nil
}

func (w *walk) step(ctx context.Context, below string, found fs.DirEntry, depth int) (goOn bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	w.visited++
	if w.visited > maxVisited {
		w.full = true
		return false, nil
	}
	if goOn, err := w.visit(below, found); err != nil || !goOn {
		return false, err
	}
	if found.IsDir() {
		return w.folder(ctx, below, depth+1)
	}
	return true, nil
}

// notes say what was not looked at.
func (w *walk) notes() []string {
	var notes []string
	if w.full {
		notes = append(notes, fmt.Sprintf("[The search ended after %d files and folders; look in a smaller folder.]", maxVisited))
	}
	if w.unfinished {
		notes = append(notes, fmt.Sprintf("[A folder has more than the %d entries that were looked at.]", maxEntries))
	}
	if w.unread > 0 {
		notes = append(notes, fmt.Sprintf("[%d folders could not be looked at.]", w.unread))
	}
	if w.deep > 0 {
		notes = append(notes, fmt.Sprintf("[%d folders are more than %d deep and were left out.]", w.deep, maxDepth))
	}
	return notes
}

// complete says whether all was looked at.
func (w *walk) complete() bool { return !w.full && !w.unfinished && w.unread == 0 && w.deep == 0 }
