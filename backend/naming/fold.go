package naming

import "strings"

// fold gives the ASCII letters or digit that a lower-case rune is read as, or "" when an id has no room for it. It knows
// the letters of Latin-1 and Latin Extended-A; those of other alphabets have no reading that everybody agrees on.
func fold(r rune) string {
	if r < 0x80 {
		if c := byte(r); c != '_' && isIDByte(c) {
			return string(r)
		}
		return ""
	}
	for _, f := range [...]struct{ letters, ascii string }{
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
	} {
		if strings.ContainsRune(f.letters, r) {
			return f.ascii
		}
	}
	return ""
}
