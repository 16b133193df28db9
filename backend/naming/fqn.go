package naming

import "strings"

// prefix starts every name that we give to a tool of an MCP server, so that it never meets a native one.
const prefix = "mcp_"

// nativePrefix starts the id of a native module in calls and rules. No server can have such an id, so that a module never
// meets a server of its name, such as filesystem.
const nativePrefix = "native:"

// Native is the id of a native module where servers have theirs.
func Native(module string) string { return nativePrefix + module }

// ParseNative reads what Native wrote.
func ParseNative(id string) (module string, ok bool) { return strings.CutPrefix(id, nativePrefix) }

// FQN is the name of a tool in rules, in the tool index and in the UI: mcp_{id}.{tool}, or {module}.{tool} for a native one.
func FQN(id, tool string) string { return Module(id) + "." + tool }

// Module is the name under which the tools of a server are grouped: mcp_{id}, or the name of a native module itself.
func Module(id string) string {
	if module, ok := ParseNative(id); ok {
		return module
	}
	return prefix + id
}

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
