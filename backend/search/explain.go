package search

// explain says how each unit of a question met a document, by the alternative that counts most there.
func explain(v *vocabulary, d *Document, units []unit) []Reason {
	var reasons []Reason
	parts := d.parts()
	french := isFrench(parts[inDescription])
	where := make(map[string]field)
	for f := fields - 1; f >= 0; f-- {
		for _, t := range termsOf(v, parts[f], french) {
			where[t] = f
		}
	}
	for _, u := range units {
		for _, a := range u.alternatives { // the best first
			if f, met := where[a.term]; met {
				reasons = append(reasons, Reason{Asked: u.asked, Met: a.term, Field: f.String(), Way: a.way})
				break
			}
		}
	}
	return reasons
}
