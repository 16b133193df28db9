package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// explain gives the place of the first fault that a person can act on, as a JSON Pointer, and a sentence about it.
func explain(failure *jsonschema.ValidationError) (path, problem string) {
	leaf := failure
	for len(leaf.Causes) > 0 && !isChoice(leaf.ErrorKind) {
		leaf = slices.MinFunc(leaf.Causes, func(a, b *jsonschema.ValidationError) int {
			return slices.Compare(a.InstanceLocation, b.InstanceLocation)
		})
	}
	return pointer(leaf.InstanceLocation), sentence(leaf.ErrorKind)
}

// loops reports whether the schema itself is at fault: it refers to itself without looking at another value.
func loops(failure *jsonschema.ValidationError) bool {
	if _, ok := failure.ErrorKind.(*kind.RefCycle); ok {
		return true
	}
	return slices.ContainsFunc(failure.Causes, loops)
}

// isChoice reports whether a fault is that none of several schemas fit: what is wrong with one of them would mislead.
func isChoice(k jsonschema.ErrorKind) bool {
	switch k.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		return true
	}
	return false
}

func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String()
}

// sentence says what is wrong without quoting the value.
func sentence(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("is of type %s, want %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Required:
		return list(k.Missing) + " missing"
	case *kind.AdditionalProperties:
		return "unknown " + list(k.Properties)
	case *kind.Enum:
		return "want one of " + values(k.Want)
	case *kind.Const:
		return "want " + values([]any{k.Want})
	case *kind.Pattern:
		return fmt.Sprintf("does not match the pattern %q", k.Want)
	}
	if text := measure(k); text != "" {
		return text
	}
	return "does not satisfy " + keyword(k)
}

// measure speaks of sizes and bounds.
func measure(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("has %d characters, want at least %d", k.Got, k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("has %d characters, want at most %d", k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has %d items, want at least %d", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has %d items, want at most %d", k.Got, k.Want)
	case *kind.Minimum:
		return "want at least " + number(k.Want)
	case *kind.Maximum:
		return "want at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "want more than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "want less than " + number(k.Want)
	case *kind.MultipleOf:
		return "want a multiple of " + number(k.Want)
	}
	return ""
}

func keyword(k jsonschema.ErrorKind) string {
	if path := k.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	if _, ok := k.(*kind.Not); ok {
		return "not"
	}
	return "the schema"
}

func number(n *big.Rat) string {
	f, _ := n.Float64()
	return fmt.Sprint(f)
}

func list(fields []string) string {
	fields = slices.Sorted(slices.Values(fields))
	what := "field "
	if len(fields) > 1 {
		what = "fields "
	}
	return what + join(fields, func(name string) string { return fmt.Sprintf("%q", name) })
}

func values(wanted []any) string {
	return join(wanted, func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			return fmt.Sprint(v)
		}
		return string(text)
	})
}

// join writes the first few of many, since a schema may list thousands.
func join[T any](items []T, write func(T) string) string {
	const most = 12
	parts := make([]string, 0, most+1)
	for i, item := range items {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(items)-most))
			break
		}
		parts = append(parts, write(item))
	}
	return strings.Join(parts, ", ")
}
