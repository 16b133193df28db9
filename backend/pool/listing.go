package pool

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/transport"
)

// Bounds of one list, whatever the server says.
const (
	maxPages = 200
	maxItems = 10_000
)

// Offer is what a server offers.
type Offer struct {
	Tools     []domain.Tool
	Resources []domain.Resource
	Templates []domain.Resource
	Prompts   []domain.Prompt
}

// section is one list of a server.
type section struct {
	step       domain.StepName
	capability string
	method     string
	member     string
	// optional marks a list that a server with the capability may lack without a word.
	optional bool
	store    func(o *Offer, serverID string, items []json.RawMessage) []*domain.Error
}

// sections lists what can be listed, in the order of a test's steps.
func sections() []section {
	return []section{
		{step: domain.StepTools, capability: "tools", method: "tools/list", member: "tools", store: storeTools},
		{step: domain.StepResources, capability: "resources", method: "resources/list", member: "resources", store: storeResources},
		{
			step: domain.StepResources, capability: "resources", method: "resources/templates/list", member: "resourceTemplates",
			optional: true, store: storeTemplates,
		},
		{step: domain.StepPrompts, capability: "prompts", method: "prompts/list", member: "prompts", store: storePrompts},
	}
}

// list fetches all pages of one section into o. Warnings are about what could still be used. The time is for each page.
func (s section) list(ctx context.Context, link *transport.Link, serverID string, pageTime time.Duration, o *Offer) ([]*domain.Error, error) {
	items, warnings, err := s.pages(ctx, link, pageTime)
	var refused *jsonrpc.Error
	if errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound {
		s.store(o, serverID, nil)
		if s.optional {
			return nil, nil
		}
		return []*domain.Error{s.notThere()}, nil
	}
	if errors.As(err, &refused) {
		return nil, &domain.Error{
			Code: domain.CodeProtocol, Message: "The server refused to list its " + s.capability + ": " + refused.Message + ".",
			Hint: "Check that the server and its settings are complete.", Cause: refused,
			Args: map[string]string{"section": s.capability, "rpc_code": strconv.Itoa(refused.Code), "rpc_message": refused.Message},
		}
	}
	if err != nil {
		return nil, err
	}
	return append(warnings, s.store(o, serverID, items)...), nil
}

func (s section) notThere() *domain.Error {
	return &domain.Error{
		Code: domain.CodeNotAnnounced, Message: "The server announces " + s.capability + " but does not know \"" + s.method + "\".",
		Hint: "Report this to the makers of the server; the rest of it works.", Args: map[string]string{"section": s.capability},
	}
}

func (s section) pages(ctx context.Context, link *transport.Link, pageTime time.Duration) (items []json.RawMessage, warnings []*domain.Error, err error) {
	seen := map[string]bool{}
	cursor := ""
	for range maxPages {
		page, next, err := s.page(ctx, link, cursor, pageTime)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, page...)
		if next == "" {
			return items, nil, nil
		}
		if len(items) >= maxItems {
			return items[:maxItems], []*domain.Error{s.cutShort("too_many", "names more than "+strconv.Itoa(maxItems))}, nil
		}
		if seen[next] {
			return items, []*domain.Error{s.cutShort("stuck_cursor", "repeats a page of its")}, nil
		}
		seen[next] = true
		cursor = next
	}
	return items, []*domain.Error{s.cutShort("too_many_pages", "has more than "+strconv.Itoa(maxPages)+" pages of")}, nil
}

func (s section) page(ctx context.Context, link *transport.Link, cursor string, limit time.Duration) (items []json.RawMessage, next string, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	params := json.RawMessage("{}")
	if cursor != "" {
		if params, err = json.Marshal(map[string]string{"cursor": cursor}); err != nil {
			return nil, "", err
		}
	}
	raw, err := link.Request(ctx, s.method, params)
	if err != nil {
		return nil, "", err
	}
	members, err := jsonrpc.Members(raw, jsonrpc.Limits{Size: int64(len(raw)) + 1})
	if err == nil && members[s.member] != nil {
		err = json.Unmarshal(members[s.member], &items)
	}
	if err == nil {
		next, _ = textOf(members["nextCursor"])
		return items, next, nil
	}
	return nil, "", &domain.Error{
		Code: domain.CodeProtocol, Message: "The server's list of " + s.capability + " is malformed.",
		Hint: "Report this to the makers of the server.", Proof: err.Error(), Cause: err,
		Args: map[string]string{"section": s.capability},
	}
}

func (s section) cutShort(reason, what string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server " + what + " " + s.capability + "; the list was cut short.",
		Hint: "Report this to the makers of the server.", Args: map[string]string{"section": s.capability, "reason": reason},
	}
}
