package search

import (
	"slices"
	"sync"
)

// Index finds tools. It is safe for concurrent use.
type Index struct {
	vocabulary func() (*vocabulary, error)

	mu       sync.RWMutex
	segments map[string]*segment
	order    []string // the servers, sorted
	df       map[term]int
	count    int
}

// segment is what one server offers: it is replaced as a whole.
type segment struct {
	documents []Document
	actions   []action
	postings  map[term][]posting
}

type posting struct {
	document int32
	weight   float32
}

// New makes an empty index. The vocabulary is read when it is first needed, so that a program that never searches pays
// nothing for it.
func New() *Index {
	return newIndex(sync.OnceValues(newVocabulary))
}

func newIndex(vocabulary func() (*vocabulary, error)) *Index {
	return &Index{vocabulary: vocabulary, segments: make(map[string]*segment), df: make(map[term]int)}
}

// Set makes these the tools of a server, in place of those it had. Of two with one FQN, the first counts.
func (x *Index) Set(server string, documents []Document) error {
	v, err := x.vocabulary()
	if err != nil {
		return err
	}
	s := &segment{postings: make(map[term][]posting)}
	seen := make(map[string]struct{}, len(documents))
	for _, d := range documents {
		if _, repeated := seen[d.FQN]; repeated {
			continue
		}
		seen[d.FQN] = struct{}{}
		for t, weight := range d.weights(v) {
			s.postings[t] = append(s.postings[t], posting{int32(len(s.documents)), weight})
		}
		s.actions = append(s.actions, v.actions.offered(d, v.stems))
		d.Description = d.Description[:min(len(d.Description), maxText)]
		s.documents = append(s.documents, d)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.remove(server)
	if len(s.documents) == 0 {
		return nil
	}
	x.segments[server] = s
	at, _ := slices.BinarySearch(x.order, server)
	x.order = slices.Insert(x.order, at, server)
	x.count += len(s.documents)
	for t, list := range s.postings {
		x.df[t] += len(list)
	}
	return nil
}

// Remove takes away the tools of a server.
func (x *Index) Remove(server string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.remove(server)
}

// remove does it. The caller holds mu.
func (x *Index) remove(server string) {
	s := x.segments[server]
	if s == nil {
		return
	}
	delete(x.segments, server)
	x.order = slices.DeleteFunc(x.order, func(one string) bool { return one == server })
	x.count -= len(s.documents)
	for t, list := range s.postings {
		if x.df[t] -= len(list); x.df[t] == 0 {
			delete(x.df, t)
		}
	}
}

// documents are all there are.
func (x *Index) documents() []Document {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var all []Document
	for _, server := range x.order {
		all = append(all, x.segments[server].documents...)
	}
	return all
}

// Hit is one tool that was found.
type Hit struct {
	FQN string
	// Score is between 0 and 1.
	Score float64
	// Reasons say why, word by word of the question.
	Reasons []Reason
}

// Reason says how one word of a question met one of a tool.
type Reason struct {
	// Asked is the word of the question, Met that of the tool, both as they are spelt there, and Field where it stands.
	Asked string `json:"asked"`
	Met   string `json:"met"`
	Field string `json:"field"`
	Way   Way    `json:"way"`
}

// Search gives the tools that fit a question best, at most limit, the best first, and beyond half of them no more of one
// server where those of others fit nearly as well. keep says which may be found at all; the rest is as good as absent.
func (x *Index) Search(question string, limit int, keep func(fqn string) bool) []Hit {
	v, err := x.vocabulary()
	if err != nil || limit <= 0 {
		return nil // the vocabulary is part of the program: a test reads it
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	seen := x.view(keep)
	q := x.read(v, question, seen)
	all, own := ranking{limit: limit}, ranking{limit: limit}
	var on sheet
	for _, server := range x.order {
		own.hits = own.hits[:0]
		x.segments[server].rank(&own, q, seen.hidden[server], &on)
		all.share(own.hits)
	}
	hits := all.byScore()
	found := make([]Hit, len(hits))
	for i, h := range hits {
		// What the verb adds may lead beyond the end of the scale, which is for names that are spelt out.
		found[i] = Hit{FQN: h.document.FQN, Score: min(h.score, 1), Reasons: explain(v, h.document, q.units)}
	}
	return found
}
