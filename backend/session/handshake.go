package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// Greeting is what a server says of itself: its result of server/discover, or of initialize.
type Greeting struct {
	Version      string
	Info         *domain.Implementation
	Instructions string
	Capabilities json.RawMessage
}

// Announces reports whether the server's capabilities have the named top-level member, such as "tools".
func (g Greeting) Announces(capability string) bool {
	return domain.Status{Capabilities: g.Capabilities}.Announces(capability)
}

// IsStateless reports whether the server is spoken to without a handshake.
func (g Greeting) IsStateless() bool { return g.Version >= Stateless }

// Greet finds out which revision the server speaks, and what it says of itself. A server that is not known to need a
// handshake is asked with server/discover; what lacks our stateless revision in its answer is not such a server,
// whatever else it says (protocol.md 1.1). A server that ends because it was asked fails with ErrProbe in the chain.
func (s *Session) Greet(ctx context.Context) (err error) {
	if s.options.Handshake {
		s.greeting, err = s.initialize(ctx)
	} else {
		s.greeting, err = s.probe(ctx)
	}
	return err
}

// initialize shakes hands. A server that refuses our revision and names others is asked again, once.
func (s *Session) initialize(ctx context.Context) (Greeting, error) {
	g, err := s.initializeAs(ctx, handshaken()[0])
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		if other := commonRevision(refused.Data); other != "" {
			g, err = s.initializeAs(ctx, other)
		}
	}
	if errors.As(err, &refused) {
		err = handshakeRefused(refused, err)
	}
	return g, err
}

func handshakeRefused(refused *jsonrpc.Error, cause error) error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server refused the handshake: " + refused.Message + ".",
		Hint: "Check that the server and its settings are complete.", Cause: cause,
		Args: map[string]string{"rpc_code": fmt.Sprint(refused.Code), "rpc_message": refused.Message},
	}
}

func (s *Session) initializeAs(ctx context.Context, revision string) (Greeting, error) {
	params, err := json.Marshal(map[string]any{
		"protocolVersion": revision,
		"capabilities":    s.capabilities(false),
		"clientInfo":      s.clientInfo(),
	})
	if err != nil {
		return Greeting{}, err
	}
	raw, err := s.link.Request(ctx, "initialize", params)
	if err != nil {
		return Greeting{}, err
	}
	var said struct {
		Version      string                 `json:"protocolVersion"`
		Info         *domain.Implementation `json:"serverInfo"`
		Instructions string                 `json:"instructions"`
		Capabilities json.RawMessage        `json:"capabilities"`
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return Greeting{}, malformedGreeting(err)
	}
	return Greeting(said), nil
}

func malformedGreeting(cause error) error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server's answer to the handshake is malformed.",
		Hint: "Report this to the makers of the server.", Proof: cause.Error(), Cause: cause,
	}
}

// supportedIn reads the revisions that an error answer lists as supported (MCP 2026-07-28, UnsupportedProtocolVersion).
func supportedIn(data json.RawMessage) []string {
	var named struct {
		Supported []string `json:"supported"`
	}
	if json.Unmarshal(data, &named) != nil {
		return nil
	}
	return named.Supported
}

// commonRevision finds the best revision with a handshake, but our first, among those that an error answer lists.
func commonRevision(data json.RawMessage) string {
	supported := supportedIn(data)
	for _, revision := range handshaken()[1:] {
		if slices.Contains(supported, revision) {
			return revision
		}
	}
	return ""
}

// Agree ends the greeting: from here on the session speaks the server's revision. It fails with CodeNoCommonRevision
// when that is none of ours.
func (s *Session) Agree(ctx context.Context) error {
	version := s.greeting.Version
	if !slices.Contains(Revisions(), version) {
		return &domain.Error{
			Code:    domain.CodeNoCommonRevision,
			Message: "The server speaks a revision of MCP that is not known here: \"" + version + "\".",
			Hint:    "Update Apollia Connexions or the server.",
			Args:    map[string]string{"server": version, "known": strings.Join(Revisions(), ", ")},
		}
	}
	s.link.SetProtocolVersion(version)
	if s.greeting.IsStateless() {
		level := usualLevel
		s.level.Store(&level)
		return nil
	}
	return s.link.Notify(ctx, "notifications/initialized", nil)
}
