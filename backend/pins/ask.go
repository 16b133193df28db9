package pins

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
)

// ask files a request for each tool that is held, but for those that a person has just kept blocked.
func (b *Book) ask(server string, p *page, held map[string]changedTool) error {
	if len(held) == 0 {
		return nil
	}
	answered, err := b.answered(server)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(held)) {
		change := held[name]
		last, known := answered[name]
		kept := known && last.Status == domain.RequestDenied && last.DefinitionDigest == change.digest
		if kept || len(p.waiting) >= mostFiled {
			continue
		}
		if _, err := b.file(server, p, change); err != nil {
			return err
		}
	}
	b.changed(server)
	return nil
}

// answered are the last requests of a server that a person answered, by tool.
func (b *Book) answered(server string) (map[string]domain.Request, error) {
	list, err := b.options.Requests(domain.RequestFilter{Server: server, Answered: true})
	if err != nil {
		return nil, err
	}
	last := make(map[string]domain.Request)
	for _, r := range list { // newest first
		if _, known := last[r.Tool]; Concerns(r) && r.Answer != nil && !known {
			last[r.Tool] = r
		}
	}
	return last, nil
}

// file asks a person about one tool. Its standing approvals end before.
func (b *Book) file(server string, p *page, change changedTool) (domain.Request, error) {
	if waits, ok := p.waiting[change.tool.Name]; ok {
		return waits, nil
	}
	ended, err := b.options.EndApprovals(server, change.tool.Name)
	if err != nil {
		return domain.Request{}, fmt.Errorf("end the approvals of a changed tool: %w", err)
	}
	params, err := json.Marshal(domain.DefinitionChange{
		Before: change.before, After: seenOf(change.tool, change.version), Scheme: domain.DigestScheme, Ended: ended,
	})
	if err != nil {
		return domain.Request{}, fmt.Errorf("write a changed definition: %w", err)
	}
	r, err := b.options.Desk.File(domain.Request{
		Kind: domain.DefinitionRequest, Server: server, Tool: change.tool.Name, Params: params,
		Caller:   domain.Caller{Kind: domain.CallerServer, Name: server, User: domain.LocalUser},
		CallKind: domain.ToolCall, DefinitionDigest: change.digest, Effect: change.tool.Effect,
		Decision: domain.Decision{Verdict: domain.Deny, Because: policy.HeldDefinition, Risk: domain.MediumRisk, Steps: []domain.DecisionStep{}},
	})
	if err != nil {
		return r, fmt.Errorf("ask about a changed tool: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p.waiting[change.tool.Name] = short(r)
	return r, nil
}

// withdraw takes back the questions that are not to stay.
func (b *Book) withdraw(p *page, stays func(domain.Request) bool) error {
	for tool, r := range p.waiting {
		if stays(r) {
			continue
		}
		if err := b.options.Desk.Lapse(r.ID); err != nil {
			return fmt.Errorf("take a question back: %w", err)
		}
		b.mu.Lock()
		delete(p.waiting, tool)
		b.mu.Unlock()
	}
	return nil
}

// Review asks a person about a tool that is held, also about one that was kept blocked. It gives the id of the
// request that waits; CodeUnknownItem for a tool that is not held.
func (b *Book) Review(server domain.Server, version string, tool domain.Tool) (string, error) {
	b.changing.Lock()
	defer b.changing.Unlock()
	p, err := b.page(server.ID)
	if err != nil {
		return "", err
	}
	held, err := b.sort(server, p, version, []domain.Tool{tool})
	if err != nil {
		return "", err
	}
	change, ok := held[tool.Name]
	if !ok {
		return "", &domain.Error{
			Code: domain.CodeUnknownItem, Message: fmt.Sprintf("%s of %s is as it was accepted", tool.Name, server.Name),
			Hint: "There is nothing to look at.", Args: map[string]string{"server": server.ID, "tool": tool.Name},
		}
	}
	defer b.changed(server.ID)
	r, err := b.file(server.ID, p, change)
	return r.ID, err
}

// Settle does what a person answered: an accepted definition becomes the one that later ones are compared with, a refused
// one stays held.
func (b *Book) Settle(r domain.Request) error {
	b.changing.Lock()
	defer b.changing.Unlock()
	p, err := b.page(r.Server)
	if err != nil {
		return err
	}
	if r.Status == domain.RequestApproved {
		if err := b.accept(r, p); err != nil {
			return fmt.Errorf("keep the accepted definition: %w", err)
		}
	}
	b.mu.Lock()
	if p.waiting[r.Tool].ID == r.ID {
		delete(p.waiting, r.Tool)
	}
	b.mu.Unlock()
	b.changed(r.Server)
	return nil
}

func (b *Book) accept(r domain.Request, p *page) error {
	var change domain.DefinitionChange
	if err := json.Unmarshal(r.Params, &change); err != nil {
		return err
	}
	kept, _, err := b.options.Records.Pins(r.Server)
	if err != nil {
		return err
	}
	kept = slices.DeleteFunc(kept, func(pin domain.Pin) bool { return pin.Tool == r.Tool })
	kept = append(kept, domain.Pin{Tool: r.Tool, Digest: r.DefinitionDigest, Scheme: change.Scheme, Seen: change.After, At: r.Answer.At})
	if err := b.keep(r.Server, p, kept); err != nil {
		return err
	}
	return b.options.Desk.Spend(r.ID)
}
