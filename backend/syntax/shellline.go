package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellLine writes a command as one line from which a shell reads these words again. No two commands have the same line, and
// what cannot be seen is written out, as bash, zsh and POSIX.1-2024 read it.
func ShellLine(words ...string) string {
	written := make([]string, len(words))
	for i, word := range words {
		written[i] = ShellWord(word)
		if i == 0 && written[0] == word && !isCommandName(word) {
			written[0] = "'" + word + "'"
		}
	}
	return strings.Join(written, " ")
}

// ShellWord writes a word of a command, or the value of an assignment; ShellLine writes the first word of a command.
func ShellWord(word string) string {
	switch {
	case word != "" && strings.Trim(word, plainCharacters) == "" && word[0] != '=': // zsh looks up what follows =
		return word
	case strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }):
		return escapedWord(word)
	default:
		return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
	}
}

// plainCharacters mean themselves to every shell, wherever in a word they stand.
const plainCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-"

// isCommandName reports whether a plain word is the name of a command where one stands: neither an assignment nor a word of
// the shell's grammar.
func isCommandName(word string) bool {
	if strings.Contains(word, "=") {
		return false
	}
	switch word {
	case "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "select", "in", "function", "time", "coproc",
		"let", "declare", "typeset", "local", "export", "readonly", "nameref":
		return false
	default:
		return true
	}
}

// escapedWord writes a word with what cannot be seen in it as escapes.
func escapedWord(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for word != "" {
		r, size := utf8.DecodeRuneInString(word)
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == utf8.RuneError && size == 1 || r == 0x7F:
			fmt.Fprintf(&b, `\x%02x`, word[0])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		word = word[size:]
	}
	b.WriteByte('\'')
	return b.String()
}
