package search

import "slices"

// explain says how each unit of a question met a document, by the alternative that counts most there.
func explain(v *vocabulary, d *Document, units []unit) []Reason {
	var reasons []Reason
	parts := d.parts()
	french := isFrench(parts[inDescription])
	type place struct {
		field field
		words string
	}
	where := make(map[string]place)
	for f := fields - 1; f >= 0; f-- { // what stands in the first fields counts most, so it comes last
		for _, t := range termsOf(v, parts[f], french) {
			where[t.term] = place{f, t.words}
		}
	}
	for _, u := range units {
		for _, a := range u.alternatives { // the best first
			if at, met := where[a.term]; met {
				reason := Reason{Asked: u.asked, Met: at.words, Field: at.field.String(), Way: a.way}
				if !slices.Contains(reasons, reason) { // a word that is asked twice met once
					reasons = append(reasons, reason)
				}
				break
			}
		}
	}
	return reasons
}
