package lan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape writes one label as the presentation form of RFC 1035 section 5.1 has it, in the way that miekg/dns reads names:
// the library that announces compares names as text.
func escape(label string) string {
	var b strings.Builder
	for _, c := range []byte(label) {
		switch {
		case strings.IndexByte(`. '@;()"\`, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			b.WriteByte('\\')
			b.Write([]byte{'0' + c/100, '0' + c/10%10, '0' + c%10})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unescape is the label that a presentation form stands for.
func unescape(form string) string {
	label := make([]byte, 0, len(form))
	for i := 0; i < len(form); i++ {
		if form[i] != '\\' || i+1 == len(form) {
			label = append(label, form[i])
			continue
		}
		if n, ok := decimal(form[i+1:]); ok {
			label = append(label, n)
			i += 3
			continue
		}
		i++
		label = append(label, form[i])
	}
	return string(label)
}

// decimal reads the three digits of an escaped byte.
func decimal(s string) (byte, bool) {
	if len(s) < 3 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s[:3]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return byte(n), n <= 255
}

// shown makes text of the network fit to be shown: valid, of at most so many letters, with a mark in place of each that is
// not seen or turns others around.
func shown(s string, most int) string {
	// Letters take four bytes at most; the rest is not even looked at.
	s = s[:min(len(s), 4*most+utf8.UTFMax)]
	letters := make([]rune, 0, most)
	for _, r := range strings.ToValidUTF8(s, string(unicode.ReplacementChar)) {
		if len(letters) == most {
			letters[most-1] = '…'
			break
		}
		if !unicode.IsPrint(r) {
			r = unicode.ReplacementChar
		}
		letters = append(letters, r)
	}
	return string(letters)
}

// cut ends a text at a letter, so that it takes at most so many bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// plain reports whether each letter of a text is seen as it is.
func plain(s string) bool {
	return utf8.ValidString(s) && !slices.ContainsFunc([]rune(s), func(r rune) bool { return !unicode.IsPrint(r) })
}
