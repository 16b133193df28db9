package cli

import (
	"strings"
	"unicode/utf8"
)

// padded fills text with spaces on the right up to a width, and adds the gap between columns.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text))) + gap
}

// padLeft fills text with spaces on the left up to a width.
func padLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text))) + text
}
