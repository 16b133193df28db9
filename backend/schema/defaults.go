package schema

import (
	"encoding/json"
	"fmt"
)

// WithDefaults fills the members that an object leaves out with the defaults of the schema's own properties (MCP
// 2025-11-25, client/elicitation, SEP-1034); deeper ones are left alone. An empty value counts as an empty object. It
// fails when either is not an object.
func WithDefaults(schema, value json.RawMessage) (json.RawMessage, error) {
	var described struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(schema, &described); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	given := map[string]json.RawMessage{}
	if len(value) > 0 {
		if err := json.Unmarshal(value, &given); err != nil {
			return nil, fmt.Errorf("read value: %w", err)
		}
	}
	changed := len(value) == 0
	for name, property := range described.Properties {
		if _, there := given[name]; !there && property.Default != nil {
			given[name], changed = property.Default, true
		}
	}
	if !changed {
		return value, nil
	}
	return json.Marshal(given)
}
