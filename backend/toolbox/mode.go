package toolbox

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

// Mode is how an agent gets to know its tools.
type Mode string

// The modes. Auto is Direct while the tools are few and short.
const (
	Direct    Mode = "direct"    // every tool is in the agent's list
	Discovery Mode = "discovery" // the meta-tools are, and find the others
	Auto      Mode = "auto"
)

const (
	// directTools and directBytes are how many tools, and how long their definitions together, Auto still lists: some 8,000
	// tokens.
	directTools = 40
	directBytes = 32_000
)

// Definition is one tool of an agent's list, as MCP and the APIs of models want it.
type Definition struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
}

// Definitions are the tools of an agent's list, in the order of their names, and the mode that was meant. read_more is in
// every list, since any result can be long.
func (t *Toolbox) Definitions(ctx context.Context, caller domain.Caller, mode Mode) ([]Definition, Mode, error) {
	offered, err := t.Offers.Offered(ctx, caller)
	if err != nil {
		return nil, mode, err
	}
	direct := make([]Definition, 0, len(offered)+1)
	size := 0
	for _, tool := range offered {
		d := Definition{Name: tool.Wire, Description: tool.Description, InputSchema: tool.InputSchema, OutputSchema: tool.OutputSchema}
		if len(present(d.InputSchema)) == 0 {
			d.InputSchema = json.RawMessage(`{"type":"object"}`)
		}
		size += len(d.Name) + len(d.Description) + len(d.InputSchema)
		direct = append(direct, d)
	}
	if mode == Auto {
		mode = Direct
		if len(offered) > directTools || size > directBytes {
			mode = Discovery
		}
	}
	if mode == Direct {
		return sorted(append(direct, definitionOf("read_more", metaTools()["read_more"]))), mode, nil
	}
	var meta []Definition
	for name, tool := range metaTools() {
		meta = append(meta, definitionOf(name, tool))
	}
	return sorted(meta), mode, nil
}

func definitionOf(name string, tool metaTool) Definition {
	return Definition{Name: name, Description: tool.description, InputSchema: json.RawMessage(tool.schema)}
}

func sorted(list []Definition) []Definition {
	slices.SortFunc(list, func(a, b Definition) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
