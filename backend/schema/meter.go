package schema

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxVisits is how often one validation may apply a schema to a value: well under a second of work, and far more than
// real tools need.
const maxVisits = 250_000

// meter stops a validation that takes too much work. The library cannot be cancelled, and two kilobytes of allOf inside
// each other keep it busy for years. It asks the format of every schema it visits first of all, so a format that counts,
// and fails once the count is reached, makes what is left of the work collapse.
//
// It replaces the formats of the schema. That is no loss: since draft 2019-09 a format is a remark, not a demand.
type meter struct {
	visits int
	seen   map[*jsonschema.Schema]bool
	format *jsonschema.Format
}

func newMeter(root *jsonschema.Schema) *meter {
	m := &meter{seen: make(map[*jsonschema.Schema]bool)}
	m.format = &jsonschema.Format{Name: "meter", Validate: m.count}
	m.install(root)
	return m
}

var errTooMuch = errors.New("too much work")

func (m *meter) count(any) error {
	m.visits++
	if m.exhausted() {
		return errTooMuch
	}
	return nil
}

func (m *meter) exhausted() bool { return m.visits > maxVisits }

func (m *meter) install(s *jsonschema.Schema) {
	if s == nil || m.seen[s] {
		return
	}
	m.seen[s] = true
	s.Format = m.format
	for _, sub := range []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020,
		s.UnevaluatedItems, s.ContentSchema,
	} {
		m.install(sub)
	}
	if s.DynamicRef != nil {
		m.install(s.DynamicRef.Ref)
	}
	for _, subs := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		m.installAll(subs)
	}
	for _, sub := range s.Properties {
		m.install(sub)
	}
	for _, sub := range s.PatternProperties {
		m.install(sub)
	}
	for _, sub := range s.DependentSchemas {
		m.install(sub)
	}
	for _, sub := range s.Dependencies {
		m.installAny(sub)
	}
	m.installAny(s.AdditionalProperties)
	m.installAny(s.Items)
	m.installAny(s.AdditionalItems)
}

func (m *meter) installAll(subs []*jsonschema.Schema) {
	for _, sub := range subs {
		m.install(sub)
	}
}

// installAny takes the fields that hold a schema, several, or something else.
func (m *meter) installAny(field any) {
	switch field := field.(type) {
	case *jsonschema.Schema:
		m.install(field)
	case []*jsonschema.Schema:
		m.installAll(field)
	}
}

// modest reports whether every number in a value can be computed with exactly, as the library does, at a bearable cost:
// 1e999999 is eight bytes here and a number of a million digits there.
func modest(value any) bool {
	switch value := value.(type) {
	case json.Number:
		return modestNumber(value.String())
	case []any:
		for _, item := range value {
			if !modest(item) {
				return false
			}
		}
	case map[string]any:
		for _, item := range value {
			if !modest(item) {
				return false
			}
		}
	}
	return true
}

func modestNumber(digits string) bool {
	const maxDigits, maxExponent = 1000, 1000
	mantissa, exponent, ok := strings.Cut(strings.ToLower(digits), "e")
	if len(mantissa) > maxDigits {
		return false
	}
	if !ok {
		return true
	}
	n, err := strconv.Atoi(exponent)
	return err == nil && -maxExponent <= n && n <= maxExponent
}
