package pins

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

//go:embed lexicon.txt
var lexiconText string

// mask is a set of concepts, at most mostConcepts.
type mask [3]uint64

const mostConcepts = 64 * len(mask{})

func (m mask) has(o mask) bool { return m[0]&o[0]|m[1]&o[1]|m[2]&o[2] != 0 }

func (m mask) with(o mask) mask { return mask{m[0] | o[0], m[1] | o[1], m[2] | o[2]} }

// step is one part of a rule: a word of one of the concepts, at most gap words after the step before it.
type step struct {
	concepts mask
	gap      int
}

type rule struct {
	code      domain.FindingCode
	steps     []step
	without   mask
	parameter bool // only in the words of a parameter
	// within is how many words the steps may span in any order; 0 for steps in order.
	within int
}

// lexicon knows words by what they mean to a rule.
type lexicon struct {
	words, beginnings map[string]mask
	longest           int // of the words of scripts without spaces, in runes
	rules             []rule
	concepts          map[string]mask
	foreign, own      mask
	numberOfConcepts  int
}

// readLexicon reads lexicon.txt, which the program carries: what is wrong in it is a mistake of ours.
func readLexicon(text string) (*lexicon, error) {
	l := &lexicon{words: map[string]mask{}, beginnings: map[string]mask{}, concepts: map[string]mask{}}
	l.foreign, l.own = l.concept("FOREIGN"), l.concept("OWN")
	var rules []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		name, words, _ := strings.Cut(rest, ":")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case kind == "concept":
			l.learn(l.concept(name), strings.Fields(words))
		case kind == "rule":
			rules = append(rules, rest)
		default:
			return nil, fmt.Errorf("read the lexicon: %q is no concept and no rule", line)
		}
	}
	for _, text := range rules {
		one, err := l.readRule(text)
		if err != nil {
			return nil, err
		}
		l.rules = append(l.rules, one)
	}
	return l, nil
}

func (l *lexicon) concept(name string) mask {
	known, ok := l.concepts[name]
	if !ok {
		known[l.numberOfConcepts/64] |= 1 << (l.numberOfConcepts % 64)
		l.concepts[name] = known
		l.numberOfConcepts++
	}
	return known
}

func (l *lexicon) learn(concept mask, words []string) {
	for _, word := range words {
		beginning, cut := strings.CutSuffix(word, "*")
		key := foldWord(beginning)
		if cut {
			l.beginnings[key] = l.beginnings[key].with(concept)
			continue
		}
		l.words[key] = l.words[key].with(concept)
		if first := []rune(key); isUnspaced(first[0]) {
			l.longest = max(l.longest, len(first))
		}
	}
}

// readRule reads "code: A 3 B|C without D", and "code within 8: A B" for any order.
func (l *lexicon) readRule(text string) (rule, error) {
	head, body, _ := strings.Cut(text, ":")
	code, place, _ := strings.Cut(head, " ")
	one := rule{code: domain.FindingCode(code), parameter: strings.HasSuffix(place, "in parameter")}
	if within, ok := strings.CutPrefix(place, "within "); ok {
		number, _, _ := strings.Cut(within, " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			return one, fmt.Errorf("read the lexicon: %q: %w", text, err)
		}
		one.within = n
	}
	body, without, _ := strings.Cut(body, " without ")
	gap := 0
	for word := range strings.FieldsSeq(body) {
		if n, err := strconv.Atoi(word); err == nil {
			gap = n
			continue
		}
		concepts, err := l.oneOf(word)
		if err != nil {
			return one, err
		}
		one.steps = append(one.steps, step{concepts, gap})
	}
	var err error
	if without != "" {
		one.without, err = l.oneOf(without)
	}
	return one, err
}

func (l *lexicon) oneOf(names string) (mask, error) {
	var concepts mask
	for name := range strings.SplitSeq(names, "|") {
		known, ok := l.concepts[name]
		if !ok {
			return mask{}, fmt.Errorf("read the lexicon: a rule names %s, which is no concept", name)
		}
		concepts = concepts.with(known)
	}
	return concepts, nil
}

// knows says that a folded word, or one that begins with exactly it, is in the lexicon.
func (l *lexicon) knows(word string) bool {
	return l.words[word].with(l.beginnings[word]) != (mask{})
}

// meaning is what a folded word stands for.
func (l *lexicon) meaning(word string) mask {
	found := l.words[word]
	for end := range word {
		if end >= shortestBeginning {
			found = found.with(l.beginnings[word[:end]])
		}
		if end > longestBeginning {
			return found
		}
	}
	return found.with(l.beginnings[word])
}

// Beginnings of words in the lexicon have this many bytes.
const (
	shortestBeginning = 3
	longestBeginning  = 24
)

// reached is how far a rule has come: the last word of a step, and where the passage began.
type reached struct{ word, start int }

// find gives the passages of a text that a rule speaks of, each as its first and last word.
func (r rule) find(words []word, tell func(first, last int)) {
	state := make([]reached, len(r.steps))
	forget := func() {
		for i := range state {
			state[i] = reached{-1, -1}
		}
	}
	forget()
	for n, w := range words {
		if w.stop {
			forget()
		}
		if w.stop || w.means == (mask{}) {
			continue
		}
		if first := r.advance(state, n, w.means); first >= 0 && !r.spoiled(words, first) {
			tell(first, n)
			forget()
		}
	}
}

// advance takes one word more into the state; it gives the first word of the passage that this one completes, else -1.
func (r rule) advance(state []reached, n int, means mask) int {
	if r.within > 0 {
		return r.gather(state, n, means)
	}
	last := len(r.steps) - 1
	for i := last; i >= 0; i-- {
		if !means.has(r.steps[i].concepts) {
			continue
		}
		switch {
		case i == 0:
			state[0] = reached{n, n}
		case state[i-1].word >= 0 && n-state[i-1].word <= r.steps[i].gap:
			state[i] = reached{n, state[i-1].start}
		default:
			continue
		}
		if i == last {
			return state[i].start
		}
	}
	return -1
}

// gather is advance for steps in any order. A word stands for one step: the one that was met longest ago.
func (r rule) gather(state []reached, n int, means mask) int {
	oldest := -1
	for i, s := range r.steps {
		if means.has(s.concepts) && (oldest < 0 || state[i].word < state[oldest].word) {
			oldest = i
		}
	}
	if oldest < 0 {
		return -1
	}
	state[oldest] = reached{n, n}
	first := n
	for _, s := range state {
		if s.word < 0 || n-s.word > r.within {
			return -1
		}
		first = min(first, s.word)
	}
	return first
}

// longestSentence bounds how far around a passage is looked for what makes it harmless, in words.
const longestSentence = 40

// spoiled says that the sentence around a word has something the rule must not see.
func (r rule) spoiled(words []word, n int) bool {
	if r.without == (mask{}) {
		return false
	}
	from := n
	for from > 0 && n-from < longestSentence && !words[from-1].stop {
		from--
	}
	for i := from; i < len(words) && i-n < longestSentence && !words[i].stop; i++ {
		if words[i].means.has(r.without) {
			return true
		}
	}
	return false
}
