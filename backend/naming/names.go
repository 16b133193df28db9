package naming

import (
	"cmp"
	"slices"
)

// Ref is a tool by the server that offers it.
type Ref struct {
	Server string // the server's id
	Tool   string // the tool's name, as the server spells it
}

// Names maps the tools of a set to their wire names and back. It is made once for a set and never changes.
type Names struct {
	byRef    map[Ref]string
	byWire   map[string]Ref
	repeated []Ref
}

// NewNames names the given tools. The result does not depend on their order. Two tools never share a name: where two
// changed names would be equal, both get a longer hash.
func NewNames(tools []Ref) *Names {
	sorted := slices.SortedFunc(slices.Values(tools), func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
	})
	n := &Names{byRef: make(map[Ref]string, len(tools)), byWire: make(map[string]Ref, len(tools))}
	claims := make(map[string]int, len(tools))
	for i, ref := range sorted {
		if i == 0 || ref != sorted[i-1] {
			claims[Wire(ref.Server, ref.Tool)]++
			continue
		}
		if len(n.repeated) == 0 || n.repeated[len(n.repeated)-1] != ref {
			n.repeated = append(n.repeated, ref)
		}
	}
	for _, ref := range sorted {
		wire := Wire(ref.Server, ref.Tool)
		if claims[wire] > 1 {
			wire = changed(ref.Server, ref.Tool, longHashDigits)
		}
		n.byRef[ref] = wire
		n.byWire[wire] = ref
	}
	return n
}

// Wire is the name of a tool of the set; ok is false for one that is not in it.
func (n *Names) Wire(id, tool string) (wire string, ok bool) {
	wire, ok = n.byRef[Ref{Server: id, Tool: tool}]
	return wire, ok
}

// Find reads a wire name of the set back; ok is false for any other name.
func (n *Names) Find(wire string) (id, tool string, ok bool) {
	ref, ok := n.byWire[wire]
	return ref.Server, ref.Tool, ok
}

// Repeated lists, in order, the tools that one server offered more than once under the very same name. MCP calls a
// tool by its name, so nobody can tell them apart: they have one wire name, and a person should be told.
func (n *Names) Repeated() []Ref { return slices.Clone(n.repeated) }
