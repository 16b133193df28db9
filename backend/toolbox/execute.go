package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/search"
)

// execute runs a tool that the agent may see, through the whole pipeline.
func (t *Toolbox) execute(ctx context.Context, use Use, name string, arguments json.RawMessage) ActionResult {
	tool, err := t.find(ctx, use.Caller, name)
	if err != nil {
		return failed("", err)
	}
	if len(bytes.TrimSpace(arguments)) == 0 || present(arguments) == nil {
		arguments = json.RawMessage(`{}`)
	}
	if bytes.TrimSpace(arguments)[0] != '{' {
		return failed(tool.Source, invalidParams("the parameters are no JSON object; a text that holds one is none either"))
	}
	params, err := json.Marshal(map[string]any{"name": tool.Name, "arguments": arguments})
	if err != nil {
		return failed(tool.Source, invalidParams("the params are not JSON: "+err.Error()))
	}
	result, err := t.Call(ctx, domain.Call{
		Kind: domain.ToolCall, Server: tool.Server, Name: tool.Name, Params: params,
		Caller: use.Caller, Turn: use.Turn, Wait: use.Wait, Sink: use.Sink,
	})
	if err != nil {
		return t.refused(ctx, use.Caller, tool, err)
	}
	return t.give(use.Caller, Normalize(tool.Source, result))
}

// give shortens what is too long for an agent.
func (t *Toolbox) give(owner domain.Caller, result ActionResult) ActionResult {
	data, ok := result.Data.(Data)
	if !ok {
		return result
	}
	result.Metadata.Cut = t.shelf.shorten(owner, &data, t.Longest)
	result.Data = data
	if !result.Success {
		result.Error = firstOf(data.Output, result.Error)
	}
	return result
}

// find is a tool by its FQN or its wire name. Errors: CodeUnknownTool, with the nearest names, for one that is not there or
// that this caller may not see: the two cannot be told apart.
func (t *Toolbox) find(ctx context.Context, caller domain.Caller, name string) (Offered, error) {
	offered, err := t.Offers.Offered(ctx, caller)
	if err != nil {
		return Offered{}, err
	}
	for _, tool := range append(t.managing(), offered...) {
		if tool.FQN == name || tool.Wire == name {
			return tool, nil
		}
	}
	if tool, ok := t.unlisted(name); ok {
		return tool, nil
	}
	near := t.near(offered, name)
	hint := "Find it with search_tools."
	if len(near) > 0 {
		hint = "Did you mean " + strings.Join(near, ", ") + "? Else find it with search_tools."
	}
	return Offered{}, &domain.Error{
		Code: domain.CodeUnknownTool, Message: fmt.Sprintf("there is no tool %q", short(name)), Hint: hint, Args: map[string]string{"tool": short(name)},
	}
}

// unlisted is a tool of a server whose tools nobody knows yet: a call to it says what the server lacks.
func (t *Toolbox) unlisted(name string) (Offered, bool) {
	server, tool, ok := naming.ParseFQN(name)
	if !ok {
		server, tool, ok = naming.ParseWire(name)
	}
	if !ok || !t.Offers.Unlisted(server) {
		return Offered{}, false
	}
	return Offered{
		Tool: domain.Tool{Server: server, Name: tool}, FQN: naming.FQN(server, tool), Wire: naming.Wire(server, tool),
		Module: naming.Module(server), Source: SourceOf(server),
	}, true
}

// SourceOf is where the results of a server's tools come from, as Metadata says it.
func SourceOf(server string) string { return "mcp_server:" + server }

// near are the names of up to three tools that a wrong name may have meant.
func (t *Toolbox) near(offered []Offered, name string) []string {
	var names []string
	for _, hit := range t.Finder.Search(name, 3, among(offered)) {
		names = append(names, hit.FQN)
	}
	return names
}

// among lets the finder see only what is offered.
func among(offered []Offered) func(fqn string) bool {
	seen := make(map[string]struct{}, len(offered))
	for _, tool := range offered {
		seen[tool.FQN] = struct{}{}
	}
	return func(fqn string) bool {
		_, ok := seen[fqn]
		return ok
	}
}

// Found is one hit of a search, with the tool that it is.
type Found struct {
	Offered
	search.Hit
}

// Search finds the tools that a caller may see.
func (t *Toolbox) Search(ctx context.Context, caller domain.Caller, query string, limit int) ([]Found, error) {
	offered, err := t.Offers.Offered(ctx, caller)
	if err != nil {
		return nil, err
	}
	found := []Found{}
	for _, hit := range t.Finder.Search(query, limit, among(offered)) {
		if at := slices.IndexFunc(offered, func(tool Offered) bool { return tool.FQN == hit.FQN }); at >= 0 {
			found = append(found, Found{Offered: offered[at], Hit: hit})
		}
	}
	return found, nil
}

func invalidParams(problem string) error {
	return &domain.Error{
		Code: domain.CodeInvalidArguments, Message: problem, Hint: "Correct the call and try again.", Args: map[string]string{"path": "", "problem": problem},
	}
}
