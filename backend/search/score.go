package search

import (
	"math"
	"slices"
	"strings"
	"unique"
)

const (
	// saturation is BM25's k1: how soon more of a word adds little.
	saturation = 2.0
	// coverageShare is how much it counts that every word of a question is met, beside how well each is.
	coverageShare = 0.45
	// maxUnits is how many words of a question count.
	maxUnits = 24
	// own is how much the rareness of a term itself counts, beside that of all that stand for the same word.
	own       = 0.5
	ownOfSame = 0.7
)

// unit is a word or a phrase of a question, with what may stand for it.
type unit struct {
	asked        string
	alternatives []weighed
	// worth is how much the unit says: rare ones more.
	worth float64
}

// weighed is an alternative with how rare it is.
type weighed struct {
	alternative
	handle term
	idf    float64
}

// question is what is looked for.
type question struct {
	text   string
	fqn    string // the text, read as the wire form of a name
	units  []unit
	action action
	worth  float64 // of all units together
}

// read reads a question of one who sees so much. The caller holds mu.
func (x *Index) read(v *vocabulary, text string, seen view) question {
	words := piecesOf(text)
	all := make([]stemmed, len(words))
	for i, word := range words {
		all[i] = v.stems.of(word.word)
	}
	text = strings.TrimSpace(text)
	q := question{text: text, fqn: strings.Replace(text, "__", ".", 1), action: v.actions.asked(all)}
	for i := 0; i < len(words) && len(q.units) < maxUnits; {
		asked, length := v.phraseAt(all[i:])
		if length == 0 {
			asked, length = words[i].word, 1
			if empty(asked) {
				i++
				continue
			}
		}
		i += length
		u := unit{asked: together(words[i-length : i])}
		together := 0.0
		for _, a := range v.alternatives(asked) {
			handle := unique.Make(a.term)
			df := x.frequency(handle, seen)
			if df == 0 {
				continue
			}
			together += a.weight * float64(df)
			u.alternatives = append(u.alternatives, weighed{a, handle, idf(df, seen.count)})
		}
		whole := idf(int(min(together, float64(seen.count))), seen.count)
		for i, a := range u.alternatives {
			share := own
			if a.way == ByStem || a.way == ByWord {
				share = ownOfSame
			}
			u.alternatives[i].idf = share*a.idf + (1-share)*whole
			u.worth = max(u.worth, a.weight*u.alternatives[i].idf)
		}
		if len(u.alternatives) == 0 {
			u.worth = idf(0, seen.count) / 2 // nothing can meet it
		}
		q.units = append(q.units, u)
		q.worth += u.worth
	}
	return q
}

func idf(df, count int) float64 {
	return math.Log(1 + (float64(count)-float64(df)+0.5)/(float64(df)+0.5))
}

// hit is a document with its score, and what of it counts for a place.
type hit struct {
	document      *Document
	score, counts float64
}

// ranking keeps the best hits, the best first; of equal ones the first by name.
type ranking struct {
	hits  []hit
	limit int
}

// add reports whether there was a place.
func (r *ranking) add(h hit) bool {
	if len(r.hits) == r.limit && !before(h, r.hits[r.limit-1]) {
		return false
	}
	at, _ := slices.BinarySearchFunc(r.hits, h, func(a, b hit) int {
		if before(a, b) {
			return -1
		}
		return 1
	})
	r.hits = slices.Insert(r.hits, at, h)
	r.hits = r.hits[:min(len(r.hits), r.limit)]
	return true
}

func before(a, b hit) bool {
	return a.counts > b.counts || a.counts == b.counts && a.document.FQN < b.document.FQN
}

// sheet is where the documents of one segment are reckoned up. One serves for all, so that a search makes no garbage.
type sheet struct{ total, covered, best, met []float64 }

func (s *sheet) begin(n int) {
	for _, column := range []*[]float64{&s.total, &s.covered, &s.best, &s.met} {
		*column = slices.Grow((*column)[:0], n)[:n]
		clear(*column)
	}
}

// rank adds the documents of a segment that meet at least one unit, without the hidden ones.
func (s *segment) rank(r *ranking, q question, hidden []bool, on *sheet) {
	on.begin(len(s.documents))
	for _, u := range q.units {
		touched := false
		for _, a := range u.alternatives {
			for _, p := range s.postings[a.handle] {
				touched = true
				gain := a.weight * a.idf * float64(p.weight) / (saturation + float64(p.weight))
				on.best[p.document] = max(on.best[p.document], gain)
				on.met[p.document] = max(on.met[p.document], a.weight*strength(p.weight))
			}
		}
		if !touched {
			continue
		}
		for i := range on.total {
			on.total[i] += on.best[i]
			on.covered[i] += on.met[i] * u.worth
		}
		clear(on.best)
		clear(on.met)
	}
	for i := range s.documents {
		d := &s.documents[i]
		switch {
		case i < len(hidden) && hidden[i]: // as good as absent
		case d.FQN == q.text || d.FQN == q.fqn:
			r.add(hit{d, 1, 1})
		case on.total[i] > 0:
			score := (1-coverageShare)*on.total[i] + coverageShare*on.covered[i]
			score *= q.action.fit(s.actions[i]) / q.worth
			r.add(hit{d, score, score})
		}
	}
}

// strength is how surely a document is about a term, from 0 to 1.
func strength(weight float32) float64 {
	return min(1, float64(weight)/1.2)
}
