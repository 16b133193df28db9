package syntax

import (
	"bytes"
	"errors"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseTOML reads a TOML 1.0 document into its root table. A failure is an *Error.
func ParseTOML(b []byte) (*Node, error) {
	src, err := newSource(b)
	if err != nil {
		return nil, err
	}
	// The decoder knows all rules of the language, such as keys defined twice; the walk below only places what is valid.
	var valid map[string]any
	if err := toml.Unmarshal(src.text, &valid); err != nil {
		return nil, src.tomlError(err)
	}
	t := &tomlTree{src: src, root: &Node{Kind: Object, Position: Position{1, 1}}}
	t.table = t.root
	t.parser.Reset(src.text)
	for t.parser.NextExpression() {
		if err := t.expression(t.parser.Expression()); err != nil {
			return nil, err
		}
	}
	if err := t.parser.Error(); err != nil {
		return nil, src.tomlError(err)
	}
	return t.root, nil
}

func (s *source) tomlError(err error) error {
	var located *toml.DecodeError
	if !errors.As(err, &located) {
		return &Error{Position{1, 1}, err.Error()}
	}
	line, column := located.Position()
	if line < 1 || line > len(s.lines) {
		return &Error{Position{1, 1}, located.Error()}
	}
	// The decoder counts columns in bytes.
	return s.errorAt(s.lines[line-1]+column-1, "%s", bytes.TrimPrefix([]byte(located.Error()), []byte("toml: ")))
}

type tomlTree struct {
	src    *source
	parser unstable.Parser
	root   *Node
	table  *Node // the table that key = value lines belong to
}

func (t *tomlTree) expression(e *unstable.Node) error {
	path := keyPath(e)
	if len(path) == 0 {
		return nil
	}
	last := path[len(path)-1]
	switch e.Kind {
	case unstable.Table:
		t.table = t.descend(t.root, path)
		t.table.Position = t.headerPosition(path[0])
	case unstable.ArrayTable:
		at := t.headerPosition(path[0])
		list := t.child(t.descend(t.root, path[:len(path)-1]), last, Array)
		t.table = &Node{Kind: Object, Position: at}
		list.Items = append(list.Items, t.table)
	case unstable.KeyValue:
		return t.keyValue(t.table, e, 0)
	}
	return nil
}

func keyPath(e *unstable.Node) []*unstable.Node {
	var path []*unstable.Node
	for it := e.Key(); it.Next(); {
		path = append(path, it.Node())
	}
	return path
}

// headerPosition finds the bracket that opens the header which first names key.
func (t *tomlTree) headerPosition(key *unstable.Node) Position {
	offset := int(key.Raw.Offset)
	for offset > 0 && bytes.IndexByte([]byte("[ \t"), t.src.text[offset-1]) >= 0 {
		offset--
	}
	for offset < len(t.src.text) && t.src.text[offset] != '[' {
		offset++
	}
	return t.src.position(offset)
}

// descend follows a path of keys, making the tables it names implicitly.
func (t *tomlTree) descend(n *Node, path []*unstable.Node) *Node {
	for _, key := range path {
		n = t.child(n, key, Object)
		if n.Kind == Array && len(n.Items) > 0 {
			n = n.Items[len(n.Items)-1]
		}
	}
	return n
}

func (t *tomlTree) child(n *Node, key *unstable.Node, kind Kind) *Node {
	if m := n.Member(string(key.Data)); m != nil {
		return m.Value
	}
	at := t.src.position(int(key.Raw.Offset))
	value := &Node{Kind: kind, Position: at}
	n.add(Member{Key: string(key.Data), Position: at, Value: value})
	return value
}

func (t *tomlTree) keyValue(table *Node, e *unstable.Node, depth int) error {
	path := keyPath(e)
	last := path[len(path)-1]
	table = t.descend(table, path[:len(path)-1])
	at := t.src.position(int(last.Raw.Offset))
	value, err := t.value(e.Value(), at, depth)
	if err != nil {
		return err
	}
	table.add(Member{Key: string(last.Data), Position: at, Value: value})
	return nil
}

// value reads one value. The parser does not place lists, so those stand at the key that leads to them.
func (t *tomlTree) value(v *unstable.Node, key Position, depth int) (*Node, error) {
	n := &Node{Position: key}
	if depth > maxDepth {
		return nil, &Error{key, "values nest too deep"}
	}
	if v.Raw.Length > 0 {
		n.Position = t.src.position(int(v.Raw.Offset))
	}
	switch v.Kind {
	case unstable.Array:
		n.Kind = Array
		for it := v.Children(); it.Next(); {
			item, err := t.value(it.Node(), n.Position, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
	case unstable.InlineTable:
		n.Kind = Object
		for it := v.Children(); it.Next(); {
			if err := t.keyValue(n, it.Node(), depth+1); err != nil {
				return nil, err
			}
		}
	default:
		n.Kind, n.Text = tomlScalar(v.Kind), string(v.Data)
	}
	return n, nil
}

func tomlScalar(k unstable.Kind) Kind {
	switch k {
	case unstable.String:
		return String
	case unstable.Integer:
		return Integer
	case unstable.Float:
		return Float
	case unstable.Bool:
		return Bool
	default:
		return Date
	}
}
