package core

import (
	"context"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/toolbox"
)

// managed is what an agent learns of servers: only of what the rules let it use.
type managed struct{ core *Core }

// Seen gives the servers that no rule keeps from a caller as a whole, and those of which it may call a tool.
func (m managed) Seen(caller domain.Caller) ([]toolbox.ServerState, error) {
	views, err := m.core.servers.List()
	if err != nil {
		return nil, err
	}
	tools, err := m.core.servers.AllTools(caller)
	if err != nil {
		return nil, err
	}
	denied, err := m.denied(caller)
	if err != nil {
		return nil, err
	}
	may := make(map[string]int)
	for _, tool := range tools {
		if tool.Verdict != domain.Deny && !tool.Held {
			may[tool.Server]++
		}
	}
	seen := []toolbox.ServerState{}
	for _, view := range views {
		if may[view.ID] == 0 && denied(view.Server, domain.ToolCall, "") {
			continue
		}
		state := toolbox.ServerState{ID: view.ID, Name: view.Name, Status: view.State, Transport: view.Transport, Tools: may[view.ID]}
		if view.Reason != nil {
			state.Error = view.Reason.Message
		}
		seen = append(seen, state)
	}
	return seen, nil
}

// denied says what the rules of now keep from a caller.
func (m managed) denied(caller domain.Caller) (func(server domain.Server, kind domain.CallKind, name string) bool, error) {
	rules, err := m.core.rulesFor(domain.Call{Caller: caller})
	if err != nil {
		return nil, err
	}
	return func(server domain.Server, kind domain.CallKind, name string) bool {
		call := domain.Call{Kind: kind, Server: server.ID, Name: name, Caller: caller}
		return pipeline.Verdict(call, domain.Target{Server: server, Effect: domain.Reads}, rules).Verdict == domain.Deny
	}, nil
}

// Ping asks a server whether it is there.
func (m managed) Ping(ctx context.Context, server string) error {
	return m.core.servers.Health(ctx, server)
}

// Resources gives the resources of a server that a caller may read.
func (m managed) Resources(ctx context.Context, caller domain.Caller, server string) ([]domain.Resource, error) {
	list, _, err := m.core.servers.Resources(ctx, server)
	if err != nil {
		return nil, err
	}
	return allowed(m, caller, server, domain.ResourceRead, list, func(r domain.Resource) string { return r.URI })
}

// Prompts gives the prompts of a server that a caller may get.
func (m managed) Prompts(ctx context.Context, caller domain.Caller, server string) ([]domain.Prompt, error) {
	list, err := m.core.servers.Prompts(ctx, server)
	if err != nil {
		return nil, err
	}
	return allowed(m, caller, server, domain.PromptGet, list, func(p domain.Prompt) string { return p.Name })
}

// allowed leaves out of a list what the rules keep from a caller.
func allowed[T any](m managed, caller domain.Caller, id string, kind domain.CallKind, list []T, name func(T) string) ([]T, error) {
	view, err := m.core.servers.Get(id)
	if err != nil {
		return nil, err
	}
	denied, err := m.denied(caller)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(list), func(one T) bool { return denied(view.Server, kind, name(one)) }), nil
}
