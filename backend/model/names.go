package model

import (
	"encoding/json"
	"slices"
	"strings"
)

// names are the members that count in a request for a text, wherever they stand.
func names() []string {
	return slices.Concat(told(), []string{
		"role", "content", "type", "text", "data", "mimeType", "id", "name", "toolUseId", "isError", "uri", "resource", "mode", "hints",
		"description", "input", "structuredContent", "inputSchema", "costPriority", "speedPriority", "intelligencePriority",
	})
}

// free are the members whose own ones are nobody's but the server's.
func free() []string {
	return []string{"input", "structuredContent", "inputSchema", "metadata", "_meta"}
}

// checkNames refuses a member that is a known one in other letters, such as "Text". Go would read it, and a person who looks
// at the text would not see it.
func checkNames(raw json.RawMessage) error {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return unfit("params", plain(err.Error()))
	}
	return checkValue(value, names())
}

func checkValue(value any, known []string) error {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			if err := checkValue(one, known); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, one := range value {
			alike := slices.ContainsFunc(known, func(k string) bool { return k != name && strings.EqualFold(k, name) })
			if alike && !slices.Contains(known, name) {
				return unfit(plain(name), "it is written in other letters than MCP has")
			}
			if slices.Contains(free(), name) {
				continue
			}
			if err := checkValue(one, known); err != nil {
				return err
			}
		}
	}
	return nil
}
