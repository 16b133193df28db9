package toolbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

const (
	// listed and most are how many tools one answer holds unless the agent says otherwise, and at most.
	listed, most = 50, 200
	// found is how many hits a search gives unless the agent says otherwise.
	found = 8
)

// metaTool is one of the few tools by which an agent finds and runs all others.
type metaTool struct {
	description string
	schema      string
	run         func(*Toolbox, context.Context, Use, json.RawMessage) ActionResult
}

// Named is a tool in a list: enough to choose it by.
type Named struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Parameters are the names of its parameters, those that it needs with a star.
	Parameters string `json:"parameters,omitempty"`
	// Score is how well it fits a search, from 0 to 1.
	Score float64 `json:"score,omitempty"`
}

// Described is a tool with all that one needs to call it.
type Described struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	Effect       domain.Effect   `json:"effect"`
	// Asks says that a person is asked before it runs.
	Asks bool `json:"asks_a_person"`
}

// metaTools are what an agent has in its list when there are too many tools to list.
func metaTools() map[string]metaTool {
	return map[string]metaTool{
		"list_categories": {
			description: "List the categories of tools. Each connected service is one.",
			schema:      `{"type":"object","properties":{}}`,
			run:         meta((*Toolbox).listCategories),
		},
		"browse_category": {
			description: "List the tools of one category. The category mcp is about the services themselves: their resources, prompts and health.",
			schema: `{"type":"object","properties":{"category":{"type":"string","description":"as list_categories names it"},` +
				`"offset":{"type":"integer","minimum":0,"default":0},"limit":{"type":"integer","minimum":1,"maximum":200,"default":50}},` +
				`"required":["category"]}`,
			run: meta((*Toolbox).browseCategory),
		},
		"search_tools": {
			description: "Find tools by what they do, in your own words, in English or French.",
			schema: `{"type":"object","properties":{"query":{"type":"string","description":"what you want to do"},` +
				`"limit":{"type":"integer","minimum":1,"maximum":50,"default":8}},"required":["query"]}`,
			run: meta((*Toolbox).searchTools),
		},
		"get_tool": {
			description: "Describe one tool: what it does and the JSON Schema of its parameters.",
			schema: `{"type":"object","properties":{"name":{"type":"string","description":"as search_tools or browse_category names it"}},` +
				`"required":["name"]}`,
			run: meta((*Toolbox).getTool),
		},
		"execute_tool": {
			description: "Run one tool with its parameters. The person may be asked first.",
			schema: `{"type":"object","properties":{"name":{"type":"string","description":"as search_tools or browse_category names it"},` +
				`"params":{"type":"object","description":"the parameters that the tool's schema asks for"}},"required":["name"]}`,
			run: meta((*Toolbox).executeTool),
		},
		"read_more": {
			description: "Read on in a result that was too long to be given at once.",
			schema: `{"type":"object","properties":{"handle":{"type":"string"},"offset":{"type":"integer","minimum":0,"default":0}},` +
				`"required":["handle"]}`,
			run: meta((*Toolbox).readMore),
		},
	}
}

type nothing struct{}

func (t *Toolbox) listCategories(ctx context.Context, use Use, _ nothing) ActionResult {
	offered, err := t.Offers.Offered(ctx, use.Caller)
	if err != nil {
		return failed("", err)
	}
	return done(categories(offered))
}

// categories puts native modules first: every agent has them.
func categories(offered []Offered) []string {
	names := []string{}
	for _, tool := range offered {
		if !slices.Contains(names, tool.Module) {
			names = append(names, tool.Module)
		}
	}
	isServer := func(name string) int {
		if strings.HasPrefix(name, "mcp") {
			return 1
		}
		return 0
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(isServer(a), isServer(b)), cmp.Compare(a, b)) })
	return names
}

type browsing struct {
	Category string `json:"category"`
	Offset   int    `json:"offset"`
	Limit    int    `json:"limit"`
}

