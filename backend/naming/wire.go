package naming

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// MaxWire is the longest wire name, in bytes: the limit of the strictest LLM APIs and clients.
const MaxWire = 64

const (
	wireSeparator = "__"
	// hashDigits tell apart the changed names of one server. It keeps them readable; a server that forges two names
	// with equal digits is caught by Names, which then uses longHashDigits.
	hashDigits     = 10
	longHashDigits = 24
)

// hashed matches the end of a changed name. A tool whose own name ends like one is changed too, so that no name a
// server chooses can be taken for the changed name of another tool.
var hashed = regexp.MustCompile(`_[0-9a-f]{10,}$`)

// Wire is the name of a tool for LLM APIs and MCP clients: mcp_{id}__{tool}, at most MaxWire bytes of [A-Za-z0-9_-].
// A name that does not fit is changed and ends in "_" and a hash of the id and the tool, the same on every machine.
func Wire(id, tool string) string {
	if fits(id, tool) {
		return WirePrefix(id) + tool
	}
	return changed(id, tool, hashDigits)
}

// WirePrefix is what the wire names of a server's tools begin with: mcp_{id}__, or {module}__ for a native module.
func WirePrefix(id string) string { return Module(id) + wireSeparator }

// ParseWire reads what Wire wrote, unless it had to change the name: only Names knows what a changed name stood for.
// The split agrees with the specification's mcp_([^_]+(?:_[^_]+)*)__(.+), since an id has no "__".
func ParseWire(name string) (id, tool string, ok bool) {
	id, tool, ok = split(name, wireSeparator)
	if !ok || !fits(id, tool) {
		return "", "", false
	}
	return id, tool, true
}

func fits(id, tool string) bool {
	_, native := ParseNative(id)
	return tool != "" && (native || ValidID(id)) && len(WirePrefix(id))+len(tool) <= MaxWire &&
		!strings.ContainsFunc(tool, func(r rune) bool { return !isWireRune(r) }) && !hashed.MatchString(tool)
}

func changed(id, tool string, digits int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%s", len(id), id, tool))
	hash := hex.EncodeToString(sum[:])[:digits]
	clean := strings.Map(func(r rune) rune {
		if isWireRune(r) {
			return r
		}
		return '_'
	}, WirePrefix(id)+tool)
	room := MaxWire - len("_") - digits
	return clean[:min(len(clean), room)] + "_" + hash
}

func isWireRune(r rune) bool {
	return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}
