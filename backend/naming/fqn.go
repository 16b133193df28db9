package naming

import "strings"

// prefix starts every name that we give to a tool of an MCP server, so that it never meets a native one.
const prefix = "mcp_"

// FQN is the name of a tool in rules, in the tool index and in the UI: mcp_{id}.{tool}.
func FQN(id, tool string) string { return Module(id) + "." + tool }

// Module is the name under which the tools of a server are grouped: mcp_{id}.
func Module(id string) string { return prefix + id }

// ParseFQN reads what FQN wrote. An id has no dot, so the first one ends it and the tool may hold more.
func ParseFQN(fqn string) (id, tool string, ok bool) {
	return split(fqn, ".")
}

func split(name, separator string) (id, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return "", "", false
	}
	id, tool, ok = strings.Cut(rest, separator)
	if !ok || tool == "" || !ValidID(id) {
		return "", "", false
	}
	return id, tool, true
}
