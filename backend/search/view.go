package search

// view is what one who searches may find. Whatever it leaves out counts for nothing: not even for how rare a word is, or the
// scores would tell of words that stand in tools of others.
type view struct {
	// hidden marks, by server, the documents that it leaves out; a server of which it leaves out none is absent.
	hidden map[string][]bool
	count  int
}

// view asks keep about each document, all of them if it is nil. The caller holds mu.
func (x *Index) view(keep func(fqn string) bool) view {
	seen := view{count: x.count}
	if keep == nil {
		return seen
	}
	for server, s := range x.segments {
		for i := range s.documents {
			if keep(s.documents[i].FQN) {
				continue
			}
			if seen.hidden == nil {
				seen.hidden = make(map[string][]bool)
			}
			if seen.hidden[server] == nil {
				seen.hidden[server] = make([]bool, len(s.documents))
			}
			seen.hidden[server][i] = true
			seen.count--
		}
	}
	return seen
}

// frequency is how many documents of a view have a term. The caller holds mu.
func (x *Index) frequency(of term, in view) int {
	frequency := x.df[of]
	for server, hidden := range in.hidden {
		for _, p := range x.segments[server].postings[of] {
			if hidden[p.document] {
				frequency--
			}
		}
	}
	return frequency
}
