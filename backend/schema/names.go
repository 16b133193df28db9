package schema

import (
	"bytes"
	"encoding/json"
)

// Parameters are the names of the properties of an object's schema.
type Parameters struct {
	// All are in the order of the schema.
	All []string
	// Required are those that must be there.
	Required []string
}

// ParametersOf reads the names of a schema's own properties; those that it takes from elsewhere are not looked for. A
// schema that cannot be read has none.
func ParametersOf(schema json.RawMessage) Parameters {
	var read struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &read) != nil {
		return Parameters{}
	}
	names := Parameters{Required: read.Required}
	members := json.NewDecoder(bytes.NewReader(read.Properties))
	if start, err := members.Token(); err != nil || start != json.Delim('{') {
		return names
	}
	for members.More() {
		name, err := members.Token()
		if err != nil {
			return names
		}
		text, ok := name.(string)
		var value json.RawMessage
		if !ok || members.Decode(&value) != nil {
			return names
		}
		names.All = append(names.All, text)
	}
	return names
}
