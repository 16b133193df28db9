package pins

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"apollia.fr/connexions/backend/domain"
)

// LineKind says whose a line is.
type LineKind string

// The kinds of lines. Skipped stands for lines that are the same and left out.
const (
	Same    LineKind = "same"
	Added   LineKind = "added"
	Removed LineKind = "removed"
	Skipped LineKind = "skipped"
)

// Change is what became of one part of a tool's definition.
type Change struct {
	// Field is name, title, description, annotations, input_schema or output_schema.
	Field string `json:"field"`
	Lines []Line `json:"lines"`
	// Added and Removed count lines.
	Added   int `json:"added"`
	Removed int `json:"removed"`
	// Cut says that the change goes on: it is longer than what is shown.
	Cut bool `json:"cut,omitempty"`
}

// Line is one line of a change.
type Line struct {
	Kind LineKind `json:"kind"`
	// Pieces are the line in order; none for an empty or skipped line.
	Pieces []Piece `json:"pieces"`
	// Count is how many lines a skipped one stands for.
	Count int `json:"count,omitempty"`
}

// Piece is a part of a line that is shown in one way.
type Piece struct {
	Text string `json:"text"`
	// Marked says that these words are not on the other side.
	Marked bool `json:"marked,omitempty"`
	// Hidden says that Text is the code point, such as U+200B, of a character that is not seen.
	Hidden bool `json:"hidden,omitempty"`
}

// Diff tells what changed between two definitions of a tool, in the order a person reads them. A difference in the white
// space of JSON is none.
func Diff(before, after domain.Tool) []Change {
	changes := []Change{}
	for _, part := range [...]struct{ field, before, after string }{
		{"name", before.Name, after.Name},
		{"title", before.Title, after.Title},
		{"description", before.Description, after.Description},
		{"input_schema", laidOut(before.InputSchema), laidOut(after.InputSchema)},
		{"output_schema", laidOut(before.OutputSchema), laidOut(after.OutputSchema)},
		{"annotations", laidOut(before.Annotations()), laidOut(after.Annotations())},
	} {
		was, is := readable(part.before), readable(part.after)
		if was != is {
			changes = append(changes, diffText(part.field, was, is))
		}
	}
	return changes
}

