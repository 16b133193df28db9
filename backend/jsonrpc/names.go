package jsonrpc

import "slices"

// names is a set of member names. Most objects are small, so a map is made only for a big one.
type names struct {
	few  []string
	many map[string]struct{}
}

const few = 16

// add reports whether name was new.
func (n *names) add(name string) bool {
	if n.many == nil && len(n.few) < few {
		if slices.Contains(n.few, name) {
			return false
		}
		n.few = append(n.few, name)
		return true
	}
	if n.many == nil {
		n.many = make(map[string]struct{}, 4*few)
		for _, other := range n.few {
			n.many[other] = struct{}{}
		}
	}
	if _, ok := n.many[name]; ok {
		return false
	}
	n.many[name] = struct{}{}
	return true
}
