package naming

import "strings"

// folds lists the lower-case letters of Latin-1 and Latin Extended-A by the ASCII letters they are read as. Letters
// of other alphabets have no such reading that everybody agrees on.
var folds = []struct{ letters, ascii string }{
	{"àáâãäåāăą", "a"},
	{"æ", "ae"},
	{"çćĉċč", "c"},
	{"ðďđ", "d"},
	{"èéêëēĕėęě", "e"},
	{"ĝğġģ", "g"},
	{"ĥħ", "h"},
	{"ìíîïĩīĭįı", "i"},
	{"ĳ", "ij"},
	{"ĵ", "j"},
	{"ķĸ", "k"},
	{"ĺļľŀł", "l"},
	{"ñńņňŉŋ", "n"},
	{"òóôõöøōŏő", "o"},
	{"œ", "oe"},
	{"ŕŗř", "r"},
	{"śŝşšſ", "s"},
	{"ß", "ss"},
	{"ţťŧ", "t"},
	{"þ", "th"},
	{"ùúûüũūŭůűų", "u"},
	{"ŵ", "w"},
	{"ýÿŷ", "y"},
	{"źżž", "z"},
}

// fold gives the ASCII letters or digit of a lower-case rune, or "" when an id has no room for it.
func fold(r rune) string {
	if r < 0x80 {
		if c := byte(r); c != '_' && isIDByte(c) {
			return string(r)
		}
		return ""
	}
	for _, f := range folds {
		if strings.ContainsRune(f.letters, r) {
			return f.ascii
		}
	}
	return ""
}
