package pins

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// LatinOf reads a letter of another alphabet as the Latin one it looks like; 0 for a letter that looks like none.
func LatinOf(r rune) rune {
	if r < 0x250 {
		return 0
	}
	for _, one := range [...]struct {
		latin rune
		alike string
	}{
		{'a', "аАαΑɑ"},
		{'b', "ВΒЬ"},
		{'c', "сСϲ"},
		{'d', "ԁ"},
		{'e', "еЕєҽΕε"},
		{'g', "ɡց"},
		{'h', "һНΗ"},
		{'i', "іІιΙɩ"},
		{'j', "јЈϳ"},
		{'k', "кКκΚ"},
		{'l', "ӏⅼ"},
		{'m', "мМΜ"},
		{'n', "пոΝη"},
		{'o', "оОοΟσօ"},
		{'p', "рРρΡ"},
		{'q', "ԛ"},
		{'r', "гᴦ"},
		{'s', "ѕЅ"},
		{'t', "тТτΤ"},
		{'u', "υսц"},
		{'v', "ѵν"},
		{'w', "ԝωш"},
		{'x', "хХχΧ"},
		{'y', "уУγΥ"},
		{'z', "ᴢΖ"},
	} {
		if strings.ContainsRune(one.alike, r) {
			return one.latin
		}
	}
	return 0
}

// folded is a rune without case, accents and ornaments, as a few letters.
func folded(r rune) string {
	if r < 0x80 {
		return string(unicode.ToLower(r))
	}
	if unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && r < 0xF900 {
		return string(r)
	}
	switch r {
	case 'ß':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'ø', 'Ø':
		return "o"
	}
	plain := norm.NFKD.String(string(r))
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, plain))
}

func foldWord(word string) string {
	var b strings.Builder
	for _, r := range word {
		b.WriteString(folded(r))
	}
	return b.String()
}

// isOrnament holds for letters of mathematics, circles and squares that only dress a Latin one up.
func isOrnament(r rune) bool {
	return r >= 0x1D400 && r <= 0x1D7FF || r >= 0x24B6 && r <= 0x24E9 || r >= 0x1F130 && r <= 0x1F189
}

// isUnspaced holds for scripts that put no space between words.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー'
}

// disguises counts what a word is made of.
type disguises struct{ latin, alike, ornament, foreign, digits int }

func (d *disguises) see(r rune) {
	switch {
	case isOrnament(r):
		d.ornament++
	case r < 0x80 && unicode.IsLetter(r):
		d.latin++
	case unicode.IsDigit(r):
		d.digits++
	case LatinOf(r) != 0:
		d.alike++
	case unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r):
		d.foreign++
	}
}

// disguised says that the word pretends to be Latin: look-alikes among Latin letters and no letter that gives them away.
func (d *disguises) disguised() bool {
	return d.ornament >= 3 || d.alike > 0 && d.latin > 0 && d.foreign == 0 && d.latin+d.alike >= 4
}

// undisguised reads look-alikes as Latin letters, and digits as the letters they stand for in disguised words.
func undisguised(word string) string {
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune("0134578", r); i >= 0 {
			return rune("oieastb"[i])
		}
		if latin := LatinOf(r); latin != 0 {
			return latin
		}
		return r
	}, word)
}
