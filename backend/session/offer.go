package session

import (
	"encoding/json"
	"fmt"

	"apollia.fr/connexions/backend/domain"
)

// Offer is what a server offers.
type Offer struct {
	Tools     []domain.Tool
	Resources []domain.Resource
	Templates []domain.Resource
	Prompts   []domain.Prompt
	Skills    []domain.Skill
}

// RawOffer is an offer as it is kept: the entries as the server sent them.
type RawOffer struct {
	Tools     []json.RawMessage `json:"tools"`
	Resources []json.RawMessage `json:"resources"`
	Templates []json.RawMessage `json:"templates"`
	Prompts   []json.RawMessage `json:"prompts"`
	Skills    []json.RawMessage `json:"skills,omitempty"`
}

// Raw is the offer to keep.
func (o Offer) Raw() RawOffer {
	var kept RawOffer
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
	for _, v := range o.Skills {
		kept.Skills = append(kept.Skills, v.Raw)
	}
	return kept
}

// Of reads a kept offer as that of a server.
func (r RawOffer) Of(serverID string) Offer {
	var o Offer
	storeTools(&o, serverID, r.Tools)
	storeResources(&o, serverID, r.Resources)
	storeTemplates(&o, serverID, r.Templates)
	storePrompts(&o, serverID, r.Prompts)
	storeSkills(&o, serverID, r.Skills)
	return o
}

// String says how much an offer holds, for logs.
func (o Offer) String() string {
	return fmt.Sprintf("%d tools, %d resources, %d prompts", len(o.Tools), len(o.Resources), len(o.Prompts))
}
