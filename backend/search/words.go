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

// piece is a word of a text, and how it is spelt there.
type piece struct{ word, spelt string }

// split gives the words of a text or an identifier in order: lower case, accents folded, cut where letters, digits and case
// change, as in getHTTPStatus2.
func split(text string) []string {
	pieces := piecesOf(text)
	if len(pieces) == 0 {
		return nil
	}
	words := make([]string, len(pieces))
	for i, p := range pieces {
		words[i] = p.word
	}
	return words
}

// piecesOf is split, with how each word is spelt.
func piecesOf(text string) []piece {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	var pieces []piece
	var word, spelt strings.Builder
	end := func() {
		if word.Len() > 0 && word.Len() <= maxWord {
			pieces = append(pieces, piece{word.String(), spelt.String()})
		}
		word.Reset()
		spelt.Reset()
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			switch {
			case !unicode.Is(unicode.Mn, r):
				end()
			case spelt.Len() <= 2*maxWord: // an accent that stands by itself belongs to the letter before; heaps of them are a trick
				spelt.WriteRune(r)
			}
			continue
		}
		if i > 0 && breaks(runes, i) {
			end()
		}
		word.WriteString(fold(unicode.ToLower(r)))
		spelt.WriteRune(r)
	}
	end()
	return pieces
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
