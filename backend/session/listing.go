package session

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
	maxList  = 32 << 20 // bytes of all pages
)

// Section is one list of a server.
type Section struct {
	// Step is the step of a test that it belongs to.
	Step domain.StepName
	// Capability is the member of the server's capabilities that announces it, and whose list_changed tells of it.
	Capability string
	// extension is set where a member of the extensions must announce it too.
	extension func(Greeting) bool
	method    string
	member    string
	// optional marks a list that a server with the capability may lack without a word.
	optional bool
	store    func(o *Offer, serverID string, items []json.RawMessage) []*domain.Error
}

// Sections lists what can be listed, in the order of a test's steps.
func Sections() []Section {
	return []Section{
		{Step: domain.StepTools, Capability: "tools", method: "tools/list", member: "tools", store: storeTools},
		{Step: domain.StepResources, Capability: "resources", method: "resources/list", member: "resources", store: storeResources},
		{
			Step: domain.StepResources, Capability: "resources", method: "resources/templates/list", member: "resourceTemplates",
			optional: true, store: storeTemplates,
		},
		{
			Step: domain.StepResources, Capability: "resources", method: "skills/list", member: "skills",
			optional: true, store: storeSkills, extension: Greeting.announcesSkills,
		},
		{Step: domain.StepPrompts, Capability: "prompts", method: "prompts/list", member: "prompts", store: storePrompts},
	}
}

// List fetches all pages of one section into o. Warnings are about what could still be used.
func (s *Session) List(ctx context.Context, section Section, o *Offer) ([]*domain.Error, error) {
	if section.extension != nil && !section.extension(s.greeting) {
		return nil, nil
	}
	s.mu.Lock()
	s.listed[section.Capability] = true
	s.mu.Unlock()
	items, warnings, err := s.pages(ctx, section)
	var refused *jsonrpc.Error
	if errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound {
		section.store(o, s.options.ServerID, nil)
		if section.optional {
			return nil, nil
		}
		return []*domain.Error{section.notThere()}, nil
	}
	if errors.As(err, &refused) {
		return nil, &domain.Error{
			Code: domain.CodeProtocol, Message: "The server refused to list its " + section.Capability + ": " + refused.Message + ".",
			Hint: "Check that the server and its settings are complete.", Cause: refused,
			Args: map[string]string{
				"section": section.Capability, "rpc_code": strconv.Itoa(refused.Code), "rpc_message": refused.Message,
			},
		}
	}
	if err != nil {
		return nil, err
	}
	if section.extension != nil {
		items = s.takeSkills(items)
	}
	warnings = append(warnings, section.store(o, s.options.ServerID, items)...)
	if section.Step == domain.StepTools && s.mirrors() {
		var odd []*domain.Error
		o.Tools, odd = withoutOddHeaders(o.Tools)
		warnings = append(warnings, odd...)
	}
	return warnings, nil
}

// withoutOddHeaders leaves out the tools that cannot be called as they demand (MCP 2026-07-28, server/tools#x-mcp-header).
func withoutOddHeaders(tools []domain.Tool) (kept []domain.Tool, warnings []*domain.Error) {
	kept = make([]domain.Tool, 0, len(tools))
	for _, tool := range tools {
		if odd := transport.CheckParamHeaders(tool.Name, tool.InputSchema); odd != nil {
			warnings = append(warnings, odd)
			continue
		}
		kept = append(kept, tool)
	}
	return kept, warnings
}

func (s Section) notThere() *domain.Error {
	return &domain.Error{
		Code: domain.CodeNotAnnounced, Message: "The server announces " + s.Capability + " but does not know \"" + s.method + "\".",
		Hint: "Report this to the makers of the server; the rest of it works.", Args: map[string]string{"section": s.Capability, "reason": "not_there"},
	}
}

func (s *Session) pages(ctx context.Context, section Section) (items []json.RawMessage, warnings []*domain.Error, err error) {
	seen := map[string]bool{}
	cursor := ""
	var fresh time.Duration
	size := 0
	defer func() { s.keepFresh(section, fresh) }()
	for range maxPages {
		got, err := s.page(ctx, section, cursor)
		if err != nil {
			return nil, nil, err
		}
		for _, item := range got.items {
			size += len(item)
		}
		if size > maxList {
			return items, []*domain.Error{section.cutShort("too_many", "says more than "+strconv.Itoa(maxList>>20)+" MiB of")}, nil
		}
		items = append(items, got.items...)
		if got.fresh > 0 && (fresh == 0 || got.fresh < fresh) {
			fresh = got.fresh
		}
		next := got.next
		switch {
		case len(items) > maxItems || len(items) == maxItems && next != "":
			return items[:maxItems], []*domain.Error{section.cutShort("too_many", "names more than "+strconv.Itoa(maxItems))}, nil
		case got.lost != nil:
			return items, []*domain.Error{section.lostPage(got.lost)}, nil
		case next == "":
			return items, nil, nil
		case seen[next]:
			return items, []*domain.Error{section.cutShort("stuck_cursor", "repeats a page of its")}, nil
		}
		seen[next] = true
		cursor = next
	}
	return items, []*domain.Error{section.cutShort("too_many_pages", "has more than "+strconv.Itoa(maxPages)+" pages of")}, nil
}

// page is what one answer gives of a list.
type page struct {
	items []json.RawMessage
	next  string          // the cursor of the page after it; empty: it is the last
	lost  json.RawMessage // what stands in the place of a cursor and is none
	fresh time.Duration
}

func (s *Session) page(ctx context.Context, section Section, cursor string) (page, error) {
	ctx, cancel := context.WithTimeout(ctx, s.options.PageTime)
	defer cancel()
	params := json.RawMessage("{}")
	if cursor != "" {
		params = encoded(map[string]string{"cursor": cursor})
	}
	raw, err := s.request(ctx, section.method, params)
	if err != nil {
		return page{}, err
	}
	var p page
	members, err := jsonrpc.Members(raw, jsonrpc.Limits{Size: int64(len(raw)) + 1})
	if err == nil && members[section.member] != nil {
		err = json.Unmarshal(members[section.member], &p.items)
	}
	if err == nil {
		p.next, p.lost = cursorOf(members["nextCursor"])
		p.fresh = freshness(members)
		return p, nil
	}
	return page{}, &domain.Error{
		Code: domain.CodeProtocol, Message: "The server's list of " + section.Capability + " is malformed.",
		Hint: "Report this to the makers of the server.", Proof: err.Error(), Cause: err,
		Args: map[string]string{"section": section.Capability},
	}
}

// cursorOf reads a cursor, or else gives what cannot be one.
func cursorOf(raw json.RawMessage) (next string, lost json.RawMessage) {
	next, ok := textOf(raw)
	if !ok && raw != nil {
		lost = raw
	}
	return next, lost
}

func (s Section) lostPage(cursor json.RawMessage) *domain.Error {
	const enough = 100
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server names the next page of its " + s.Capability + " by something that is no text; the list was cut short.",
		Hint: "Report this to the makers of the server.", Proof: "nextCursor: " + string(cursor[:min(len(cursor), enough)]),
		Args: map[string]string{"section": s.Capability},
	}
}

func (s Section) cutShort(reason, what string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The server " + what + " " + s.Capability + "; the list was cut short.",
		Hint: "Report this to the makers of the server.", Args: map[string]string{"section": s.Capability, "reason": reason},
	}
}
