package httpauth

import (
	"slices"
	"strings"
)

// MaxScopes bounds how many scopes of one list are read.
const MaxScopes = 200

// maxScope bounds the length of one, in bytes.
const maxScope = 300

// ScopesOf splits a scope parameter (RFC 6749 section 3.3), each scope once.
func ScopesOf(text string) []string { return Scopes(strings.Fields(text)) }

// Scopes are the scopes of a list that can be names at all (RFC 6749 section 3.3), each once.
func Scopes(list []string) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(scope string) bool {
		return scope == "" || len(scope) > maxScope || strings.ContainsFunc(scope, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
	})
	var once []string
	for _, scope := range list[:min(len(list), MaxScopes)] {
		if !slices.Contains(once, scope) {
			once = append(once, scope)
		}
	}
	return once
}
