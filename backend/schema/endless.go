package schema

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Endless reports whether a schema refers to itself without an end, so that whoever follows it stays at one value for ever.
// Validate takes anything then. A schema whose every turn goes a level down, such as that of a tree, has an end.
func Endless(schema json.RawMessage) (endless bool) {
	defer func() {
		if recover() != nil { // as in Validate
			endless = false
		}
	}()
	if !bytes.Contains(schema, []byte(`ef"`)) && !bytes.Contains(schema, []byte(`\u`)) {
		return false // nothing is a reference
	}
	compiled, err := compile(schema)
	if err != nil {
		return false
	}
	turns := make(circle)
	for s := range newMeter(compiled).seen {
		if turns.closes(s) {
			return true
		}
	}
	return false
}

// circle holds the schemas that were followed: true while one is, false once it was.
type circle map[*jsonschema.Schema]bool

// closes reports whether a schema leads back to one that is being followed, without a step to another value.
func (c circle) closes(s *jsonschema.Schema) bool {
	if s == nil {
		return false
	}
	if following, known := c[s]; known {
		return following
	}
	c[s] = true
	if slices.ContainsFunc(ofSameValue(s), c.closes) {
		return true
	}
	c[s] = false
	return false
}

// ofSameValue are the schemas that a value must also be looked at by (draft 2020-12, in-place applicators).
func ofSameValue(s *jsonschema.Schema) []*jsonschema.Schema {
	next := []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else}
	if s.DynamicRef != nil {
		next = append(next, s.DynamicRef.Ref)
	}
	next = append(append(append(next, s.AllOf...), s.AnyOf...), s.OneOf...)
	for _, dependent := range s.DependentSchemas {
		next = append(next, dependent)
	}
	for _, dependent := range s.Dependencies {
		if schema, ok := dependent.(*jsonschema.Schema); ok {
			next = append(next, schema)
		}
	}
	return next
}
