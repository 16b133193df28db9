package search

import "strings"

// leastAlternative is how well a tool must fit what another one says of itself to be named in its place.
const leastAlternative = 0.3

// Alternatives gives the names of tools that may do what one does, at most limit, the best first: those that its own words
// find and that do the same to the world. keep says which may be named at all.
func (x *Index) Alternatives(fqn string, limit int, keep func(fqn string) bool) []string {
	d, kind, found := x.document(fqn)
	if !found {
		return nil
	}
	first, _ := firstSentence(d.Description)
	same := x.doing(kind)
	question := strings.Join(split(d.Name), " ") + ". " + first
	hits := x.Search(question, limit, func(other string) bool { return other != fqn && same[other] && (keep == nil || keep(other)) })
	var names []string
	for _, hit := range hits {
		if hit.Score >= leastAlternative {
			names = append(names, hit.FQN)
		}
	}
	return names
}

// document is what is known of a tool, and what it does to the world.
func (x *Index) document(fqn string) (d Document, kind action, found bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, s := range x.segments {
		for i, d := range s.documents {
			if d.FQN == fqn {
				return d, s.actions[i], true
			}
		}
	}
	return Document{}, unsaid, false
}

// doing are the tools that do one kind of thing to the world, by their FQNs.
func (x *Index) doing(kind action) map[string]bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	doing := make(map[string]bool)
	for _, s := range x.segments {
		for i, d := range s.documents {
			doing[d.FQN] = s.actions[i] == kind
		}
	}
	return doing
}
