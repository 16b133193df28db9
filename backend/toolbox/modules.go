package toolbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/pipeline"
)

// Module is a native module: to an agent it is what a server is.
type Module interface {
	// ID is what stands before the dot in the names of its tools, such as filesystem.
	ID() string
	// Tools are as an MCP server would list them.
	Tools() []domain.Tool
	// Call runs one tool whose arguments fit its schema. A tool that fails says so in its result.
	Call(ctx context.Context, tool string, arguments json.RawMessage) (domain.Result, error)
}

// Modules puts native modules on the road of calls, beside the servers: they are found, decided, asked about, written down
// and called as servers are.
type Modules struct {
	// list gives the modules that there are now.
	list    func() []Module
	servers pipeline.Lookup
}

// NewModules joins the modules that list gives to the servers that a Lookup finds.
func NewModules(list func() []Module, servers pipeline.Lookup) *Modules {
	return &Modules{list, servers}
}

// Find finds the target of a call among modules, else among servers. Errors: CodeUnknownServer for a module that is not there.
func (m *Modules) Find(ctx context.Context, call domain.Call) (domain.Target, error) {
	id, native := naming.ParseNative(call.Server)
	if !native {
		return m.servers.Find(ctx, call)
	}
	module, err := m.named(id)
	if err != nil {
		return domain.Target{}, err
	}
	tools := module.Tools()
	at := slices.IndexFunc(tools, func(t domain.Tool) bool { return t.Name == call.Name })
	if call.Kind != domain.ToolCall || at < 0 {
		return domain.Target{Server: serverOf(id, domain.Reads)}, nil // the check of the call says that there is no such tool
	}
	return targetOf(id, tools[at]), nil
}

func (m *Modules) named(id string) (Module, error) {
	for _, module := range m.list() {
		if module.ID() == id {
			return module, nil
		}
	}
	return nil, &domain.Error{
		Code: domain.CodeUnknownServer, Message: fmt.Sprintf("there is no module %q", id),
		Hint: "See what is there with: apollia tools categories", Args: map[string]string{"server": naming.Native(id)},
	}
}

// Or ends the road of a call: at its module, else where the calls of servers end.
func (m *Modules) Or(servers domain.CallFunc) domain.CallFunc {
	return func(ctx context.Context, call domain.Call) (domain.Result, error) {
		id, native := naming.ParseNative(call.Server)
		if !native {
			return servers(ctx, call)
		}
		module, err := m.named(id)
		if err != nil {
			return domain.Result{}, err
		}
		arguments := call.Arguments()
		if arguments == nil {
			arguments = json.RawMessage(`{}`)
		}
		return module.Call(ctx, call.Name, arguments)
	}
}

// Tools are those of all modules, whoever may call them.
func (m *Modules) Tools() []domain.Tool {
	var all []domain.Tool
	for _, module := range m.list() {
		for _, tool := range module.Tools() {
			tool.Server = naming.Native(module.ID())
			all = append(all, tool)
		}
	}
	return all
}

// Offered gives the tools of the modules that a caller may call. decide says what the rules do.
func (m *Modules) Offered(caller domain.Caller, decide func(domain.Call, domain.Target) domain.Verdict) []Offered {
	var offered []Offered
	for _, module := range m.list() {
		id := naming.Native(module.ID())
		for _, tool := range module.Tools() {
			tool.Server = id
			verdict := decide(domain.Call{Kind: domain.ToolCall, Server: id, Name: tool.Name, Caller: caller}, targetOf(module.ID(), tool))
			if verdict == domain.Deny {
				continue
			}
			offered = append(offered, Offered{
				Tool: tool, FQN: naming.FQN(id, tool.Name), Wire: naming.Wire(id, tool.Name), Module: module.ID(), Source: module.ID(),
				Asks: verdict == domain.Ask,
			})
		}
	}
	return offered
}

func targetOf(module string, tool domain.Tool) domain.Target {
	return domain.Target{Server: serverOf(module, tool.Effect), Tool: &tool, Effect: tool.Effect, DefinitionDigest: tool.Digest()}
}

// serverOf stands for a module where servers stand. What only reads, within what a person opened to the module, is not asked;
// everything else is, unless a rule says otherwise.
func serverOf(module string, effect domain.Effect) domain.Server {
	server := domain.Server{ID: naming.Native(module), Enabled: true}
	server.Name, server.DefaultVerdict = module, domain.Ask
	if effect == domain.Reads {
		server.DefaultVerdict = domain.Allow
	}
	return server
}
