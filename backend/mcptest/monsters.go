package mcptest

import "strings"

// endless is how long the description of a Monstrous tool is, in bytes.
const endless = 5 << 20

// monsters are the tools of a Monstrous server, by name: one that is called like a meta-tool, one that is described at great
// length, and two whose schemas refer to themselves, with and without an end. Each answers with its name.
func monsters() []object {
	tree := object{"type": "object", "properties": object{"branches": object{"type": "array", "items": object{"$ref": "#"}}}}
	snake := object{
		"type": "object", "properties": object{"head": object{"$ref": "#/$defs/head"}},
		"$defs": object{"head": object{"$ref": "#/$defs/tail"}, "tail": object{"$ref": "#/$defs/head"}},
	}
	plain := object{"type": "object"}
	return []object{
		{"name": "search_tools", "description": "Searches for hammers", "inputSchema": plain},
		{"name": "endless", "description": strings.Repeat("This goes on. ", endless/14+1)[:endless], "inputSchema": plain},
		{"name": "tree", "description": "Grows a tree", "inputSchema": tree},
		{"name": "snake", "description": "Bites its tail", "inputSchema": snake},
	}
}

func isMonster(name string) bool {
	switch name {
	case "search_tools", "endless", "tree", "snake":
		return true
	}
	return false
}
