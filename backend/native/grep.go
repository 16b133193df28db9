package native

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
)

// Bounds of one grep.
const (
	usualMatches = 100
	mostMatches  = 1000
	mostContext  = 10
	maxSearched  = 1 << 30   // bytes of all files together
	maxMatched   = 256 << 10 // bytes of a line that are looked at
	maxShown     = 1000      // bytes of a line that are shown
)

type grepArguments struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path"`
	Glob       string `json:"glob"`
	IgnoreCase bool   `json:"ignore_case"`
	Context    count  `json:"context"`
	Limit      count  `json:"limit"`
}

// match is one line that fits.
type match struct {
	Path   string   `json:"path"`
	Line   int      `json:"line"`
	Text   string   `json:"text"`
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
}

type grepFacts struct {
	Matches []match `json:"matches"`
	More    bool    `json:"more"`
	// Files were searched; Binary and Unread were not.
	Files  int `json:"files"`
	Binary int `json:"binary_files"`
	Unread int `json:"unreadable_files"`
	// LongLines were looked at only in part.
	LongLines int  `json:"long_lines,omitempty"`
	Complete  bool `json:"complete"`
}

// search is one grep on its way.
type search struct {
	at      *place
	wanted  *regexp.Regexp
	context int
	most    int

	facts    grepFacts
	searched int64
	shown    int
	ended    bool // at maxSearched
}

func (f *Filesystem) grep(ctx context.Context, wanted grepArguments) (answer, error) {
	expression := wanted.Pattern
	if wanted.IgnoreCase {
		expression = "(?i)" + expression
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return answer{}, refuse("The pattern is no regular expression of RE2: %w.", err)
	}
	files := glob{names: []string{"**"}}
	if wanted.Glob != "" {
		if files, err = readGlob(wanted.Glob); err != nil {
			return answer{}, err
		}
	}
	at, err := f.allowed.open(cmp.Or(wanted.Path, "."))
	if err != nil {
		return answer{}, err
	}
	defer at.Close()
	s := &search{
		at: at, wanted: compiled, context: min(max(int(wanted.Context), 0), mostContext), most: wanted.Limit.within(usualMatches, mostMatches),
		facts: grepFacts{Matches: []match{}},
	}
	way := walk{at: at, visit: func(below string, found fs.DirEntry) (bool, error) {
		if !found.Type().IsRegular() || !files.fits(below) {
			return true, nil
		}
		return s.file(ctx, below)
	}}
	info, err := at.root.Stat(at.name)
	switch {
	case err != nil:
		return answer{}, at.named(at.name, err)
	case info.IsDir():
		err = way.run(ctx)
	default:
		if err = at.regular(at.name, info); err == nil {
			_, err = s.file(ctx, "")
		}
	}
	if err != nil {
		return answer{}, err
	}
	s.facts.Complete = way.complete() && !s.facts.More && !s.ended && s.facts.LongLines == 0 && s.facts.Unread == 0
	return say(s.text(), s.facts, append(way.notes(), s.notes()...)...), nil
}

// file looks through one file and says whether to go on with others.
func (s *search) file(ctx context.Context, below string) (goOn bool, err error) {
	file, _, err := s.at.openFile(filepath.Join(s.at.name, filepath.FromSlash(below)))
	if err != nil {
		s.facts.Unread++
		return true, nil
	}
	defer file.Close()
	buffered := bufio.NewReaderSize(io.LimitReader(file, maxSearched-s.searched), readPortion)
	start, err := buffered.Peek(sniffed)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		s.facts.Unread++
		return true, nil
	case isBinary(start):
		s.facts.Binary++
		return true, nil
	}
	s.facts.Files++
	lines := &lineReader{ctx: ctx, reader: buffered, keep: maxMatched}
	err = s.lines(lines, s.at.written(below))
	s.searched += lines.bytes
	s.ended = s.searched >= maxSearched
	switch {
	case ctx.Err() != nil:
		return false, err
	case err != nil:
		s.facts.Unread++
	}
	return !s.facts.More && !s.ended, nil
}

func (s *search) lines(lines *lineReader, name string) error {
	var before []string
	following := 0 // how many of the last matches still want lines after them
	for {
		next, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if next.cut() {
			s.facts.LongLines++
		}
		text := bytes.TrimRight(next.text, "\r\n")
		place := s.wanted.FindIndex(text)
		if place != nil && (len(s.facts.Matches) == s.most || s.shown > maxAnswer) {
			s.facts.More = true
			return nil
		}
		var short string
		if place != nil || s.context > 0 {
			short = shorten(text, place)
		}
		following = s.follow(following, lines.number, name, short)
		if place != nil {
			s.facts.Matches = append(s.facts.Matches, match{Path: name, Line: lines.number, Text: short, Before: append([]string(nil), before...)})
			s.shown += len(short) + len(name) + len(strings.Join(before, ""))
			following++
		}
		if before = append(before, short); len(before) > s.context {
			before = before[1:]
		}
	}
}

// follow adds a line to the matches just before it, and gives how many matches still want lines.
func (s *search) follow(following, number int, name, short string) int {
	for i := len(s.facts.Matches) - following; i < len(s.facts.Matches); i++ {
		one := &s.facts.Matches[i]
		if one.Path != name || number-one.Line > s.context {
			following--
			continue
		}
		one.After = append(one.After, short)
		s.shown += len(short)
	}
	return max(following, 0)
}

// shorten gives the part of a line around what was found.
func shorten(text []byte, found []int) string {
	const mark = "…"
	if len(text) <= maxShown {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	from := 0
	if found != nil {
		from = min(max(0, found[0]-maxShown/4), len(text)-maxShown)
	}
	short := strings.ToValidUTF8(string(text[from:from+maxShown]), "") + mark
	if from > 0 {
		short = mark + short
	}
	return short
}

func (s *search) text() string {
	if len(s.facts.Matches) == 0 {
		return "Nothing matches.\n"
	}
	var b strings.Builder
	for i, m := range s.facts.Matches {
		if s.context > 0 && i > 0 {
			b.WriteString("--\n")
		}
		for j, text := range m.Before {
			fmt.Fprintf(&b, "%s-%d-%s\n", m.Path, m.Line-len(m.Before)+j, text)
		}
		fmt.Fprintf(&b, "%s:%d:%s\n", m.Path, m.Line, m.Text)
		for j, text := range m.After {
			fmt.Fprintf(&b, "%s-%d-%s\n", m.Path, m.Line+1+j, text)
		}
	}
	return b.String()
}

func (s *search) notes() []string {
	var notes []string
	if s.facts.More {
		notes = append(notes, fmt.Sprintf("[There is more than these %d matches. Make the pattern, glob or folder narrower.]", len(s.facts.Matches)))
	}
	if s.ended {
		notes = append(notes, fmt.Sprintf("[The search ended after %d bytes; look in fewer files.]", maxSearched))
	}
	if s.facts.Binary > 0 {
		notes = append(notes, fmt.Sprintf("[%d binary files were left out.]", s.facts.Binary))
	}
	if s.facts.Unread > 0 {
		notes = append(notes, fmt.Sprintf("[%d files could not be read.]", s.facts.Unread))
	}
	if s.facts.LongLines > 0 {
		notes = append(notes, fmt.Sprintf("[Of %d lines only the first %d bytes were searched.]", s.facts.LongLines, maxMatched))
	}
	return notes
}