func (t *Toolbox) browseCategory(ctx context.Context, use Use, in browsing) ActionResult {
	inside, err := t.Browse(ctx, use.Caller, in.Category)
	if err != nil {
		return failed("", err)
	}
	from := min(max(in.Offset, 0), len(inside))
	to := min(from+clamp(in.Limit, listed, most), len(inside))
	tools := make([]Named, 0, to-from)
	for _, tool := range inside[from:to] {
		tools = append(tools, named(tool, 0))
	}
	tools = t.fitting(tools)
	to = from + len(tools)
	result := done(tools)
	if to < len(inside) {
		result.Metadata.Hint = fmt.Sprintf("%d of %d tools; go on with offset %d, or use search_tools.", to-from, len(inside), to)
	}
	return result
}

// Browse gives the tools of one category that a caller may see. Errors: CodeUnknownItem for a category that has none.
func (t *Toolbox) Browse(ctx context.Context, caller domain.Caller, category string) ([]Offered, error) {
	offered, err := t.Offers.Offered(ctx, caller)
	if err != nil {
		return nil, err
	}
	var inside []Offered
	for _, tool := range append(t.managing(), offered...) {
		if tool.Module == category {
			inside = append(inside, tool)
		}
	}
	if inside == nil {
		hint := "There is none: no server that is switched on offers a tool."
		if len(offered) > 0 {
			hint = "There are: " + strings.Join(categories(offered), ", ") + "."
		}
		return nil, &domain.Error{
			Code: domain.CodeUnknownItem, Message: fmt.Sprintf("there is no category %q", short(category)),
			Hint: hint, Args: map[string]string{"reason": "category", "item": short(category)},
		}
	}
	return inside, nil
}

type searching struct {
	Query string `json:"query"`
	Limit int    `json:"limit"`
}

func (t *Toolbox) searchTools(ctx context.Context, use Use, in searching) ActionResult {
	if strings.TrimSpace(in.Query) == "" {
		return failed("", invalidParams("the query is empty"))
	}
	hits, err := t.Search(ctx, use.Caller, in.Query, clamp(in.Limit, found, listed))
	if err != nil {
		return failed("", err)
	}
	tools := []Named{}
	for _, hit := range hits {
		tools = append(tools, named(hit.Offered, hit.Score))
	}
	result := done(t.fitting(tools))
	if len(tools) == 0 {
		result.Metadata.Hint = "Nothing fits. Say it in other words, or look around with list_categories."
	}
	return result
}

type choosing struct {
	Name   string          `json:"name"`
	Params json.RawMessage `json:"params"`
}

func (t *Toolbox) getTool(ctx context.Context, use Use, in choosing) ActionResult {
	tool, err := t.find(ctx, use.Caller, in.Name)
	if err == nil && tool.InputSchema == nil && t.Offers.Unlisted(tool.Server) {
		err = &domain.Error{
			Code: domain.CodeUnknownTool, Message: fmt.Sprintf("the tools of %s are not known yet", tool.Server),
			Hint: "Run it to learn what the server lacks, such as a sign-in.", Args: map[string]string{"tool": in.Name},
		}
	}
	if err != nil {
		return failed("", err)
	}
	return t.describe(use.Caller, Described{
		Name: tool.FQN, Title: tool.Title, Description: tool.Description, InputSchema: tool.InputSchema, OutputSchema: tool.OutputSchema,
		Effect: tool.Effect, Asks: tool.Asks,
	})
}

func (t *Toolbox) executeTool(ctx context.Context, use Use, in choosing) ActionResult {
	if _, isMeta := metaTools()[in.Name]; isMeta {
		return failed("", invalidParams(in.Name+" is called by its own name, not by execute_tool"))
	}
	return t.Run(ctx, use, in.Name, in.Params)
}

type reading struct {
	Handle string `json:"handle"`
	Offset int    `json:"offset"`
}

func (t *Toolbox) readMore(_ context.Context, use Use, in reading) ActionResult {
	page, err := t.shelf.Read(use.Caller, in.Handle, in.Offset, t.Longest)
	if err != nil {
		return failed("", err)
	}
	return done(page)
}

func clamp(wanted, usual, most int) int {
	if wanted <= 0 {
		return usual
	}
	return min(wanted, most)
}
