package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of one folder.
const (
	usualEntries  = 1000
	mostEntries   = 5000
	maxEntries    = 200_000 // entries of one folder that are looked at
	entriesAtOnce = 1024
)

type listArguments struct {
	Path   string `json:"path"`
	Offset count  `json:"offset"`
	Limit  count  `json:"limit"`
}

// entry is one thing in a folder.
type entry struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Size is in bytes, of files only.
	Size     *int64     `json:"size,omitempty"`
	Modified *time.Time `json:"modified,omitempty"`
	// URI names what cannot be named by its path, because that is no UTF-8.
	URI string `json:"uri,omitempty"`
}

type listFacts struct {
	Path    string  `json:"path"`
	Entries []entry `json:"entries"`
	// Total is how many the folder has, as far as it was looked at.
	Total      int  `json:"total"`
	NextOffset int  `json:"next_offset,omitempty"`
	Unfinished bool `json:"unfinished,omitempty"`
}

func (f *Filesystem) list(ctx context.Context, wanted listArguments) (answer, error) {
	at, err := f.allowed.open(cmp.Or(wanted.Path, "."))
	if err != nil {
		return answer{}, err
	}
	defer at.Close()
	found, unfinished, err := at.entries(ctx, at.name)
	if err != nil {
		return answer{}, err
	}
	facts := listFacts{Path: strings.ToValidUTF8(at.full(at.name), "\uFFFD"), Entries: []entry{}, Total: len(found), Unfinished: unfinished}
	first := wanted.Offset.within(1, maxEntries+1)
	if first > len(found) && first > 1 {
		return answer{}, refuse("The folder has %d entries, so there is none from %d on.", len(found), first)
	}
	shown := found[first-1:]
	if most := wanted.Limit.within(usualEntries, mostEntries); len(shown) > most {
		shown, facts.NextOffset = shown[:most], first+most
	}
	for _, one := range shown {
		if err := ctx.Err(); err != nil {
			return answer{}, err
		}
		facts.Entries = append(facts.Entries, at.describe(path.Join(at.name, one.Name()), one))
	}
	return say(facts.table(), facts, facts.notes(first)...), nil
}

// describe looks at one entry without following it.
func (p *place) describe(name string, found fs.DirEntry) entry {
	e := entry{Name: strings.ToValidUTF8(found.Name(), "\uFFFD"), Kind: kindOf(found.Type())}
	if !utf8.ValidString(found.Name()) {
		e.URI = addressOf(p.full(name))
	}
	info, err := p.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return e // it went away meanwhile
	}
	e.Kind = kindOf(info.Mode())
	changed := info.ModTime().UTC().Truncate(time.Second)
	e.Modified = &changed
	if info.Mode().IsRegular() {
		size := info.Size()
		e.Size = &size
	}
	return e
}

func (l listFacts) table() string {
	var b strings.Builder
	for _, e := range l.Entries {
		size, changed := "", ""
		if e.Size != nil {
			size = fmt.Sprint(*e.Size)
		}
		if e.Modified != nil {
			changed = e.Modified.Format(time.RFC3339)
		}
		fmt.Fprintf(&b, "%-7s %12s  %-20s  %s\n", e.Kind, size, changed, cmp.Or(e.URI, oneLine(e.Name)))
	}
	if len(l.Entries) == 0 {
		return "The folder is empty.\n"
	}
	return b.String()
}

func (l listFacts) notes(first int) []string {
	var notes []string
	if l.NextOffset > 0 {
		notes = append(notes, fmt.Sprintf("[There is more: these are the entries %d to %d of %d. Go on with offset %d.]",
			first, l.NextOffset-1, l.Total, l.NextOffset))
	}
	if l.Unfinished {
		notes = append(notes, fmt.Sprintf("[The folder has more than the %d entries that were looked at; which of them is up to the system.]", maxEntries))
	}
	return notes
}

// oneLine keeps a name that has an end of line in it from looking like two.
func oneLine(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Sprintf("%q", name)
	}
	return name
}

// entries lists a folder by name. Unfinished says that it has more than are looked at.
func (p *place) entries(ctx context.Context, name string) (found []fs.DirEntry, unfinished bool, err error) {
	info, err := p.root.Stat(name)
	if err != nil {
		return nil, false, p.named(name, err)
	}
	if !info.IsDir() {
		return nil, false, refuse("%s is no folder but a %s.", p.full(name), kindOf(info.Mode()))
	}
	folder, err := p.openNow(name)
	if err != nil {
		return nil, false, err
	}
	defer folder.Close()
	for len(found) <= maxEntries {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		some, err := folder.ReadDir(entriesAtOnce)
		found = append(found, some...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false, p.named(name, err)
		}
	}
	if len(found) > maxEntries {
		found, unfinished = found[:maxEntries], true
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return found, unfinished, nil
}
