package main

import (
	"context"
	"encoding/json"

	"apollia.fr/connexions/backend/human"
)

// agreeable accepts every form: it says yes to every question that has no default, and leaves the rest as proposed.
type agreeable struct{}

// Fill accepts.
func (agreeable) Fill(_ context.Context, f human.Form) (human.Reply, error) {
	var form struct {
		Properties map[string]struct {
			Type    string          `json:"type"`
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(f.Schema, &form); err != nil {
		return human.Reply{}, err
	}
	content := map[string]any{}
	for name, field := range form.Properties {
		if field.Type == "boolean" && field.Default == nil {
			content[name] = true
		}
	}
	raw, err := json.Marshal(content)
	return human.Reply{Action: human.Accept, Content: raw}, err
}
