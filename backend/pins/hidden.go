package pins

import (
	"fmt"
	"strings"
	"unicode"
)

// isHidden holds for a rune that is written but not seen, wherever it stands.
func isHidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // seen, around the digits of Arabic numbers
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// hiddenRuns finds the runs of runes that are hidden without need. Those that a script or an emoji needs are left out.
func hiddenRuns(text string) []span {
	if !strings.ContainsFunc(text, isHidden) {
		return nil
	}
	runes := []rune(text)
	rightToLeft := strings.ContainsFunc(text, isRightToLeft)
	var runs []span
	offset, open := 0, false
	for i, r := range runes {
		width := len(string(r))
		suspect := isHidden(r) && !needed(runes, i, rightToLeft)
		switch {
		case suspect && open:
			runs[len(runs)-1].end = offset + width
		case suspect:
			runs = append(runs, span{offset, offset + width})
		}
		open = suspect
		offset += width
	}
	return runs
}

func isRightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// needed says that the hidden rune at i does the work it is made for: it joins an emoji, shapes a letter, picks a
// variant, or marks the direction in a text that has two.
func needed(runes []rune, i int, rightToLeft bool) bool {
	before, after := at(runes, i-1), at(runes, i+1)
	switch r := runes[i]; {
	case r == 0x200D && isEmojiPart(before) && isEmojiPart(after):
		return true
	case r == 0x200C || r == 0x200D:
		return isShaped(before) && (isShaped(after) || !unicode.IsLetter(after) && !isHidden(after))
	case r == 0x200E || r == 0x200F || r == 0x061C:
		return rightToLeft && !isHidden(before)
	case r >= 0xE0020 && r <= 0xE007F:
		return inFlag(runes, i)
	case r == 0xFE0E || r == 0xFE0F:
		return before > ' ' && !isHidden(before)
	case r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, before)
	case unicode.Is(unicode.Variation_Selector, r):
		return before > 0x7F && !isHidden(before)
	case r == 0xFEFF:
		return i == 0
	}
	return false
}

func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return 0
	}
	return runes[i]
}

func isEmojiPart(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk) || r == 0xFE0F || r >= 0x1F000 && r <= 0x1FAFF
}

// isShaped holds for letters whose form depends on joiners.
func isShaped(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer,
		unicode.Myanmar, unicode.Mongolian)
}

// inFlag says that the tag at i is one of the five or so that follow a black flag and name a region.
func inFlag(runes []rune, i int) bool {
	const longest = 6
	start := i
	for start > 0 && i-start <= longest && runes[start] >= 0xE0020 && runes[start] <= 0xE007F {
		start--
	}
	return runes[start] == 0x1F3F4
}

// visible writes the runes that are not seen as [U+XXXX]; line ends and tabs become spaces.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case isHidden(r):
			fmt.Fprintf(&b, "[%s]", CodePoint(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// CodePoint writes a rune as Unicode does: U+200B.
func CodePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }
