package search

import (
	"strings"
	"unique"
)

// Document is what is known of a tool to find it by.
type Document struct {
	// FQN is the name by which a tool is found again; it is that of one document only.
	FQN string
	// Server is the id of the server or module, and Name the tool's own name.
	Server, Name string
	Title        string
	Description  string
	Tags         []string
	Parameters   []string
	Category     string
}

// field is a part of a document.
type field int

const (
	inName field = iota
	inTitle
	inDescription
	inDetails // what stands behind the first sentence
	inTags
	inParameters
	inServer
	fields
)

// String is the field's name in a Reason.
func (f field) String() string {
	return [...]string{"name", "title", "description", "description", "tags", "parameters", "server"}[f]
}

// weigh is how much a word of a field counts, usual how many words the field has, and blend how much longer ones are
// held back (BM25F).
func (f field) weigh() (weight, usual, blend float32) {
	switch f {
	case inName:
		return 3.2, 3, 0.5
	case inTitle:
		return 1.5, 3, 0.5
	case inDescription:
		return 1.6, 10, 0.5
	case inDetails:
		return 0.35, 30, 0.7
	case inTags:
		return 0.8, 3, 0.3
	case inParameters:
		return 0.4, 8, 0.6
	default:
		return 0.8, 1, 0.3
	}
}

// term is a stem or a phrase, kept once for all documents.
type term = unique.Handle[string]

// parts are the words of each field.
func (d Document) parts() [fields][]piece {
	first, rest := firstSentence(d.Description)
	var words [fields][]piece
	words[inName] = piecesOf(d.Name)
	words[inTitle] = piecesOf(d.Title)
	words[inDescription] = piecesOf(first)
	words[inDetails] = piecesOf(rest)
	for _, tag := range append([]string{d.Category}, d.Tags...) {
		words[inTags] = append(words[inTags], piecesOf(tag)...)
	}
	for _, parameter := range d.Parameters {
		words[inParameters] = append(words[inParameters], piecesOf(parameter)...)
	}
	words[inServer] = piecesOf(d.Server)
	return words
}

// firstSentence cuts a description where its first sentence or line ends.
func firstSentence(text string) (first, rest string) {
	const shortest, longest = 12, 300
	text = text[:min(len(text), maxText)]
	for i := shortest; i < min(len(text), longest); i++ {
		if text[i] == '\n' || text[i] == '.' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			return text[:i], text[i+1:]
		}
	}
	return text[:min(len(text), longest)], text[min(len(text), longest):]
}

// weights are how much each term counts in a document, all fields taken together.
func (d Document) weights(v *vocabulary) map[term]float32 {
	sum := make(map[term]float32)
	parts := d.parts()
	french := isFrench(parts[inDescription])
	for f, words := range parts {
		weight, usual, blend := field(f).weigh()
		each := weight / (1 - blend + blend*float32(len(words))/usual)
		once := make(map[string]float32)
		for _, t := range termsOf(v, words, french) {
			once[t.term] += each
		}
		for word, w := range once {
			sum[unique.Make(word)] += min(w, each*2) // a word that is said again and again says it once more
		}
	}
	return sum
}

// spelt is a term with the words that it stands for.
type spelt struct{ term, words string }

// termsOf are the terms of words in order, those of phrases among them.
func termsOf(v *vocabulary, words []piece, french bool) []spelt {
	var terms []spelt
	all := make([]stemmed, len(words))
	for i, word := range words {
		all[i] = v.stems.of(word.word)
	}
	for i, word := range all {
		if phrase, length := v.phraseAt(all[i:]); length > 0 {
			terms = append(terms, spelt{phrase, together(words[i : i+length])})
		}
		if empty(word.word) {
			continue
		}
		terms = append(terms, spelt{word.en, words[i].spelt})
		if french {
			terms = append(terms, spelt{word.fr, words[i].spelt})
		}
	}
	return terms
}

func together(words []piece) string {
	parts := make([]string, len(words))
	for i, word := range words {
		parts[i] = word.spelt
	}
	return strings.Join(parts, " ")
}

// isFrench guesses the language of a description by its small words.
func isFrench(words []piece) bool {
	hits := 0
	for _, word := range words {
		switch word.word {
		case "le", "la", "les", "l", "des", "du", "un", "une", "et", "dans", "pour", "avec", "sur", "d", "aux", "ou":
			hits++
		}
	}
	return hits*6 >= len(words) && hits > 0
}
