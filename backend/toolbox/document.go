package toolbox

import (
	"encoding/json"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/schema"
	"apollia.fr/connexions/backend/search"
)

// maxParameters is how many parameters a tool is found by.
const maxParameters = 100

// DocumentOf is what a tool is found by: its words, the names of its parameters with what they say, and its tags: mcp and
// its server's id (specification, "Indexation"), or the name of its module.
func DocumentOf(tool domain.Tool, fqn string) search.Document {
	d := search.Document{FQN: fqn, Server: tool.Server, Name: tool.Name, Title: tool.Title, Description: tool.Description, Tags: []string{"mcp", tool.Server}}
	if module, native := naming.ParseNative(tool.Server); native {
		d.Server, d.Tags = module, []string{module}
	}
	var read struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(tool.InputSchema, &read) // the names alone are enough where the rest cannot be read
	names := schema.ParametersOf(tool.InputSchema).All
	for _, name := range names[:min(len(names), maxParameters)] {
		d.Parameters = append(d.Parameters, clip(name, maxBlurb)+" "+clip(read.Properties[name].Description, maxBlurb))
	}
	return d
}
