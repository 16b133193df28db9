package toolbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
)

const (
	// management is the module whose tools are about the servers themselves (specification, Actions de gestion).
	management = "mcp"
	// pingTime is how long a server has to answer a ping.
	pingTime = 5 * time.Second
)

// ServerState is a server as an agent sees it.
type ServerState struct {
	ID        string           `json:"server_id"`
	Name      string           `json:"name"`
	Status    domain.State     `json:"status"`
	Transport domain.Transport `json:"transport"`
	// Tools counts those that the agent may see.
	Tools int `json:"tools"`
	// Error says what a server that is not ready lacks.
	Error string `json:"error,omitempty"`
}

// Health is what a check of one server came to.
type Health struct {
	ID      string       `json:"server_id"`
	Healthy bool         `json:"healthy"`
	Status  domain.State `json:"status"`
	Error   string       `json:"error,omitempty"`
}

// Servers knows the servers.
type Servers interface {
	// Seen gives the servers of which a caller may use anything, in the order of their ids.
	Seen(caller domain.Caller) ([]ServerState, error)
	// Ping asks a server that is ready whether it is there.
	Ping(ctx context.Context, server string) error
}

// Readings knows what servers offer beside tools, without what a caller may not have.
type Readings interface {
	Resources(ctx context.Context, caller domain.Caller, server string) ([]domain.Resource, error)
	Prompts(ctx context.Context, caller domain.Caller, server string) ([]domain.Prompt, error)
}

// actions are the tools of the module mcp. None goes past the rules: each list leaves out what they deny, and what is
// called, read or got is decided, asked about and written down as its target.
func actions() map[string]metaTool {
	const (
		server  = `"server_id":{"type":"string","description":"as mcp.list_servers names it"}`
		listing = `{"type":"object","properties":{` + server + `,"offset":{"type":"integer","minimum":0,"default":0},` +
			`"limit":{"type":"integer","minimum":1,"maximum":200,"default":50}},"required":["server_id"]}`
	)
	return map[string]metaTool{
		"list_servers": {"List all servers with their status.", `{"type":"object","properties":{}}`, meta((*Toolbox).listServers)},
		"health_check": {
			"Check whether servers answer: one, or all without server_id.",
			`{"type":"object","properties":{` + server + `}}`, meta((*Toolbox).healthCheck),
		},
		"list_tools": {"List the tools of a server. For the schema of one: get_tool, by mcp_{server_id}.{tool_name}.", listing, meta((*Toolbox).listTools)},
		"call_tool": {
			"Call a tool of a server. The person may be asked first.",
			`{"type":"object","properties":{` + server + `,"tool_name":{"type":"string"},"arguments":{"type":"object"}},"required":["server_id","tool_name"]}`,
			meta((*Toolbox).callTool),
		},
		"list_resources": {"List the resources of a server.", listing, meta((*Toolbox).listResources)},
		"read_resource": {
			"Read a resource of a server. The person may be asked first.",
			`{"type":"object","properties":{` + server + `,"uri":{"type":"string"}},"required":["server_id","uri"]}`,
			meta((*Toolbox).readResource),
		},
		"list_prompts": {"List the prompts of a server.", listing, meta((*Toolbox).listPrompts)},
		"get_prompt": {
			"Get a prompt of a server, filled in. The person may be asked first.",
			`{"type":"object","properties":{` + server + `,"prompt_name":{"type":"string"},"arguments":{"type":"object"}},` +
				`"required":["server_id","prompt_name"]}`,
			meta((*Toolbox).getPrompt),
		},
	}
}

// action is the management action that a name means, by its full name or as a list of tools has it.
func (t *Toolbox) action(name string) (metaTool, bool) {
	short, ok := strings.CutPrefix(name, management+".")
	if !ok {
		short, ok = strings.CutPrefix(name, management+"__")
	}
	if !ok || t.Servers == nil {
		return metaTool{}, false
	}
	action, ok := actions()[short]
	return action, ok
}

// managing are the management actions as tools to choose from; none where there are no servers to know.
func (t *Toolbox) managing() []Offered {
	if t.Servers == nil {
		return nil
	}
	offered := make([]Offered, 0, len(actions()))
	for name, action := range actions() {
		effect := domain.Reads
		if name == "call_tool" {
			effect = "" // that of its target
		}
		offered = append(offered, Offered{
			Tool: domain.Tool{Server: management, Name: name, Description: action.description, InputSchema: json.RawMessage(action.schema), Effect: effect},
			FQN:  management + "." + name, Wire: management + "__" + name, Module: management, Source: management,
		})
	}
	slices.SortFunc(offered, func(a, b Offered) int { return strings.Compare(a.FQN, b.FQN) })
	return offered
}

