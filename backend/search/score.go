package search

import (
	"math"
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
	own = 0.5
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

// units reads a question. The caller holds mu.
func (x *Index) units(v *vocabulary, question string) []unit {
	words := split(question)
	all := v.stems.all(words)
	var units []unit
	for i := 0; i < len(words) && len(units) < maxUnits; {
		asked, length := v.phraseAt(all[i:])
		if length == 0 {
			asked, length = words[i], 1
			if empty(asked) {
				i++
				continue
			}
		}
		i += length
		u := unit{asked: strings.Join(words[i-length:i], " ")}
		together := 0.0
		for _, a := range v.alternatives(asked) {
			handle := unique.Make(a.term)
			df := x.df[handle]
			if df == 0 {
				continue
			}
			together += a.weight * float64(df)
			u.alternatives = append(u.alternatives, weighed{a, handle, idf(df, x.count)})
		}
		whole := idf(int(min(together, float64(x.count))), x.count)
		for i, a := range u.alternatives {
			u.alternatives[i].idf = own*a.idf + (1-own)*whole
			u.worth = max(u.worth, a.weight*u.alternatives[i].idf)
		}
		if len(u.alternatives) == 0 {
			u.worth = idf(0, x.count) / 2 // nothing can meet it
		}
		units = append(units, u)
	}
	return units
}

func idf(df, count int) float64 {
	return math.Log(1 + (float64(count)-float64(df)+0.5)/(float64(df)+0.5))
}

// hit is a document with its score, before the best are chosen.
type hit struct {
	document *Document
	score    float64
}

// score adds the documents of a segment that meet at least one unit.
func (s *segment) score(hits []hit, units []unit, question string, keep func(string) bool) []hit {
	n := len(s.documents)
	total, covered := make([]float64, n), make([]float64, n)
	best, met := make([]float64, n), make([]float64, n)
	full, worth := 0.0, 0.0
	for _, u := range units {
		clear(best)
		clear(met)
		touched := false
		for _, a := range u.alternatives {
			for _, p := range s.postings[a.handle] {
				touched = true
				gain := a.weight * a.idf * float64(p.weight) / (saturation + float64(p.weight))
				best[p.document] = max(best[p.document], gain)
				met[p.document] = max(met[p.document], a.weight*strength(p.weight))
			}
		}
		full += u.worth
		worth += u.worth
		if !touched {
			continue
		}
		for i := range n {
			total[i] += best[i]
			covered[i] += met[i] * u.worth
		}
	}
	exact := strings.TrimSpace(question)
	for i := range n {
		d := &s.documents[i]
		named := d.FQN == exact || strings.ReplaceAll(d.FQN, ".", "__") == exact
		if total[i] == 0 && !named || keep != nil && !keep(d.FQN) {
			continue
		}
		score := 1.0
		if !named {
			score = 0.999 * ((1-coverageShare)*total[i]/max(full, 1e-9) + coverageShare*covered[i]/max(worth, 1e-9))
		}
		hits = append(hits, hit{d, min(score, 1)})
	}
	return hits
}

// strength is how surely a document is about a term, from 0 to 1.
func strength(weight float32) float64 {
	return min(1, float64(weight)/1.2)
}
