package syntax

// Equal reports whether two nodes hold the same values, whatever their languages and positions: objects by their keys
// in any order, numbers by value. An absent node equals only another one.
func (n *Node) Equal(other *Node) bool {
	switch {
	case n == nil || other == nil:
		return n == other
	case n.Is(Object):
		return other.Is(Object) && n.sameMembers(other)
	case n.Is(Array):
		return other.Is(Array) && n.sameItems(other)
	}
	if a, ok := n.Number(); ok {
		b, alike := other.Number()
		return alike && a == b
	}
	return n.Kind == other.Kind && n.Text == other.Text
}

func (n *Node) sameMembers(other *Node) bool {
	if len(n.index) != len(other.index) {
		return false
	}
	for key := range n.index {
		if m := other.Member(key); m == nil || !n.Member(key).Value.Equal(m.Value) {
			return false
		}
	}
	return true
}

func (n *Node) sameItems(other *Node) bool {
	if len(n.Items) != len(other.Items) {
		return false
	}
	for i, item := range n.Items {
		if !item.Equal(other.Items[i]) {
			return false
		}
	}
	return true
}
