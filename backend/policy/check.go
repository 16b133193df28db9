package policy

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

// maxPattern is the longest pattern of a rule, in bytes.
const maxPattern = 1024

// Check says what is wrong with a rule that a person wrote: a pattern that cannot mean what it says, or no pattern at
// all. Its error is a *domain.Error with CodeInvalidInput that names the field and the pattern.
func Check(rule domain.Rule) error {
	if rule.Server == "" && rule.Client == "" && len(rule.Actions) == 0 {
		return &domain.Error{
			Code:    domain.CodeInvalidInput,
			Message: "the rule names no server, no action and no client",
			Hint:    `To mean every server, write server = "*".`,
			Args:    map[string]string{"field": "server", "problem": "empty_rule"},
		}
	}
	if err := checkOptional("server", rule.Server); err != nil {
		return err
	}
	if err := checkOptional("client", rule.Client); err != nil {
		return err
	}
	for _, action := range rule.Actions {
		_, pattern := splitAction(action)
		if err := checkPattern("actions", action, pattern); err != nil {
			return err
		}
	}
	return nil
}

func checkOptional(field, pattern string) error {
	if pattern == "" {
		return nil
	}
	return checkPattern(field, pattern, pattern)
}

// checkPattern checks the pattern inside a written value.
func checkPattern(field, written, pattern string) error {
	problem := ""
	switch {
	case pattern == "":
		problem = "it is empty"
	case len(pattern) > maxPattern:
		problem = fmt.Sprintf("it has %d bytes, at most %d are allowed", len(pattern), maxPattern)
		written = strings.ToValidUTF8(written[:64], "") + "…"
	case !utf8.ValidString(pattern):
		problem = "it is not valid UTF-8"
	default:
		if _, err := parseGlob(pattern); err != nil {
			problem = err.Error()
		}
	}
	if problem == "" {
		return nil
	}
	return &domain.Error{
		Code:    domain.CodeInvalidInput,
		Message: fmt.Sprintf("the %s pattern %q cannot be used: %s", field, written, problem),
		Hint:    "In a pattern, * stands for any characters and ? for one.",
		Args:    map[string]string{"field": field, "pattern": written, "problem": problem},
	}
}
