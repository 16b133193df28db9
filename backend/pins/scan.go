package pins

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

// Scanner finds instructions hidden in what servers say to models. It is safe for concurrent use.
type Scanner struct {
	// What is looked for is read when it is needed first: most commands never scan.
	lexicon func() *lexicon
	shapes  func() shapes
}

// NewScanner makes a scanner for the words and rules that the program carries.
func NewScanner() *Scanner {
	return &Scanner{lexicon: sync.OnceValue(ownLexicon), shapes: sync.OnceValue(newShapes)}
}

func ownLexicon() *lexicon {
	l, err := readLexicon(lexiconText)
	if err != nil {
		panic(err) // lexicon.txt is ours, and a test reads it
	}
	return l
}

// Scan scans what a server says. The definitions may speak of each other, and of those beside them, which are not scanned;
// what else they name counts as another server's. Each list of findings is in the order of the definition's fields, and
// nil for one that says nothing suspicious.
func (s *Scanner) Scan(definitions, beside []*Definition) [][]domain.TextFinding {
	names, schema := make(map[string]bool), make(map[string]bool)
	for _, d := range slices.Concat(definitions, beside) {
		// asana_search_tasks is also spoken of as search_tasks.
		for name, more := strings.ToLower(d.name), d.name != ""; more; _, name, more = strings.Cut(name, "_") {
			names[name] = true
		}
		maps.Copy(schema, d.schema)
	}
	found := make([][]domain.TextFinding, len(definitions))
	for i, d := range definitions {
		if d.wide {
			found[i] = s.scan(d, names, schema)
		} else {
			found[i] = s.scan(d, names, d.schema)
		}
	}
	return found
}

func (s *Scanner) scan(d *Definition, names, schema map[string]bool) []domain.TextFinding {
	var all []domain.TextFinding
	for _, f := range d.fields {
		if f.plain() {
			continue
		}
		if all = append(all, s.scanField(f, names, schema)...); len(all) >= mostFindings {
			return all[:mostFindings]
		}
	}
	if !d.whole() {
		all = append(all, domain.TextFinding{Code: domain.OutOfSight, Field: d.fields[len(d.fields)-1].path, Count: 1})
	}
	return all
}

// mostFindings bounds what is told of one definition: nobody needs more to look closely.
const mostFindings = 20

// plain holds for one short word, which cannot say anything: the many "type": "string" of a schema.
func (f field) plain() bool {
	const short = 12
	if len(f.text) > short {
		return false
	}
	for i := range len(f.text) {
		if c := f.text[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// Texts longer than this are not read by a person, in characters.
const (
	longestProse = 10_000
	longestName  = 128
)

func (s *Scanner) scanField(f field, tools, schema map[string]bool) []domain.TextFinding {
	found := passages{field: f}
	s.shapes().find(f.text, found.tell)
	limit := longestProse
	if f.kind == name {
		limit = longestName
	}
	if utf8.RuneCountInString(f.text) > limit {
		found.tell(domain.OutOfSight, span{0, len(f.text)})
	}
	r := reader{lexicon: s.lexicon(), tools: tools, schema: schema, name: f.kind == name}
	r.read(f.text)
	for _, at := range r.disguised {
		found.tell(domain.DisguisedLetters, at)
	}
	for _, rule := range s.lexicon().rules {
		if rule.parameter && f.kind == prose {
			continue
		}
		rule.find(r.words, func(first, last int) {
			found.tell(rule.code, span{r.words[first].start, r.words[last].end})
		})
	}
	return found.list
}

// passages gathers the findings of one field: one for each code, at its first passage.
type passages struct {
	field field
	list  []domain.TextFinding
	spans [][]span // of each finding
}

func (p *passages) tell(code domain.FindingCode, at span) {
	i := slices.IndexFunc(p.list, func(f domain.TextFinding) bool { return f.Code == code })
	if i < 0 {
		p.list = append(p.list, domain.TextFinding{Code: code, Field: p.field.path, Count: 1})
		p.spans = append(p.spans, []span{at})
		p.mark(len(p.list) - 1)
		return
	}
	// Rules of one code may speak of the same words: that is one passage.
	known := p.spans[i]
	again := slices.ContainsFunc(known, func(old span) bool { return at.start < old.end && old.start < at.end })
	if again || len(known) == mostPassages {
		return
	}
	p.spans[i] = append(known, at)
	p.list[i].Count++
	if at.start < known[0].start {
		p.spans[i][0], p.spans[i][len(known)] = at, known[0]
		p.mark(i)
	}
}

// longestExcerpt is how much of a passage is shown, in characters.
const longestExcerpt = 160

func (p *passages) mark(i int) {
	at, text := p.spans[i][0], p.field.text
	p.list[i].Start = utf16Length(text[:at.start])
	p.list[i].End = p.list[i].Start + utf16Length(text[at.start:at.end])
	p.list[i].Text = excerpt(text[at.start:at.end])
}

func utf16Length(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// excerpt shows the beginning of a passage with what is not seen in it.
func excerpt(text string) string {
	runes := []rune(visible(firstRunes(text, longestExcerpt)))
	if len(runes) > longestExcerpt || len(text) > longestExcerpt*utf8.UTFMax {
		return string(runes[:min(len(runes), longestExcerpt)]) + "…"
	}
	return string(runes)
}

// firstRunes cuts a text after n characters.
func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
