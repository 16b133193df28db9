package cli

import (
	"strings"
	"unicode"
)

// printable makes text of a server safe to show: escape sequences that could rewrite the screen, and characters that
// turn the reading direction around, lose their effect. Line breaks and tabs stay.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case unicode.IsControl(r) || turnsDirection(r):
			return unicode.ReplacementChar
		default:
			return r
		}
	}, text)
}

// turnsDirection holds for the embeddings, overrides and isolates of the Unicode Bidirectional Algorithm (UAX #9).
func turnsDirection(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// oneLine is text on a single line, for a cell of a table.
func oneLine(text string) string { return strings.Join(strings.Fields(printable(text)), " ") }

// firstLine is the first line of text that says something.
func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return oneLine(first)
}