// readable puts a mark for each part of a text that is no character.
func readable(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// mostShown bounds how much of one side of a change is compared and shown, in bytes.
const mostShown = 64 << 10

func diffText(field, before, after string) Change {
	change := Change{Field: field, Lines: []Line{}}
	old, fresh := linesOf(before), linesOf(after)
	same := 0
	for same < min(len(old), len(fresh)) && old[same] == fresh[same] {
		same++
	}
	change.keep(old[:same])
	old, fresh = old[same:], fresh[same:]
	if size(old) > mostShown || size(fresh) > mostShown {
		old, fresh = shortened(old, fresh)
		change.Cut = true
	}
	at := 0
	for _, d := range lcs.DiffLines(old, fresh) {
		change.keep(old[at:d.Start])
		change.replace(old[d.Start:d.End], fresh[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	change.keep(old[at:])
	change.fold()
	return change
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func size(lines []string) (bytes int) {
	for _, line := range lines {
		bytes += len(line) + 1
	}
	return bytes
}

// shortened cuts both sides to what is shown. Where both begin with the same long line, its beginning gives way to the
// place where they part.
func shortened(old, fresh []string) (shortOld, shortFresh []string) {
	const context = 80
	if len(old) > 0 && len(fresh) > 0 {
		if common := commonPrefix(old[0], fresh[0]); common > context {
			from := common - context
			for !utf8.RuneStart(old[0][from]) {
				from--
			}
			old = append([]string{"…" + old[0][from:]}, old[1:]...)
			fresh = append([]string{"…" + fresh[0][from:]}, fresh[1:]...)
		}
	}
	return firstBytes(old, mostShown), firstBytes(fresh, mostShown)
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func firstBytes(lines []string, left int) []string {
	for i, line := range lines {
		if len(line) >= left {
			cut := strings.ToValidUTF8(line[:left], "")
			return append(append([]string{}, lines[:i]...), cut+"…")
		}
		left -= len(line) + 1
	}
	return lines
}

func (c *Change) keep(lines []string) {
	for _, line := range lines {
		c.Lines = append(c.Lines, Line{Kind: Same, Pieces: pieces(tokens(line), nil)})
	}
}

// replace adds lines that went and lines that came, with the words marked that differ between them.
func (c *Change) replace(old, fresh []string) {
	oldTokens, freshTokens := tokens(strings.Join(old, "\n")), tokens(strings.Join(fresh, "\n"))
	goneMarks, newMarks := make([]bool, len(oldTokens)), make([]bool, len(freshTokens))
	for _, d := range lcs.DiffLines(oldTokens, freshTokens) {
		mark(goneMarks[d.Start:d.End])
		mark(newMarks[d.ReplStart:d.ReplEnd])
	}
	c.Removed += len(old)
	c.Added += len(fresh)
	c.addLines(Removed, len(old), oldTokens, goneMarks)
	c.addLines(Added, len(fresh), freshTokens, newMarks)
}

func mark(marks []bool) {
	for i := range marks {
		marks[i] = true
	}
}

func (c *Change) addLines(kind LineKind, count int, tokens []string, marks []bool) {
	for range count {
		end := 0
		for end < len(tokens) && tokens[end] != "\n" {
			end++
		}
		c.Lines = append(c.Lines, Line{Kind: kind, Pieces: pieces(tokens[:end], joined(tokens[:end], marks[:end]))})
		tokens, marks = tokens[min(end+1, len(tokens)):], marks[min(end+1, len(marks)):]
	}
}

// joined marks the blanks between two marked words, so that a phrase is one mark.
func joined(tokens []string, marks []bool) []bool {
	for i := 1; i+1 < len(tokens); i++ {
		if marks[i-1] && marks[i+1] && strings.TrimSpace(tokens[i]) == "" {
			marks[i] = true
		}
	}
	return marks
}

// tokens cuts a text into words, runs of blanks, line ends and single other characters.
func tokens(text string) []string {
	var all []string
	start, kind := 0, 0
	for i, r := range text {
		now := tokenKind(r)
		if i > start && (now != kind || now == 0) {
			all = append(all, text[start:i])
			start = i
		}
		kind = now
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

// tokenKind is 1 for what makes words, 2 for blanks, 0 for what stands alone.
func tokenKind(r rune) int {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', unicode.Is(unicode.Mn, r):
		return 1
	case r != '\n' && unicode.IsSpace(r):
		return 2
	}
	return 0
}

// pieces puts tokens together that are shown alike, and takes hidden characters out of them. marks is nil for no mark.
func pieces(tokens []string, marks []bool) []Piece {
	line := strings.Join(tokens, "")
	hidden := hiddenRuns(line)
	parts := []Piece{}
	put := func(p Piece) {
		if last := len(parts) - 1; last >= 0 && !p.Hidden && !parts[last].Hidden && parts[last].Marked == p.Marked {
			parts[last].Text += p.Text
			return
		}
		parts = append(parts, p)
	}
	at := 0
	for n, token := range tokens {
		marked := len(marks) > n && marks[n]
		for i, r := range token {
			for len(hidden) > 0 && hidden[0].end <= at+i {
				hidden = hidden[1:]
			}
			if len(hidden) > 0 && hidden[0].start <= at+i {
				put(Piece{Text: CodePoint(r), Marked: marked, Hidden: true})
			} else {
				put(Piece{Text: string(r), Marked: marked})
			}
		}
		at += len(token)
	}
	return parts
}

// context is how many lines around a change are shown.
const context = 3

// fold takes the lines out that are the same and far from every change.
func (c *Change) fold() {
	near := make([]bool, len(c.Lines))
	for i, line := range c.Lines {
		if line.Kind != Same {
			mark(near[max(0, i-context):min(len(near), i+context+1)])
		}
	}
	for i := range near { // to say that one line is left out takes one line
		near[i] = near[i] || (i == 0 || near[i-1]) && (i == len(near)-1 || near[i+1])
	}
	folded := c.Lines[:0:0]
	for i, line := range c.Lines {
		switch last := len(folded) - 1; {
		case near[i]:
			folded = append(folded, line)
		case last >= 0 && folded[last].Kind == Skipped:
			folded[last].Count++
		default:
			folded = append(folded, Line{Kind: Skipped, Pieces: []Piece{}, Count: 1})
		}
	}
	c.Lines = folded
}

// laidOut writes JSON as people compare it: a line for each member of a schema and for each parameter, the strings with
// the characters they hold. What is no JSON stays as it is.
func laidOut(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	l := layout{}
	if !l.read(raw) {
		return string(raw)
	}
	return l.text.String()
}
