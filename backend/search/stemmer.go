package search

import (
	"sync"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
)

// stemmed is a word and what is left of it without its endings: as English has it, and, marked, as French has it. Nobody says
// in which language a question or a tool is.
type stemmed struct{ word, en, fr string }

// frenchMark begins what is a stem of French, so that it never meets an English one by chance.
const frenchMark = "~"

// maxStems is how many words a stemmer remembers.
const maxStems = 50_000

// stemmer remembers what it took the endings off: the same few thousand words come again and again.
type stemmer struct {
	mu    sync.Mutex
	known map[string]stemmed
}

func newStemmer() *stemmer { return &stemmer{known: make(map[string]stemmed)} }

func (s *stemmer) of(word string) stemmed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.known[word]; ok {
		return found
	}
	if len(s.known) >= maxStems {
		clear(s.known)
	}
	made := stemmed{word, english.Stem(word, false), frenchMark + french.Stem(word, false)}
	s.known[word] = made
	return made
}

func (s *stemmer) all(words []string) []stemmed {
	made := make([]stemmed, len(words))
	for i, word := range words {
		made[i] = s.of(word)
	}
	return made
}
