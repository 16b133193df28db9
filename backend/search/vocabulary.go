package search

import (
	"cmp"
	"slices"
	"strings"
)

// Way is how a word of a question and a word of a tool came together.
type Way string

// The ways, the surest first.
const (
	ByWord    Way = "word"    // the same word
	ByStem    Way = "stem"    // the same word with another ending
	ByConcept Way = "concept" // words that mean the same, by our own list
	ByLexicon Way = "lexicon" // a French word and its English one
	ByPivot   Way = "pivot"   // words that share a translation
	ByMeaning Way = "meaning" // texts that a model finds alike
)

// The weight of each way beside the word itself.
const (
	conceptWeight = 0.75
	lexiconWeight = 0.85
	pivotWeight   = 0.35
	// leastShare is how likely a translation must be to count, and most how many of one word do.
	leastShare = 0.06
	most       = 6
)

// alternative is a term that stands for a word of a question, with how far.
type alternative struct {
	term   string
	weight float64
	way    Way
}

// vocabulary knows words that mean the same.
type vocabulary struct {
	groups  []group
	inGroup map[string][]int // by phrase, by English stem, by French stem
	lexicon map[string][]translation
	pivot   map[string][]translation
	// phrases are those of several words, by their term; begins is how many words the longest has that begins with a stem.
	phrases map[string]struct{}
	begins  map[string]int
	stems   *stemmer
	actions actions
}

func newVocabulary() (*vocabulary, error) {
	v := &vocabulary{
		groups: readConcepts(strings.NewReader(conceptText)), inGroup: make(map[string][]int),
		phrases: make(map[string]struct{}), begins: make(map[string]int), stems: newStemmer(),
	}
	v.actions = readActions(v.stems)
	var err error
	if v.lexicon, err = readTable(lexiconTable); err != nil {
		return nil, err
	}
	if v.pivot, err = readTable(pivotTable); err != nil {
		return nil, err
	}
	for i, g := range v.groups {
		for _, member := range slices.Concat(g.english, g.french) {
			for _, key := range v.keys(member) {
				if !slices.Contains(v.inGroup[key], i) {
					v.inGroup[key] = append(v.inGroup[key], i)
				}
			}
		}
	}
	return v, nil
}

// keys are what a member of a group is found by.
func (v *vocabulary) keys(member string) []string {
	words := v.stems.all(strings.Split(member, "_"))
	if len(words) == 1 {
		return []string{words[0].en, words[0].fr}
	}
	term := termOf(words)
	v.phrases[term] = struct{}{}
	v.begins[words[0].en] = max(v.begins[words[0].en], len(words))
	return []string{term}
}

// termOf is the term of a phrase.
func termOf(words []stemmed) string {
	parts := make([]string, len(words))
	for i, word := range words {
		parts[i] = word.en
	}
	return strings.Join(parts, "_")
}

// phraseAt is the term of the longest phrase that begins a list of words, and how many words it has; 0 if none does.
func (v *vocabulary) phraseAt(words []stemmed) (term string, length int) {
	for length = min(v.begins[words[0].en], len(words)); length > 1; length-- {
		term = termOf(words[:length])
		if _, known := v.phrases[term]; known {
			return term, length
		}
	}
	return "", 0
}

// alternatives are the terms that stand for one word, or one phrase, the best first. One hop only: what a translation means
// in turn is not asked.
func (v *vocabulary) alternatives(word string) []alternative {
	found := make(map[string]alternative)
	add := func(term string, weight float64, way Way) {
		if before, known := found[term]; !known || weight > before.weight {
			found[term] = alternative{term, weight, way}
		}
	}
	var keys []string
	if strings.Contains(word, "_") {
		keys = []string{word}
		add(word, 1, ByWord)
	} else {
		s := v.stems.of(word)
		en, fr := s.en, s.fr
		keys = []string{en, fr}
		add(en, 1, ByStem)
		add(fr, 1, ByStem)
		for _, t := range v.lexicon[word] {
			if en := v.stems.of(t.word).en; t.share >= leastShare {
				add(en, lexiconWeight*spread(t.share), ByLexicon)
			}
		}
		for _, t := range v.pivot[word] {
			if en := v.stems.of(t.word).en; t.share >= leastShare {
				add(en, pivotWeight*t.share, ByPivot)
			}
		}
	}
	for _, key := range keys {
		for _, i := range v.inGroup[key] {
			for _, member := range slices.Concat(v.groups[i].english, v.groups[i].french) {
				words := v.stems.all(strings.Split(member, "_"))
				add(termOf(words), conceptWeight, ByConcept)
				if len(words) == 1 {
					add(words[0].fr, conceptWeight, ByConcept)
				}
			}
		}
	}
	list := make([]alternative, 0, len(found))
	for _, a := range found {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b alternative) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
	})
	return list
}

// spread is the weight of a likelihood: half as likely is not half as good.
func spread(share float64) float64 { return min(1, 0.4+share) }
