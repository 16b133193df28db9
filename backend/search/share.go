package search

import (
	"cmp"
	"slices"
)

// beyondShare is what of a score counts for a place among the found, once a server has half of them. Without it, one server
// with many tools that are called like those of others would push all of these out.
const beyondShare = 0.7

// shared chooses the hits to give: the best of all servers, whose own come in order, but beyond half of them only those that
// are far better than what others have.
func shared(byServer [][]hit, limit int) []hit {
	type candidate struct {
		hit
		counts float64
	}
	var all []candidate
	for _, hits := range byServer {
		for i, h := range hits {
			c := candidate{h, h.score}
			if i >= (limit+1)/2 {
				c.counts *= beyondShare
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.counts, a.counts), cmp.Compare(a.document.FQN, b.document.FQN))
	})
	chosen := make([]hit, min(limit, len(all)))
	for i := range chosen {
		chosen[i] = all[i].hit
	}
	slices.SortFunc(chosen, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.document.FQN, b.document.FQN))
	})
	return chosen
}
