package pins

import (
	"fmt"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

// mostFiled bounds how many requests of one server wait at a time. A tool beyond it is held all the same, and asked about
// when a person looks at it: see Review.
const mostFiled = 50

// Listed hears what a server says its tools are now, each time that it was listed to the end. It accepts the first list,
// asks about tools that became others, and takes questions back that are over.
func (b *Book) Listed(server domain.Server, version string, tools []domain.Tool) error {
	b.changing.Lock()
	defer b.changing.Unlock()
	p, err := b.page(server.ID)
	if err != nil {
		return fmt.Errorf("read the accepted definitions: %w", err)
	}
	tools = firstOfEach(tools)
	if !p.known {
		if len(tools) == 0 {
			return nil // nothing to accept yet
		}
		return b.first(server.ID, p, version, tools)
	}
	held, err := b.sort(server, p, version, tools)
	if err != nil {
		return err
	}
	if err := b.withdraw(p, func(r domain.Request) bool { return held[r.Tool].digest == r.DefinitionDigest }); err != nil {
		return err
	}
	return b.ask(server.ID, p, held)
}

// changedTool is a tool that is held, with its digest and what was accepted of it.
type changedTool struct {
	tool    domain.Tool
	digest  string
	version string
	before  *domain.Seen
}

// sort accepts the tools that need no person, and gives those that are held.
func (b *Book) sort(server domain.Server, p *page, version string, tools []domain.Tool) (map[string]changedTool, error) {
	held := make(map[string]changedTool)
	var fresh []domain.Pin
	for _, tool := range tools {
		digest := tool.Digest()
		b.mu.RLock()
		holds, pinned := p.holds(server, tool.Name, digest), p.accepted[tool.Name] != ""
		b.mu.RUnlock()
		switch {
		case holds:
			held[tool.Name] = changedTool{tool: tool, digest: digest, version: version}
		case !pinned:
			fresh = append(fresh, b.pinOf(tool, digest, version))
		}
	}
	if len(held)+len(fresh) == 0 {
		return held, nil
	}
	kept, _, err := b.options.Records.Pins(server.ID)
	if err != nil {
		return nil, err
	}
	for _, pin := range kept {
		if change, ok := held[pin.Tool]; ok {
			change.before = &pin.Seen
			held[pin.Tool] = change
		}
	}
	if len(fresh) == 0 {
		return held, nil
	}
	return held, b.keep(server.ID, p, append(kept, fresh...))
}

func firstOfEach(tools []domain.Tool) []domain.Tool {
	seen := make(map[string]bool, len(tools))
	return slices.DeleteFunc(slices.Clone(tools), func(t domain.Tool) bool {
		again := seen[t.Name]
		seen[t.Name] = true
		return again
	})
}

func (b *Book) first(server string, p *page, version string, tools []domain.Tool) error {
	pinned := make([]domain.Pin, 0, len(tools))
	for _, tool := range firstOfEach(tools) {
		pinned = append(pinned, b.pinOf(tool, tool.Digest(), version))
	}
	return b.keep(server, p, pinned)
}

// Begin is for a server that a person has just added, with the tools that the person saw at its test; none where there
// was no test. Whatever was accepted of another server of that id counts no longer.
func (b *Book) Begin(server, version string, tools []domain.Tool) error {
	b.changing.Lock()
	defer b.changing.Unlock()
	p, err := b.forget(server)
	if err != nil || len(tools) == 0 {
		return err
	}
	return b.first(server, p, version, tools)
}

// Forget is for a server that is gone for good.
func (b *Book) Forget(server string) error {
	b.changing.Lock()
	defer b.changing.Unlock()
	_, err := b.forget(server)
	return err
}

// forget takes everything about a server back. The caller holds changing.
func (b *Book) forget(server string) (*page, error) {
	p, err := b.page(server)
	if err != nil {
		return nil, err
	}
	if err := b.withdraw(p, func(domain.Request) bool { return false }); err != nil {
		return nil, err
	}
	if !p.known {
		return p, nil
	}
	if err := b.options.Records.DeletePins(server); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p.accept(server, nil, false)
	return p, nil
}

// Withdraw takes the questions about a server back, since it is gone for now. What was accepted stays.
func (b *Book) Withdraw(server string) error {
	b.changing.Lock()
	defer b.changing.Unlock()
	p, err := b.page(server)
	if err != nil {
		return err
	}
	return b.withdraw(p, func(domain.Request) bool { return false })
}