// ofServer is what most management actions take.
type ofServer struct {
	Server string `json:"server_id"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

// seen finds a server that the caller may see. Errors: CodeUnknownServer for one that it may not, as for one that is not
// there.
func (t *Toolbox) seen(caller domain.Caller, id string) (ServerState, error) {
	all, err := t.Servers.Seen(caller)
	if err != nil {
		return ServerState{}, err
	}
	if at := slices.IndexFunc(all, func(s ServerState) bool { return s.ID == id }); at >= 0 {
		return all[at], nil
	}
	return ServerState{}, &domain.Error{
		Code: domain.CodeUnknownServer, Message: fmt.Sprintf("there is no server %.100q", id),
		Hint: "See which there are with mcp.list_servers.", Args: map[string]string{"server": id},
	}
}

func (t *Toolbox) listServers(_ context.Context, use Use, _ nothing) ActionResult {
	all, err := t.Servers.Seen(use.Caller)
	if err != nil {
		return failed("", err)
	}
	return done(all)
}

// healthCheck pings the servers that are ready, all at once; of the others it says what they lack. It starts none.
func (t *Toolbox) healthCheck(ctx context.Context, use Use, in ofServer) ActionResult {
	all, err := t.Servers.Seen(use.Caller)
	if in.Server != "" && err == nil {
		all = make([]ServerState, 1)
		all[0], err = t.seen(use.Caller, in.Server)
	}
	if err != nil {
		return failed("", err)
	}
	checked := make([]Health, len(all))
	var pings sync.WaitGroup
	for i, server := range all {
		checked[i] = Health{ID: server.ID, Status: server.Status, Error: server.Error}
		if server.Status == domain.StateReady || server.Status == domain.StateDegraded {
			pings.Go(func() { checked[i].ping(ctx, t.Servers) })
		}
	}
	pings.Wait()
	return done(checked)
}

func (h *Health) ping(ctx context.Context, servers Servers) {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	err := servers.Ping(ctx, h.ID)
	h.Healthy = err == nil
	if err != nil {
		h.Error = domain.AsError(err).Message
	}
}

// listTools names the tools as mcp.call_tool takes them.
func (t *Toolbox) listTools(ctx context.Context, use Use, in ofServer) ActionResult {
	if _, err := t.seen(use.Caller, in.Server); err != nil {
		return failed("", err)
	}
	offered, err := t.Offers.Offered(ctx, use.Caller)
	if err != nil {
		return failed("", err)
	}
	offered = slices.DeleteFunc(slices.Clone(offered), func(tool Offered) bool { return tool.Server != in.Server })
	return listOf(t, in, offered, func(tool Offered) Named {
		short := named(tool, 0)
		short.Name = tool.Name
		return short
	})
}

type calling struct {
	Server    string          `json:"server_id"`
	Tool      string          `json:"tool_name"`
	Arguments json.RawMessage `json:"arguments"`
}

// callTool is a call of the target, in every way.
func (t *Toolbox) callTool(ctx context.Context, use Use, in calling) ActionResult {
	server, err := t.seen(use.Caller, in.Server)
	if err != nil {
		return failed("", err)
	}
	return t.execute(ctx, use, naming.FQN(server.ID, in.Tool), in.Arguments)
}

// listOf gives one stretch of a list, as much as an agent gets at once and one at least, and says how to go on.
func listOf[T, Shown any](t *Toolbox, in ofServer, list []T, show func(T) Shown) ActionResult {
	from := min(max(in.Offset, 0), len(list))
	to := min(from+clamp(in.Limit, listed, most), len(list))
	shown, size := make([]Shown, 0, to-from), 0
	for _, one := range list[from:to] {
		entry := show(one)
		written, err := json.Marshal(entry)
		if err != nil {
			return failed(SourceOf(in.Server), err)
		}
		if size += len(written); size > t.Longest && len(shown) > 0 {
			break
		}
		shown = append(shown, entry)
	}
	result := done(shown)
	if to = from + len(shown); to < len(list) {
		result.Metadata.Hint = fmt.Sprintf("%d of %d; go on with offset %d.", to-from, len(list), to)
	}
	return result
}
