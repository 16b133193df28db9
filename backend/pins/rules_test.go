package pins

import (
	"strings"
	"testing"
)

// What is wrong in the lexicon is named, so that nobody ships a rule that never acts.
func TestLexiconRefusesWhatItCannotRead(t *testing.T) {
	for text, want := range map[string]string{
		"concept A: a\nrule x: A 3 B":       "B, which is no concept",
		"concept A: a\nrule x: A without C": "C, which is no concept",
		"rule x within some: FOREIGN":       "within some",
		"concpet A: a":                      "is no concept and no rule",
	} {
		if _, err := readLexicon(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// A concept that no rule names and a rule without steps are dead words.
func TestLexiconHasNoDeadWords(t *testing.T) {
	l, err := readLexicon(lexiconText)
	if err != nil {
		t.Fatal(err)
	}
	var used mask
	for _, r := range l.rules {
		if len(r.steps) == 0 {
			t.Errorf("a rule of %s has no steps", r.code)
		}
		used = used.with(r.without)
		for _, s := range r.steps {
			used = used.with(s.concepts)
		}
	}
	for name, concept := range l.concepts {
		if !used.has(concept) {
			t.Errorf("no rule names %s", name)
		}
	}
	if l.numberOfConcepts > mostConcepts {
		t.Errorf("%d concepts do not fit into a mask", l.numberOfConcepts)
	}
}
