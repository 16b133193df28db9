package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A template is text with references. Four forms are known, and one escape:
//
//	${NAME}  ${env:NAME}      a variable; an empty one is empty text
//	${NAME:-fallback}         the fallback, taken literally, when the variable is unset or empty, as in a shell
//	${secret:SERVER_ID/KEY}   a secret of the secret store
//	$${                       the two characters "${"
//
// Any other dollar sign is itself, "$$" included: a password that holds one must not change behind a person's back.
type template []piece

// piece is literal text, or a reference when name is set.
type piece struct {
	literal     string
	name        string // of the variable, or SERVER_ID/KEY
	secret      bool
	fallback    string
	hasFallback bool
}

const templateHint = "Write ${NAME}, ${env:NAME}, ${NAME:-fallback} or ${secret:SERVER_ID/KEY}; $${ stands for the characters ${."

var (
	// Windows has names such as ProgramFiles(x86).
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.()-]*$`)
	secretName   = regexp.MustCompile(`^[a-z0-9_]+/[^/\s]+$`)
)

// parseTemplate splits a text into its pieces. It fails on a "${" that starts none of the known forms.
func parseTemplate(text string) (template, error) {
	var t template
	for text != "" {
		start := strings.Index(text, "${")
		if start < 0 {
			return append(t, piece{literal: text}), nil
		}
		if start > 0 && text[start-1] == '$' {
			t = append(t, piece{literal: text[:start-1] + "${"})
			text = text[start+2:]
			continue
		}
		if start > 0 {
			t = append(t, piece{literal: text[:start]})
		}
		inside, rest, closed := strings.Cut(text[start+2:], "}")
		if !closed {
			return nil, errors.New(`a "${" has no "}" after it`)
		}
		p, err := parseReference(inside)
		if err != nil {
			return nil, err
		}
		t, text = append(t, p), rest
	}
	return t, nil
}

// parseReference reads what stands between the braces. Its errors quote the name only: a fallback may be anything.
func parseReference(inside string) (piece, error) {
	if ref, ok := strings.CutPrefix(inside, "secret:"); ok {
		if !secretName.MatchString(ref) {
			return piece{}, errors.New("a secret is named by a server's id and a key, as in ${secret:github/env.TOKEN}")
		}
		return piece{name: ref, secret: true}, nil
	}
	name, fallback, hasFallback := strings.Cut(strings.TrimPrefix(inside, "env:"), ":-")
	switch {
	case strings.Contains(fallback, "${"):
		return piece{}, fmt.Errorf("the fallback of ${%s} is plain text and cannot hold another ${", name)
	case name == "":
		return piece{}, errors.New(`"${}" names no variable`)
	case !variableName.MatchString(name):
		return piece{}, fmt.Errorf("${%s} is not the name of a variable", name)
	}
	return piece{name: name, fallback: fallback, hasFallback: hasFallback}, nil
}

// HasReference reports whether a text asks for a variable or a secret, so that its value is known only when it is used.
// A "${" that cannot be read counts too: Expand will refuse it.
func HasReference(text string) bool {
	t, err := parseTemplate(text)
	if err != nil {
		return true
	}
	for _, p := range t {
		if p.name != "" {
			return true
		}
	}
	return false
}
