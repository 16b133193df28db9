package native

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Bounds of what find gives.
const (
	usualFound = 200
	mostFound  = 2000
)

type findArguments struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Limit   count  `json:"limit"`
}

type findFacts struct {
	Path string `json:"path"`
	// Paths are full, so that they can be read as they are; one that is no UTF-8 is a file URI.
	Paths []string `json:"paths"`
	More  bool     `json:"more"`
	// Complete says that all below the folder was looked at.
	Complete bool `json:"complete"`
}

func (f *Filesystem) find(ctx context.Context, wanted findArguments) (answer, error) {
	pattern, err := readGlob(wanted.Pattern)
	if err != nil {
		return answer{}, err
	}
	at, err := f.allowed.open(cmp.Or(wanted.Path, "."))
	if err != nil {
		return answer{}, err
	}
	defer at.Close()
	facts := findFacts{Path: strings.ToValidUTF8(at.full(at.name), "\uFFFD"), Paths: []string{}}
	most := wanted.Limit.within(usualFound, mostFound)
	way := walk{at: at, visit: func(below string, _ fs.DirEntry) (bool, error) {
		if !pattern.fits(below) {
			return true, nil
		}
		if len(facts.Paths) == most {
			facts.More = true
			return false, nil
		}
		facts.Paths = append(facts.Paths, at.written(below))
		return true, nil
	}}
	if err := way.run(ctx); err != nil {
		return answer{}, err
	}
	facts.Complete = way.complete() && !facts.More
	notes := way.notes()
	if facts.More {
		notes = append(notes, fmt.Sprintf("[There is more than these %d. Make the pattern or the folder narrower.]", most))
	}
	text := "Nothing matches.\n"
	if len(facts.Paths) > 0 {
		text = strings.Join(facts.Paths, "\n") + "\n"
	}
	return say(text, facts, notes...), nil
}

// written is the full path of what a walk found, in a form that can be read back.
func (p *place) written(below string) string {
	full := p.full(filepath.Join(p.name, filepath.FromSlash(below)))
	if !utf8.ValidString(full) || oneLine(full) != full {
		return addressOf(full)
	}
	return full
}
