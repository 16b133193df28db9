package syntax

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a document: its size, since some texts cost the parser the square of it, and how much it may grow through
// its aliases.
const (
	maxYAML  = 256 << 10 // bytes
	maxNodes = 200_000
)

// ParseYAML reads the one document of a YAML text: anchors, aliases and merge keys are resolved. A text without any
// value is a Null. A failure is an *Error.
func ParseYAML(b []byte) (*Node, error) {
	src, err := newSource(b)
	if err != nil {
		return nil, err
	}
	if err := src.checkYAML(); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(src.text, 0)
	if err != nil {
		return nil, yamlError(err)
	}
	t := &yamlTree{anchors: make(map[string]yamlAnchor)}
	root := &Node{Position: Position{1, 1}}
	seen := false
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if seen {
			return nil, &Error{yamlPosition(doc.Body), "a second document starts here; only one can be read"}
		}
		seen = true
		if root, err = t.node(doc.Body, 0); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// checkYAML refuses what is too long or nests by the thousand before the parser sees it.
func (s *source) checkYAML() error {
	if len(s.text) > maxYAML {
		return &Error{Position{1, 1}, fmt.Sprintf("the YAML is longer than %d KiB", maxYAML>>10)}
	}
	if err := s.checkDepth("[{", "]}"); err != nil {
		return err
	}
	for i, start := range s.lines {
		line, _, _ := bytes.Cut(s.text[start:], []byte("\n"))
		if bytes.Count(line, []byte("- ")) > 5*maxDepth {
			return &Error{Position{i + 1, 1}, "lists nest too deep"}
		}
	}
	return nil
}

func yamlError(err error) error {
	var located yaml.Error
	if !errors.As(err, &located) || located.GetToken() == nil {
		return &Error{Position{1, 1}, err.Error()}
	}
	return &Error{tokenPosition(located.GetToken()), located.GetMessage()}
}

func tokenPosition(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return Position{1, 1}
	}
	return Position{Line: max(t.Position.Line, 1), Column: max(t.Position.Column, 1)}
}

func yamlPosition(n ast.Node) Position {
	switch v := n.(type) {
	case *ast.MappingNode:
		if len(v.Values) > 0 && !v.IsFlowStyle {
			return yamlPosition(v.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return yamlPosition(v.Key)
	}
	return tokenPosition(n.GetToken())
}

type yamlAnchor struct {
	node *Node
	size int
}

type yamlTree struct {
	anchors map[string]yamlAnchor
	nodes   int
}

func (t *yamlTree) node(y ast.Node, depth int) (*Node, error) {
	if y == nil {
		return &Node{}, nil
	}
	at := yamlPosition(y)
	t.nodes++
	if depth > maxDepth || t.nodes > maxNodes {
		return nil, &Error{at, "values nest too deep or grow too large"}
	}
	switch v := y.(type) {
	case *ast.MappingNode:
		return t.object(at, v.Values, depth)
	case *ast.MappingValueNode:
		return t.object(at, []*ast.MappingValueNode{v}, depth)
	case *ast.SequenceNode:
		return t.list(at, v, depth)
	case *ast.AnchorNode:
		return t.anchor(v, depth)
	case *ast.AliasNode:
		return t.alias(v)
	case *ast.TagNode:
		return t.tagged(v, depth)
	case *ast.CommentGroupNode, *ast.DirectiveNode:
		return &Node{Position: at}, nil
	}
	return yamlScalar(y, at)
}

// yamlScalar reads a plain value; spellings such as TRUE and .inf come out as the other languages write them.
func yamlScalar(y ast.Node, at Position) (*Node, error) {
	n := &Node{Position: at}
	switch v := y.(type) {
	case *ast.NullNode:
	case *ast.StringNode:
		n.Kind, n.Text = String, v.Value
	case *ast.LiteralNode:
		n.Kind, n.Text = String, v.Value.Value
	case *ast.IntegerNode:
		n.Kind, n.Text = Integer, v.Token.Value
	case *ast.FloatNode:
		n.Kind, n.Text = Float, v.Token.Value
	case *ast.InfinityNode, *ast.NanNode:
		n.Kind, n.Text = Float, strings.ToLower(strings.Replace(y.GetToken().Value, ".", "", 1))
	case *ast.BoolNode:
		n.Kind, n.Text = Bool, strings.ToLower(v.Token.Value)
	default:
		return nil, &Error{at, "this value cannot be read"}
	}
	return n, nil
}

func (t *yamlTree) object(at Position, values []*ast.MappingValueNode, depth int) (*Node, error) {
	n := &Node{Kind: Object, Position: at}
	var merged []*Node
	for _, pair := range values {
		value, err := t.node(pair.Value, depth+1)
		if err != nil {
			return nil, err
		}
		if pair.Key.IsMergeKey() {
			merged = append(merged, value)
			continue
		}
		key, err := t.node(pair.Key, depth+1)
		if err != nil {
			return nil, err
		}
		if !key.Scalar() {
			return nil, &Error{yamlPosition(pair.Key), "a key must be plain text"}
		}
		if n.Member(key.Text) != nil {
			return nil, &Error{key.Position, "this key is there twice"}
		}
		n.add(Member{Key: key.Text, Position: key.Position, Value: value})
	}
	for _, from := range merged {
		t.merge(n, from)
	}
	return n, nil
}

// merge adds what a "<<" key brings; what the mapping itself says wins.
func (t *yamlTree) merge(n, from *Node) {
	for _, m := range from.Members {
		if n.Member(m.Key) == nil {
			n.add(m)
		}
	}
	for _, item := range from.Items {
		t.merge(n, item)
	}
}

func (t *yamlTree) list(at Position, y *ast.SequenceNode, depth int) (*Node, error) {
	n := &Node{Kind: Array, Position: at}
	for _, value := range y.Values {
		item, err := t.node(value, depth+1)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	return n, nil
}

func (t *yamlTree) anchor(y *ast.AnchorNode, depth int) (*Node, error) {
	before := t.nodes
	value, err := t.node(y.Value, depth+1)
	if err != nil {
		return nil, err
	}
	// The name is known only now, so an alias inside the anchored value cannot make a circle.
	t.anchors[nodeText(y.Name)] = yamlAnchor{value, t.nodes - before}
	return value, nil
}

// alias shares the anchored node. It still counts in full, since who walks the tree walks it again.
func (t *yamlTree) alias(y *ast.AliasNode) (*Node, error) {
	at := tokenPosition(y.Start)
	found, ok := t.anchors[nodeText(y.Value)]
	if !ok {
		return nil, &Error{at, "the alias has no anchor before it"}
	}
	t.nodes += found.size
	if t.nodes > maxNodes {
		return nil, &Error{at, "aliases make the document too large"}
	}
	return found.node, nil
}

// tagged reads a value with a tag: !!str makes text of it, other tags do not change how a value is read.
func (t *yamlTree) tagged(y *ast.TagNode, depth int) (*Node, error) {
	value, err := t.node(y.Value, depth+1)
	if err != nil {
		return nil, err
	}
	if y.Start != nil && y.Start.Value == "!!str" && (value.Scalar() || value.Kind == Null) {
		return &Node{Kind: String, Position: tokenPosition(y.Start), Text: value.Text}, nil
	}
	return value, nil
}

func nodeText(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}
