package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// pasteHomes are the keys under which programs keep their servers, the certain ones first.
func pasteHomes() []string {
	return []string{"mcpServers", "mcp_servers", "context_servers", "amp.mcpServers", "servers", "mcp", "extensions"}
}

// maxPastedNesting bounds how deep servers are searched for: an app file has them five keys down.
const maxPastedNesting = 6

func pasteJSON(text string) (Pasted, error) {
	root, err := syntax.ParseJSONC([]byte(text))
	if err != nil && pasteJSONFragment.MatchString(strings.TrimSpace(text)) {
		root, err = pasteFragment(text)
	}
	return pasteSnippet(pastedJSON, root, err)
}

// pasteFragment reads "name": {…} that was copied without the braces around it, or without the first one.
func pasteFragment(text string) (*syntax.Node, error) {
	opened := "{" + text
	root, err := syntax.ParseJSONC([]byte(opened))
	if err == nil {
		return root, nil
	}
	if root, err := syntax.ParseJSONC([]byte(opened + "\n}")); err == nil {
		return root, nil
	}
	var located *syntax.Error
	if errors.As(err, &located) && located.Line == 1 {
		located.Column-- // the brace that the person did not write
	}
	return nil, err
}

func pasteTOML(text string) (Pasted, error) {
	root, err := syntax.ParseTOML([]byte(text))
	return pasteSnippet(pastedTOML, root, err)
}

func pasteYAML(text string) (Pasted, error) {
	root, err := syntax.ParseYAML([]byte(text))
	return pasteSnippet(pastedYAML, root, err)
}

func pasteSnippet(format string, root *syntax.Node, err error) (Pasted, error) {
	if err != nil {
		return Pasted{}, pasteBroken(format, err)
	}
	s := &pasteSearch{}
	s.document(root)
	if len(s.found) == 0 {
		read := strings.ToUpper(format)
		if s.read != "" {
			read = s.read
		}
		return Pasted{}, pasteStopped(format, root.Position, "there is no server with a command or an address in "+read,
			"A server has at least \"command\" or \"url\".")
	}
	p := Pasted{Format: format, Read: s.read, Warnings: s.warnings}
	for _, e := range s.found {
		d, warnings := pasteEntry(e.name, e.node)
		p.Definitions = append(p.Definitions, d)
		p.Warnings = append(p.Warnings, warnings...)
	}
	return p, nil
}

type pasteFound struct {
	name string
	node *syntax.Node
}

// pasteSearch finds the entries of servers in a document of any client.
type pasteSearch struct {
	read     string
	found    []pasteFound
	warnings []*domain.Error
}

func (s *pasteSearch) document(root *syntax.Node) {
	switch {
	case pasteIsEntry(root):
		s.take("", root)
	case s.homes(root, nil):
	case root.Is(syntax.Object), root.Is(syntax.Array):
		s.container(root)
	}
}

// homes looks for the known keys, here and further down.
func (s *pasteSearch) homes(n *syntax.Node, path []string) bool {
	if !n.Is(syntax.Object) || len(path) > maxPastedNesting {
		return false
	}
	before := len(s.found)
	for _, home := range pasteHomes() {
		child := n.Get(home)
		if child == nil || home == "mcp" && child.Get("servers") != nil {
			continue // "mcp.servers" is found one key further down
		}
		s.named(append(slices.Clone(path), home), child)
	}
	for _, m := range n.Members {
		if !slices.Contains(pasteHomes(), m.Key) || m.Key == "mcp" {
			s.homes(m.Value, append(slices.Clone(path), m.Key))
		}
	}
	return len(s.found) > before
}

// named reads a known key. It is worth naming in an error even when no server is in it.
func (s *pasteSearch) named(path []string, child *syntax.Node) {
	before := len(s.found)
	s.container(child)
	if len(s.found) == 0 || before == 0 {
		s.read = strings.Join(path, ".")
	}
}

// container takes the servers of a table of them, or of a list where each has its name.
func (s *pasteSearch) container(n *syntax.Node) {
	var rest []pasteFound
	before := len(s.found)
	for _, m := range n.Members {
		if !s.take(m.Key, m.Value) {
			rest = append(rest, pasteFound{m.Key, m.Value})
		}
	}
	for _, item := range n.Items {
		if !s.take("", item) {
			rest = append(rest, pasteFound{pasteText(item.Get("name"), item), item})
		}
	}
	if len(s.found) == before {
		return // not a place of servers after all
	}
	for _, r := range rest {
		s.warnings = append(s.warnings, pasteWarning(r.node, fmt.Sprintf("%q was left out: it has no command and no address", r.name)))
	}
}

// take accepts an entry; those that only turn a part of another program on are passed over in silence.
func (s *pasteSearch) take(name string, n *syntax.Node) bool {
	if pasteIsBuiltIn(n) {
		return true
	}
	if !pasteIsEntry(n) {
		return false
	}
	s.found = append(s.found, pasteFound{name, n})
	return true
}

// pasteIsEntry reports whether a value describes how to reach a server.
func pasteIsEntry(n *syntax.Node) bool {
	for _, key := range []string{"command", "cmd"} {
		c := n.Get(key)
		first := pasteText(c, c.Get("path"))
		if c.Is(syntax.Array) && len(c.Items) > 0 {
			first = pasteText(c.Items[0])
		}
		if first != "" {
			return true
		}
	}
	return slices.ContainsFunc(pasteAddressKeys(), func(key string) bool {
		return strings.TrimSpace(pasteText(n.Get(key))) != ""
	})
}

// pasteIsBuiltIn recognises extensions of Goose and Zed that are part of the program itself.
func pasteIsBuiltIn(n *syntax.Node) bool {
	kind := pasteText(n.Get("type"))
	bundled, _ := n.Get("bundled").Bool()
	return bundled || kind == "builtin" || kind == "platform" || kind == "frontend" || kind == "inline_python" ||
		pasteText(n.Get("source")) == "extension"
}

// pasteText is the text of the first scalar.
func pasteText(nodes ...*syntax.Node) string {
	for _, n := range nodes {
		if n.Scalar() {
			return n.Text
		}
	}
	return ""
}

func pasteWarning(at *syntax.Node, message string) *domain.Error {
	return pasteStopped("entry", at.Position, message, "Fill it in by hand if the server needs it.")
}
