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
	if mode == Auto {
		mode = modeFor(offered)
	}
	if mode == Direct {
		direct := []Definition{definitionOf("read_more", metaTools()["read_more"])}
		for _, tool := range append(t.managing(), offered...) {
			d := Definition{Name: tool.Wire, Description: t.inList(tool.Description), InputSchema: tool.InputSchema, OutputSchema: tool.OutputSchema}
			if len(present(d.InputSchema)) == 0 {
				d.InputSchema = json.RawMessage(`{"type":"object"}`)
			}
			direct = append(direct, d)
		}
		return sorted(direct), mode, nil
	}
	var meta []Definition
	for name, tool := range metaTools() {
		meta = append(meta, definitionOf(name, tool))
	}
	return sorted(meta), mode, nil
}

// modeFor is what Auto comes to.
func modeFor(offered []Offered) Mode {
	if len(offered) > directTools || sizeOf(offered) > directBytes {
		return Discovery
	}
	return Direct
}

// sizeOf is how long the definitions of tools are together, in bytes.
func sizeOf(offered []Offered) (size int) {
	for _, tool := range offered {
		size += len(tool.Wire) + len(tool.Description) + len(tool.InputSchema) + len(tool.OutputSchema)
	}
	return size
}

// Overview says at a glance what a caller sees.
type Overview struct {
	// Mode is what Auto comes to for these tools.
	Mode  Mode `json:"mode"`
	Tools int  `json:"tools"`
	// Bytes is how long their definitions are together.
	Bytes      int        `json:"bytes"`
	Categories []Category `json:"categories"`
}

// Category is one module with how many tools it has.
type Category struct {
	Name  string `json:"name"`
	Tools int    `json:"tools"`
}

// Overview gives what a caller sees, native modules first.
func (t *Toolbox) Overview(ctx context.Context, caller domain.Caller) (Overview, error) {
	offered, err := t.Offers.Offered(ctx, caller)
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Mode: modeFor(offered), Tools: len(offered), Bytes: sizeOf(offered), Categories: []Category{}}
	for _, name := range categories(offered) {
		c := Category{Name: name}
		for _, tool := range offered {
			if tool.Module == name {
				c.Tools++
			}
		}
		o.Categories = append(o.Categories, c)
	}
	return o, nil
}

func definitionOf(name string, tool metaTool) Definition {
	return Definition{Name: name, Description: tool.description, InputSchema: json.RawMessage(tool.schema)}
}

func sorted(list []Definition) []Definition {
	slices.SortFunc(list, func(a, b Definition) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
