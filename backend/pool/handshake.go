package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/transport"
)

// revisions are those we speak, the preferred one first.
func revisions() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} }

// greeting is the result of initialize.
type greeting struct {
	Version      string                 `json:"protocolVersion"`
	Info         *domain.Implementation `json:"serverInfo"`
	Instructions string                 `json:"instructions"`
	Capabilities json.RawMessage        `json:"capabilities"`
}

func (g greeting) announces(capability string) bool {
	return domain.Status{Capabilities: g.Capabilities}.Announces(capability)
}

// greet sends initialize. A server that refuses our revision and names others is asked again, once.
func greet(ctx context.Context, link *transport.Link, ourVersion string) (greeting, error) {
	g, err := initialize(ctx, link, revisions()[0], ourVersion)
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) {
		return g, err
	}
	if other := commonRevision(refused.Data); other != "" {
		g, err = initialize(ctx, link, other, ourVersion)
	}
	if errors.As(err, &refused) {
		return g, &domain.Error{
			Code: domain.CodeProtocol, Message: "The server refused the handshake: " + refused.Message + ".",
			Hint: "Check that the server and its settings are complete.", Cause: refused,
			Args: map[string]string{"rpc_code": fmt.Sprint(refused.Code), "rpc_message": refused.Message},
		}
	}
	return g, err
}

func initialize(ctx context.Context, link *transport.Link, revision, ourVersion string) (greeting, error) {
	params, err := json.Marshal(map[string]any{
		"protocolVersion": revision,
		"capabilities":    struct{}{},
		"clientInfo":      map[string]string{"name": "apollia-connexions", "title": "Apollia Connexions", "version": ourVersion},
	})
	if err != nil {
		return greeting{}, err
	}
	raw, err := link.Request(ctx, "initialize", params)
	if err != nil {
		return greeting{}, err
	}
	var g greeting
	if err := json.Unmarshal(raw, &g); err != nil {
		return greeting{}, &domain.Error{
			Code: domain.CodeProtocol, Message: "The server's answer to the handshake is malformed.",
			Hint: "Report this to the makers of the server.", Proof: err.Error(), Cause: err,
		}
	}
	return g, nil
}

// commonRevision finds the best revision of ours among those that an error answer lists as supported.
func commonRevision(data json.RawMessage) string {
	var named struct {
		Supported []string `json:"supported"`
	}
	if json.Unmarshal(data, &named) != nil {
		return ""
	}
	for _, revision := range revisions()[1:] {
		if slices.Contains(named.Supported, revision) {
			return revision
		}
	}
	return ""
}

// checkVersion says whether we speak what the server answered.
func (g greeting) checkVersion() error {
	if slices.Contains(revisions(), g.Version) {
		return nil
	}
	return &domain.Error{
		Code:    domain.CodeNoCommonRevision,
		Message: "The server speaks a revision of MCP that is not known here: \"" + g.Version + "\".",
		Hint:    "Update Apollia Connexions or the server.",
		Args:    map[string]string{"server": g.Version, "known": strings.Join(revisions(), ", ")},
	}
}

// confirm ends the handshake: from here on the session speaks the server's revision.
func (g greeting) confirm(ctx context.Context, link *transport.Link) error {
	link.SetProtocolVersion(g.Version)
	return link.Notify(ctx, "notifications/initialized", nil)
}
