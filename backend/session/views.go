package session

import (
	"encoding/json"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// members reads one entry of a list. Everything is read by its exact name, so that what we show is what others see.
func members(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	found, err := jsonrpc.Members(raw, jsonrpc.Limits{Size: int64(len(raw)) + 1})
	return found, err == nil
}

func textOf(raw json.RawMessage) (string, bool) {
	var s string
	if raw == nil || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// text reads an optional member; one of another type counts as absent.
func text(m map[string]json.RawMessage, name string) string {
	s, _ := textOf(m[name])
	return s
}

func isTrue(m map[string]json.RawMessage, name string) bool { return string(m[name]) == "true" }

// objectOf returns a member that is an object, nil for any other.
func objectOf(m map[string]json.RawMessage, name string) json.RawMessage {
	if raw := m[name]; len(raw) > 0 && raw[0] == '{' {
		return raw
	}
	return nil
}

// maxToolName is the longest name of a tool, in bytes; MCP advises 128 characters (2025-11-25, server/tools, tool names).
// Names stand in lists, rules and records, which a longer one would fill.
const maxToolName = 512

func toolView(serverID string, raw json.RawMessage) (domain.Tool, string, bool) {
	m, ok := members(raw)
	name, named := textOf(m["name"])
	if !ok || !named || name == "" || len(name) > maxToolName {
		return domain.Tool{}, "", false
	}
	hints, _ := members(objectOf(m, "annotations"))
	tool := domain.Tool{
		Server: serverID, Name: name, Title: text(m, "title"), Description: text(m, "description"),
		InputSchema: objectOf(m, "inputSchema"), OutputSchema: objectOf(m, "outputSchema"),
		Effect: effectOf(hints), Raw: raw,
	}
	if tool.Title == "" {
		tool.Title = text(hints, "title")
	}
	return tool, name, true
}

func effectOf(hints map[string]json.RawMessage) domain.Effect {
	switch {
	case isTrue(hints, "readOnlyHint"):
		return domain.Reads
	case isTrue(hints, "destructiveHint"):
		return domain.Destroys
	}
	return domain.Writes
}

func resourceView(serverID string, raw json.RawMessage, address string) (domain.Resource, string, bool) {
	m, ok := members(raw)
	key, named := textOf(m[address])
	if !ok || !named || key == "" {
		return domain.Resource{}, "", false
	}
	resource := domain.Resource{
		Server: serverID, URI: text(m, "uri"), URITemplate: text(m, "uriTemplate"), Name: text(m, "name"),
		Title: text(m, "title"), Description: text(m, "description"), MIMEType: text(m, "mimeType"), Raw: raw,
	}
	if size, err := strconv.ParseInt(string(m["size"]), 10, 64); err == nil {
		resource.Size = &size
	}
	return resource, key, true
}

func promptView(serverID string, raw json.RawMessage) (domain.Prompt, string, bool) {
	m, ok := members(raw)
	name, named := textOf(m["name"])
	if !ok || !named || name == "" {
		return domain.Prompt{}, "", false
	}
	prompt := domain.Prompt{
		Server: serverID, Name: name, Title: text(m, "title"), Description: text(m, "description"), Raw: raw,
	}
	var arguments []json.RawMessage
	_ = json.Unmarshal(m["arguments"], &arguments) // what is no list has no arguments
	for _, raw := range arguments {
		a, ok := members(raw)
		if name, named := textOf(a["name"]); ok && named {
			prompt.Arguments = append(prompt.Arguments, domain.PromptArgument{
				Name: name, Title: text(a, "title"), Description: text(a, "description"), Required: isTrue(a, "required"),
			})
		}
	}
	return prompt, name, true
}

// salvage views each entry and leaves out what has no name or a name that came before, with one warning for each.
func salvage[T any](section string, items []json.RawMessage, view func(json.RawMessage) (T, string, bool)) ([]T, []*domain.Error) {
	kept := make([]T, 0, len(items))
	seen := make(map[string]bool, len(items))
	broken := 0
	var warnings []*domain.Error
	for _, raw := range items {
		item, key, ok := view(raw)
		switch {
		case !ok:
			broken++
		case seen[key]:
			warnings = append(warnings, &domain.Error{
				Code: domain.CodeProtocol, Message: "The server names \"" + key + "\" twice among its " + section + "; the first counts.",
				Hint: "Report this to the makers of the server.", Args: map[string]string{"section": section, "name": key, "reason": "twice"},
			})
		default:
			seen[key] = true
			kept = append(kept, item)
		}
	}
	if broken > 0 {
		count := strconv.Itoa(broken)
		warnings = append(warnings, &domain.Error{
			Code: domain.CodeProtocol, Message: count + " of the server's " + section + " are malformed and were left out.",
			Hint: "Report this to the makers of the server.", Args: map[string]string{"section": section, "count": count, "reason": "malformed"},
		})
	}
	return kept, warnings
}

func storeTools(o *Offer, serverID string, items []json.RawMessage) (warnings []*domain.Error) {
	o.Tools, warnings = salvage("tools", items, func(raw json.RawMessage) (domain.Tool, string, bool) {
		return toolView(serverID, raw)
	})
	return append(warnings, endlessSchemas(o.Tools)...)
}

func storeResources(o *Offer, serverID string, items []json.RawMessage) (warnings []*domain.Error) {
	o.Resources, warnings = salvage("resources", items, func(raw json.RawMessage) (domain.Resource, string, bool) {
		return resourceView(serverID, raw, "uri")
	})
	return warnings
}

func storeTemplates(o *Offer, serverID string, items []json.RawMessage) (warnings []*domain.Error) {
	o.Templates, warnings = salvage("resource templates", items, func(raw json.RawMessage) (domain.Resource, string, bool) {
		return resourceView(serverID, raw, "uriTemplate")
	})
	return warnings
}

func storePrompts(o *Offer, serverID string, items []json.RawMessage) (warnings []*domain.Error) {
	o.Prompts, warnings = salvage("prompts", items, func(raw json.RawMessage) (domain.Prompt, string, bool) {
		return promptView(serverID, raw)
	})
	return warnings
}
