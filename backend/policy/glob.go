package policy

import (
	"errors"
	"strings"
)

// glob is a pattern: * stands for any characters, ? for one, and \ takes the meaning from the character after it.
type glob []symbol

// symbol is a character, or one of the wildcards.
type symbol rune

const (
	anyCharacters symbol = -1 - iota
	oneCharacter
)

// parseGlob reads a pattern. With an error it also gives the literal reading, so that a rule that was never checked
// matches less, not more.
func parseGlob(pattern string) (glob, error) {
	var g glob
	var err error
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			g, escaped = append(g, symbol(r)), false
		case r == '\\':
			escaped = true
		case r == '*':
			g = append(g, anyCharacters)
		case r == '?':
			g = append(g, oneCharacter)
		default:
			if r == '[' || r == '{' {
				err = errors.New(`only * and ? stand for other characters: write \` + string(r) + " for the character itself")
			}
			g = append(g, symbol(r))
		}
	}
	if escaped {
		g, err = append(g, '\\'), errors.New(`it ends in \, which needs a character after it`)
	}
	return g, err
}

func (g glob) isExact() bool {
	for _, s := range g {
		if s < 0 {
			return false
		}
	}
	return true
}

// matches takes time in the product of the lengths at worst: it goes back to the last * only.
func (g glob) matches(name string) bool {
	text := []rune(name)
	at, star, resume := 0, -1, 0
	for i := 0; i < len(text); {
		switch {
		case at < len(g) && g[at] == anyCharacters:
			star, resume = at, i
			at++
		case at < len(g) && (g[at] == oneCharacter || g[at] == symbol(text[i])):
			at++
			i++
		case star >= 0:
			resume++
			at, i = star+1, resume
		default:
			return false
		}
	}
	for at < len(g) && g[at] == anyCharacters {
		at++
	}
	return at == len(g)
}

// Quote gives the pattern that matches exactly name.
func Quote(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`).Replace(name)
}
