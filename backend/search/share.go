package search

import (
	"cmp"
	"slices"
)

// beyondShare is what of a score counts for a place among the found, once a server has half of them. Without it, one server
// with many tools that are called like those of others would push all of these out.
const beyondShare = 0.7

// share gives places to the best of one server, in order. Beyond half of all places, only those get one that are far better
// than what others have.
func (r *ranking) share(ofOne []hit) {
	for i, h := range ofOne {
		if i >= (r.limit+1)/2 {
			h.counts *= beyondShare
		}
		if !r.add(h) {
			return
		}
	}
}

// byScore are the hits that have a place, the best first.
func (r *ranking) byScore() []hit {
	slices.SortFunc(r.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.document.FQN, b.document.FQN))
	})
	return r.hits
}
