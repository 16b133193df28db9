// Package syntax parses TOML, YAML, JSONC and shell commands with positions, and edits one node leaving every other byte.
package syntax

import (
	"strconv"
	"strings"
)

// Kind says what a Node is.
type Kind int

// The kinds of all three languages; only TOML has Date.
const (
	Null Kind = iota
	Object
	Array
	String
	Integer
	Float
	Bool
	Date
)

// String is the kind in words, as a message to a person says it.
func (k Kind) String() string {
	switch k {
	case Object:
		return "a table"
	case Array:
		return "a list"
	case String:
		return "text"
	case Integer:
		return "a whole number"
	case Float:
		return "a number"
	case Bool:
		return "true or false"
	case Date:
		return "a date"
	default:
		return "nothing"
	}
}

// Position is a place in a text. Line and Column count from 1, Column in characters.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Member is one key of an Object with its value. Position is where the key stands.
type Member struct {
	Key string
	Position
	Value *Node
}

// Node is one value of a document and where it starts. All methods accept a nil Node, which is a value that is absent.
type Node struct {
	Kind Kind
	Position
	// Text is the value of a scalar: a String decoded, "true" or "false" of a Bool, the digits of the others as written.
	Text string
	// Members are the keys of an Object in the order of the file. JSONC may repeat a key; the last one counts.
	Members []Member
	// Items are the elements of an Array.
	Items []*Node

	index map[string]int
}

// Is reports whether the node is there and of the kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Scalar reports whether the node is there and neither null, table nor list.
func (n *Node) Scalar() bool {
	return n != nil && n.Kind != Null && n.Kind != Object && n.Kind != Array
}

// Get follows keys down through objects; nil when one of them is absent.
func (n *Node) Get(keys ...string) *Node {
	for _, key := range keys {
		m := n.Member(key)
		if m == nil {
			return nil
		}
		n = m.Value
	}
	return n
}

// Member is the key of an Object with its position; nil when it is absent.
func (n *Node) Member(key string) *Member {
	if n == nil {
		return nil
	}
	at, ok := n.index[key]
	if !ok {
		return nil
	}
	return &n.Members[at]
}

// Int is the value of an Integer that fits in 64 bits.
func (n *Node) Int() (int64, bool) {
	if !n.Is(Integer) {
		return 0, false
	}
	v, err := strconv.ParseInt(n.Text, 0, 64)
	return v, err == nil
}

// Number is the value of an Integer or Float.
func (n *Node) Number() (float64, bool) {
	if v, ok := n.Int(); ok {
		return float64(v), true
	}
	if !n.Is(Float) {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(n.Text, "_", ""), 64)
	return v, err == nil
}

// Bool is the value of a Bool.
func (n *Node) Bool() (value, ok bool) {
	return n.Is(Bool) && n.Text == "true", n.Is(Bool)
}

func (n *Node) add(m Member) {
	if n.index == nil {
		n.index = make(map[string]int)
	}
	n.index[m.Key] = len(n.Members)
	n.Members = append(n.Members, m)
}
