package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/search"
	"apollia.fr/connexions/backend/toolbox"
)

// ToolHits are the tools that a search found, the best first.
type ToolHits struct {
	Results []ToolHit `json:"results"`
}

// ToolHit is one of them, with why it was found.
type ToolHit struct {
	SeenTool
	// Score is between 0 and 1.
	Score   float64         `json:"score"`
	Reasons []search.Reason `json:"reasons"`
}

// SeenTool is a tool as an agent sees it.
type SeenTool struct {
	FQN      string `json:"fqn"`
	WireName string `json:"wire_name"`
	Server   string `json:"server"`
	Tool     string `json:"tool"`
	// Description is the beginning of what it says of itself, as an agent's list has it.
	Description string `json:"description"`
	// Effect is what the tool says that it does to the world.
	Effect domain.Effect `json:"effect"`
	// Asks says that a person is asked before it runs.
	Asks bool `json:"asks"`
}

// SeenTools are the tools of one category.
type SeenTools struct {
	Tools []SeenTool `json:"tools"`
}

func (a *API) registerToolbox() {
	route(a, http.MethodGet, "/api/toolbox/search", "searchTools", "Find tools as an agent does, by what they do", a.searchTools)
	route(a, http.MethodGet, "/api/toolbox", "showToolbox", "Show at a glance what an agent sees", a.showToolbox)
	route(a, http.MethodGet, "/api/toolbox/categories/{category}", "browseCategory", "List the tools of a category, as an agent sees them", a.browseCategory)
}

// SeenBy says whose view of the tools is wanted.
type SeenBy struct {
	As string `query:"as" maxLength:"200" doc:"window, cli or the name of a client; whoever asks, when it is left out"`
}

// caller is who would call. Seeing what others see widens nothing: all of it is what the rules say.
func (s SeenBy) caller(ctx context.Context) domain.Caller {
	caller := domain.Caller{Name: s.As, User: domain.LocalUser}
	switch s.As {
	case "":
		return principalOf(ctx).Caller
	case string(domain.CallerWindow), string(domain.CallerCLI):
		caller.Kind = domain.CallerKind(s.As)
	default:
		caller.Kind = domain.CallerClient
	}
	return caller
}

func (a *API) showToolbox(ctx context.Context, in *SeenBy) (*body[toolbox.Overview], error) {
	overview, err := a.Toolbox.Overview(ctx, in.caller(ctx))
	if err != nil {
		return nil, err
	}
	return &body[toolbox.Overview]{overview}, nil
}

func (a *API) searchTools(ctx context.Context, in *struct {
	SeenBy
	Query string `query:"query" required:"true" minLength:"1" maxLength:"2000"`
	Limit int    `query:"limit" minimum:"1" maximum:"50" default:"8"`
},
) (*body[ToolHits], error) {
	found, err := a.Toolbox.Search(ctx, in.caller(ctx), in.Query, in.Limit)
	if err != nil {
		return nil, err
	}
	hits := ToolHits{Results: make([]ToolHit, len(found))}
	for i, f := range found {
		hits.Results[i] = ToolHit{seen(f.Offered), f.Score, append([]search.Reason{}, f.Reasons...)}
	}
	return &body[ToolHits]{hits}, nil
}

func (a *API) browseCategory(ctx context.Context, in *struct {
	SeenBy
	Category string `path:"category"`
},
) (*body[SeenTools], error) {
	tools, err := a.Toolbox.Browse(ctx, in.caller(ctx), in.Category)
	if err != nil {
		return nil, err
	}
	list := SeenTools{Tools: make([]SeenTool, len(tools))}
	for i, tool := range tools {
		list.Tools[i] = seen(tool)
	}
	return &body[SeenTools]{list}, nil
}

func seen(tool toolbox.Offered) SeenTool {
	return SeenTool{
		FQN: tool.FQN, WireName: tool.Wire, Server: tool.Server, Tool: tool.Name, Description: tool.Blurb(), Effect: tool.Effect, Asks: tool.Asks,
	}
}
