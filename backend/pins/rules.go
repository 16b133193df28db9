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

// mask is a set of concepts.
type mask [2]uint64

func (m mask) has(o mask) bool { return m[0]&o[0]|m[1]&o[1] != 0 }

func (m mask) with(o mask) mask { return mask{m[0] | o[0], m[1] | o[1]} }

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

// readRule reads "code: A 3 B|C without D".
func (l *lexicon) readRule(text string) (rule, error) {
	head, body, _ := strings.Cut(text, ":")
	code, place, _ := strings.Cut(head, " ")
	one := rule{code: domain.FindingCode(code), parameter: place == "in parameter"}
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
			continue
		}
		if w.means == (mask{}) {
			continue
		}
		for i := len(r.steps) - 1; i >= 0; i-- {
			if !w.means.has(r.steps[i].concepts) {
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
			if i == len(r.steps)-1 && !r.spoiled(words, state[i].start) {
				tell(state[i].start, n)
				forget()
				break
			}
		}
	}
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
