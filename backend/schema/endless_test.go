package schema

import (
	"encoding/json"
	"testing"
)

func TestEndlessSchemasAreTold(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"$ref":"#"}`: true,
		`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`: true,
		`{"$defs":{"a":{"allOf":[{"type":"object"},{"anyOf":[{"$ref":"#/$defs/a"}]}]}},"$ref":"#/$defs/a"}`:     true,
		`{"not":{"if":{"then":{"$ref":"#/not"}}}}`:                                                              false, // there is no such keyword without an if
		`{"not":{"if":true,"then":{"$ref":"#/not"}}}`:                                                           true,
		`{"$dynamicAnchor":"a","$dynamicRef":"#a"}`:                                                             true,
		`{"properties":{"tree":{"$ref":"#"}},"items":{"$ref":"#"}}`:                                             false,
		`{"$defs":{"a":{"type":"string"}},"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}`:                 false,
		`{"type":"object"}`: false, `{"$ref":"#/$defs/missing"}`: false, `{`: false, `3`: false, ``: false,
	} {
		if got := Endless(json.RawMessage(schema)); got != want {
			t.Errorf("%s: got %v", schema, got)
		}
	}
}

func FuzzEndless(f *testing.F) {
	f.Add([]byte(`{"$ref":"#"}`))
	f.Fuzz(func(_ *testing.T, schema []byte) { Endless(schema) })
}
