package schema

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParametersOf(t *testing.T) {
	for schema, want := range map[string]Parameters{
		`{"type":"object","properties":{"text":{"type":"string"},"channel":{},"a":true},"required":["channel"]}`: {
			All: []string{"text", "channel", "a"}, Required: []string{"channel"},
		},
		`{"properties":{}}`: {}, `{"properties":[1]}`: {}, `{"properties":null}`: {}, `{}`: {}, `null`: {}, `[]`: {}, ``: {}, `{"properties":{"a"`: {},
		`{"properties":{"self":{"$ref":"#"}}}`: {All: []string{"self"}},
	} {
		if diff := cmp.Diff(want, ParametersOf(json.RawMessage(schema))); diff != "" {
			t.Errorf("%s: %s", schema, diff)
		}
	}
}
