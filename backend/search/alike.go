package search

import (
	"slices"
	"strings"
)

// usual is how likely a translation must be to be the same word in another language.
const usual = 0.25

// silent are words that a question has for its grammar alone. All others must be met: "my", "not" and "all" make another
// question, though they find the same tools.
const silent = " a an the please le la les l un une des du de d of me moi s "

// Alike reports whether two questions mean the same: each word of one stands for one of the other and the other way round, the
// names among them in the same order, and both ask for the same to be done. When in doubt they do not.
func (x *Index) Alike(a, b string) bool {
	v, err := x.vocabulary()
	if err != nil {
		return false
	}
	return v.same(v.meant(a), v.meant(b))
}

func (v *vocabulary) same(one, other meaning) bool {
	if len(one.units) == 0 || one.action != other.action || len(one.units) != len(other.units) {
		return false
	}
	return slices.Equal(one.names, other.names) && v.covers(one.units, other.units) && v.covers(other.units, one.units)
}

// meaning is what a question comes to, word by word.
type meaning struct {
	units  []string // words as they are, and terms of phrases
	names  []string // those that mean nothing but themselves, such as names and numbers
	action action
}

func (v *vocabulary) meant(text string) meaning {
	words := piecesOf(text)
	stems := make([]stemmed, len(words))
	for i, word := range words {
		stems[i] = v.stems.of(word.word)
	}
	m := meaning{action: v.actions.asked(stems)}
	for i := 0; i < len(words); {
		if term, length := v.phraseAt(stems[i:]); length > 0 {
			m.units = append(m.units, term)
			i += length
			continue
		}
		if !strings.Contains(silent, " "+words[i].word+" ") {
			m.units = append(m.units, words[i].word)
		}
		i++
	}
	for _, unit := range m.units {
		if !slices.ContainsFunc(v.alternatives(unit), func(a alternative) bool { return a.way != ByStem && a.way != ByWord }) {
			m.names = append(m.names, unit)
		}
	}
	return m
}

// covers reports whether each of some units is the same as one of others.
func (v *vocabulary) covers(units, others []string) bool {
	for _, unit := range units {
		same := func(other string) bool { return unit == other || v.standsFor(unit, other) || v.standsFor(other, unit) }
		if !slices.ContainsFunc(others, same) {
			return false
		}
	}
	return true
}

// standsFor reports whether one unit stands for another: by its stem, as its usual translation, or by a concept. The lexicon
// knows only what a French word stands for.
func (v *vocabulary) standsFor(unit, other string) bool {
	terms := v.stemsOf(other)
	translated := func(t translation) bool { return t.share >= usual && slices.Contains(terms, v.stems.of(t.word).en) }
	return slices.ContainsFunc(v.lexicon[unit], translated) || slices.ContainsFunc(v.alternatives(unit), func(a alternative) bool {
		near := a.way == ByStem || a.way == ByWord || a.way == ByConcept && v.sameConcept(unit, other)
		return near && slices.Contains(terms, a.term)
	})
}

// sameConcept reports whether two words of one concept are the same in a question too. Verbs are, and what is short for the
// other; else a concept has neighbours, such as a message and a mail, that find the same tools and are not the same.
func (v *vocabulary) sameConcept(a, b string) bool {
	verb := func(unit string) bool {
		return slices.ContainsFunc(v.stemsOf(unit), func(stem string) bool { return v.actions[stem] != unsaid })
	}
	return verb(a) && verb(b) || isShort(a, b) || isShort(b, a)
}

// stemsOf are the terms of a word or a phrase.
func (v *vocabulary) stemsOf(unit string) []string {
	if strings.Contains(unit, "_") {
		return []string{unit}
	}
	s := v.stems.of(unit)
	return []string{s.en, s.fr}
}

// isShort holds for the beginning of a word, and for the initials of several; either may stand in the plural.
func isShort(short, long string) bool {
	const least = 3
	short = strings.TrimSuffix(short, "s")
	if words := strings.Split(long, "_"); len(words) > 1 {
		initials := make([]byte, 0, len(words))
		for _, word := range words {
			initials = append(initials, word[:min(len(word), 1)]...)
		}
		return short == string(initials)
	}
	return len(short) >= least && strings.HasPrefix(long, short)
}
