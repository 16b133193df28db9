package cli

import (
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/servers"
)

// target is a server, or one action of it, as SERVER[.TOOL] spells it.
type target struct {
	server string // an id, or a pattern of ids
	action string // a tool, "resource:URI" or "prompt:NAME"; empty for all of the server
}

// targetOf reads SERVER[.TOOL]. The server is an id or a name, and a name may hold dots: the longest known one wins. A
// server that nobody knows must be a pattern, lest a slip of the pen makes a rule that protects nothing.
func targetOf(word string, known []servers.View) (target, error) {
	found, err := findIn(word, known)
	if err == nil && found.action == "" && strings.HasSuffix(word, ".") && !isNamed(word, known) {
		// A dot says that one tool is meant: a variable of the shell was empty, and the whole server is another thing.
		return target{}, wrongUsage("the tool is missing after "+quoted(word), "Write SERVER.TOOL, or SERVER alone for all of it.")
	}
	return found, err
}

func findIn(word string, known []servers.View) (target, error) {
	if id, tool, ok := naming.ParseFQN(word); ok && isKnown(id, known) {
		return target{id, tool}, nil
	}
	found, longest := target{}, -1
	for _, view := range known {
		for _, name := range []string{view.ID, view.Name} {
			rest, ok := strings.CutPrefix(word, name)
			if ok && len(name) > longest && (rest == "" || rest[0] == '.') {
				found, longest = target{view.ID, strings.TrimPrefix(rest, ".")}, len(name)
			}
		}
	}
	if longest >= 0 {
		return found, nil
	}
	server, action, _ := strings.Cut(word, ".")
	if module, native := naming.ParseNative(server); native && slices.Contains([]string{"database", "filesystem"}, module) {
		return target{server, action}, nil
	}
	if strings.ContainsAny(server, "*?") {
		return target{server, action}, nil
	}
	return target{}, &domain.Error{
		Code: domain.CodeUnknownServer, Message: "there is no server " + quoted(server),
		Hint: "See the names with: apollia mcp list. A pattern such as '*' means all of them.",
		Args: map[string]string{"server": server},
	}
}

func isKnown(id string, known []servers.View) bool {
	for _, view := range known {
		if view.ID == id {
			return true
		}
	}
	return false
}

func isNamed(name string, known []servers.View) bool {
	return slices.ContainsFunc(known, func(view servers.View) bool { return view.Name == name })
}

// kindAndName tells what an action calls.
func (t target) kindAndName() (domain.CallKind, string) {
	if uri, ok := strings.CutPrefix(t.action, "resource:"); ok {
		return domain.ResourceRead, uri
	}
	if name, ok := strings.CutPrefix(t.action, "prompt:"); ok {
		return domain.PromptGet, name
	}
	return domain.ToolCall, t.action
}
