package search

import (
	"strings"
	"unicode"
)

const (
	// maxText is how much of one text is read, in bytes: what stands behind it says little and costs memory.
	maxText = 4000
	// maxWord is the longest word that is kept, in bytes; longer ones are keys or data.
	maxWord = 40
)

// split gives the words of a text or an identifier in order: lower case, accents folded, cut where letters, digits and case
// change, as in getHTTPStatus2.
func split(text string) []string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 && word.Len() <= maxWord {
			words = append(words, word.String())
		}
		word.Reset()
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if !unicode.Is(unicode.Mn, r) { // an accent that stands by itself belongs to the letter before
				end()
			}
			continue
		}
		if i > 0 && breaks(runes, i) {
			end()
		}
		word.WriteString(fold(unicode.ToLower(r)))
	}
	end()
	return words
}

// breaks reports whether a word ends before the rune at i, which is a letter or a digit.
func breaks(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	switch {
	case unicode.IsDigit(r) != unicode.IsDigit(before):
		return true
	case unicode.IsUpper(r) && unicode.IsLower(before):
		return true
	default: // the S of HTTPStatus
		return unicode.IsUpper(r) && unicode.IsUpper(before) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
	}
}

// fold gives the plain letters of a lower-case letter of Western Europe.
func fold(r rune) string {
	if r < 0x80 {
		return string(r)
	}
	for _, f := range [...]struct{ letters, plain string }{
		{"àáâãäå", "a"},
		{"ç", "c"},
		{"èéêë", "e"},
		{"ìíîï", "i"},
		{"ñ", "n"},
		{"òóôõöø", "o"},
		{"ùúûü", "u"},
		{"ýÿ", "y"},
		{"œ", "oe"},
		{"æ", "ae"},
		{"ß", "ss"},
	} {
		if strings.ContainsRune(f.letters, r) {
			return f.plain
		}
	}
	return string(r)
}
