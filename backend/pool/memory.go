package pool

import (
	"encoding/json"
	"fmt"

	"apollia.fr/connexions/backend/domain"
)

// rawOffer is an offer as it is remembered: the entries as the server sent them.
type rawOffer struct {
	Tools     []json.RawMessage `json:"tools"`
	Resources []json.RawMessage `json:"resources"`
	Templates []json.RawMessage `json:"templates"`
	Prompts   []json.RawMessage `json:"prompts"`
}

func (p *Pool) recall(serverID string) (Offer, bool) {
	if p.options.Offers == nil {
		return Offer{}, false
	}
	raw, known, err := p.options.Offers.Offer(serverID)
	var kept rawOffer
	if err == nil && known {
		err = json.Unmarshal(raw, &kept)
	}
	if err != nil {
		p.options.Logger.Warn("offer not read", "server", serverID, "err", err)
		return Offer{}, false
	}
	var o Offer
	storeTools(&o, serverID, kept.Tools)
	storeResources(&o, serverID, kept.Resources)
	storeTemplates(&o, serverID, kept.Templates)
	storePrompts(&o, serverID, kept.Prompts)
	return o, known
}

func (p *Pool) save(serverID string, o Offer) {
	if p.options.Offers == nil {
		return
	}
	raw, err := json.Marshal(o.raw())
	if err == nil {
		err = p.options.Offers.SaveOffer(serverID, raw)
	}
	if err != nil {
		// It is only for the time before the next start.
		p.options.Logger.Warn("offer not kept", "server", serverID, "err", err)
	}
}

func (o Offer) raw() rawOffer {
	var kept rawOffer
	for _, v := range o.Tools {
		kept.Tools = append(kept.Tools, v.Raw)
	}
	for _, v := range o.Resources {
		kept.Resources = append(kept.Resources, v.Raw)
	}
	for _, v := range o.Templates {
		kept.Templates = append(kept.Templates, v.Raw)
	}
	for _, v := range o.Prompts {
		kept.Prompts = append(kept.Prompts, v.Raw)
	}
	return kept
}

// Remember keeps what a passed test of a server listed as its offer, until the server itself starts. The report must
// be one of Probe in this process, whose entries still have their raw form.
func (p *Pool) Remember(serverID string, report domain.TestReport) {
	o := Offer{Tools: report.Tools, Resources: report.Resources, Templates: report.Templates, Prompts: report.Prompts}
	p.save(serverID, o)
	if s := p.find(serverID); s != nil {
		s.remember(o)
	}
}

// countText says how much an offer holds, for the log.
func (o Offer) countText() string {
	return fmt.Sprintf("%d tools, %d resources, %d prompts", len(o.Tools), len(o.Resources), len(o.Prompts))
}
