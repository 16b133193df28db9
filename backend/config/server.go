package config

import (
	"fmt"
	"math"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/syntax"
)

// Bounds of the limits of a server: far above real use, far below what would hurt.
const (
	maxTimeout = 3600     // seconds
	minBuffer  = 64 << 10 // bytes
	maxBuffer  = 1 << 30  // bytes
)

// config reads the whole tree.
func (r *reader) config(root *syntax.Node) Config {
	top := &table{reader: r, name: "config.toml", node: root}
	c := Config{
		Servers:    r.servers(top.value("mcp_servers")),
		Rules:      r.rules(top),
		Cache:      r.section(top, "cache").cache(),
		Middleware: r.middleware(top),
		Settings:   r.settings(top),
	}
	top.done()
	return c
}

func (r *reader) servers(list *syntax.Node) []domain.Server {
	var servers []domain.Server
	lines := make(map[string]int)
	for _, node := range r.entries(list, "mcp_servers") {
		server, ok := r.server(node)
		if !ok {
			continue
		}
		if line, taken := lines[server.ID]; taken {
			r.add(node.Position, fault{
				kind: "duplicate_name", message: fmt.Sprintf("the server %q has the same id, %s, as the one in line %d", server.Name, server.ID, line),
				hint: "Give one of the two another name.",
				args: map[string]string{"name": server.Name, "id": server.ID, "other_line": fmt.Sprint(line)},
			})
			continue
		}
		lines[server.ID] = server.Line
		servers = append(servers, server)
	}
	return servers
}

// entries are the tables of a list such as [[mcp_servers]].
func (r *reader) entries(list *syntax.Node, name string) []*syntax.Node {
	if list == nil {
		return nil
	}
	t := &table{reader: r}
	hint := fmt.Sprintf(r.language.entry, name)
	if !list.Is(syntax.Array) {
		t.badAt(list.Position, name, name+" must be a list of tables", hint)
		return nil
	}
	var entries []*syntax.Node
	for _, item := range list.Items {
		if !item.Is(syntax.Object) {
			t.badAt(item.Position, name, name+" must be a list of tables", hint)
			continue
		}
		entries = append(entries, item)
	}
	return entries
}

// server reads one [[mcp_servers]] entry; false when it has no usable name.
func (r *reader) server(node *syntax.Node) (domain.Server, bool) {
	t := &table{reader: r, name: "[[mcp_servers]]", node: node, templates: true}
	s := domain.Server{Trust: domain.Custom, Source: domain.FromConfig, Line: node.Line}
	s.Name = t.text("name")
	s.Transport = t.transport()
	s.Command, s.Args, s.Cwd = t.text("command"), t.texts("args"), t.text("cwd")
	s.Env, s.InheritEnv = t.variables("env"), t.flag("inherit_env", false)
	s.URL, s.Headers = t.text("url"), t.variables("headers")
	s.Auth = t.auth(s.Transport)
	s.TimeoutMS = int64(math.Round(1000 * t.number("timeout", "seconds", 0, maxTimeout)))
	s.BufferSize = int64(t.number("buffer_size", "bytes", minBuffer, maxBuffer))
	s.Roots = t.texts("roots")
	s.CacheableTools, s.CacheSeconds = t.tools("cacheable_tools"), t.seconds("cache_ttl")
	if !t.flag("requires_approval", true) {
		s.DefaultVerdict = domain.Allow
	}
	s.Enabled = t.flag("enabled", true)
	t.done()
	t.checkReach(s.Definition)
	t.checkHeaders(s.Headers)
	named := t.identify(&s)
	return s, named
}

func (t *table) identify(s *domain.Server) bool {
	switch v := t.node.Get("name"); {
	case v != nil && !v.Is(syntax.String):
		return false // said already
	case s.Name == "":
		t.add(t.at("name"), fault{
			kind: "missing_key", message: "a [[mcp_servers]] entry needs a name", hint: `Add a line such as name = "github".`,
			args: map[string]string{"key": "name", "table": t.name},
		})
		return false
	}
	id, err := naming.ServerID(s.Name)
	if err != nil {
		e := domain.AsError(err)
		t.add(t.at("name"), fault{
			kind: "illegal_name", message: e.Message, hint: e.Hint, args: map[string]string{"name": s.Name},
		})
		return false
	}
	s.ID = id
	return true
}

// transport reads the transport, or tells it from what the entry has.
func (t *table) transport() domain.Transport {
	word := t.text("transport")
	if t.node.Member("transport") == nil {
		if t.node.Member("url") != nil && t.node.Member("command") == nil {
			return domain.StreamableHTTP
		}
		return domain.Stdio
	}
	transport, ok := domain.ParseTransport(word)
	if !ok && t.node.Get("transport").Is(syntax.String) {
		t.bad("transport", fmt.Sprintf("unknown transport %q", word), "Use stdio, streamable-http (or http) or sse.")
	}
	return transport
}

// checkReach asks for what the transport needs and refuses what would do nothing with it.
func (t *table) checkReach(d domain.Definition) {
	switch d.Transport {
	case domain.Stdio:
		t.need("command", d.Transport)
		t.useless(d.Transport, "url", "headers")
	case domain.StreamableHTTP, domain.SSE:
		t.need("url", d.Transport)
		t.useless(d.Transport, "command", "args", "cwd", "inherit_env")
		t.checkAddress(d.URL)
	}
}

func (t *table) need(key string, transport domain.Transport) {
	if m := t.node.Member(key); m != nil && (!m.Value.Is(syntax.String) || strings.TrimSpace(m.Value.Text) != "") {
		return
	}
	t.add(t.at(key), fault{
		kind: "missing_key", message: fmt.Sprintf("a server with the transport %s needs %s", transport, key),
		hint: "Add " + t.language.example(key, "text") + ".", args: map[string]string{"key": key, "table": t.name},
	})
}

func (t *table) useless(transport domain.Transport, keys ...string) {
	for _, key := range keys {
		if t.node.Member(key) != nil {
			t.bad(key, fmt.Sprintf("%s does nothing for a server with the transport %s", key, transport), "Remove it, or change the transport.")
		}
	}
}

func (t *table) checkAddress(address string) {
	if address == "" || HasReference(address) {
		return // only known once its variables are filled in
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		t.bad("url", "this is not the address of a server", "It starts with https:// or http://.")
	}
}

func (t *table) checkHeaders(headers []domain.Variable) {
	seen := make(map[string]bool, len(headers))
	for _, h := range headers {
		// RFC 9110, section 5.1: field names are case-insensitive.
		if name := strings.ToLower(h.Name); seen[name] {
			t.bad("headers", fmt.Sprintf("the header %s is there twice", h.Name), "Remove one of them.")
		} else {
			seen[name] = true
		}
		if strings.ContainsAny(h.Value, "\r\n") {
			t.bad("headers", fmt.Sprintf("the header %s holds a line break", h.Name), "Write it on one line.")
		}
	}
}
