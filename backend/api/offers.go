package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/transport"
)

// ToolList is what may be called; tools that the policy denies are marked, since a person's screen shows them struck out.
type ToolList struct {
	Tools []servers.ToolView `json:"tools"`
}

// ResourceList is what may be read.
type ResourceList struct {
	Resources []domain.Resource `json:"resources"`
	Templates []domain.Resource `json:"templates"`
}

// PromptList is what may be run.
type PromptList struct {
	Prompts []domain.Prompt `json:"prompts"`
}

// SkillList is what a server teaches (SEP-2640).
type SkillList struct {
	Skills []domain.Skill `json:"skills"`
}

// LogPage is a stretch of a server's log. Next is the sequence number to ask after.
type LogPage struct {
	Lines []transport.LogLine `json:"lines"`
	Next  uint64              `json:"next"`
}

// TrafficPage is a stretch of the JSON-RPC traffic of a server, secrets masked.
type TrafficPage struct {
	Frames []transport.Frame `json:"frames"`
	Next   uint64            `json:"next"`
}

type pageOf struct {
	ItemID
	After uint64 `query:"after" doc:"sequence number to start after"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

func (a *API) registerOffers() {
	route(a, http.MethodGet, "/api/tools", "listAllTools", "List the tools of every server", a.allTools)
	route(a, http.MethodGet, "/api/servers/{id}/tools", "listTools", "List the tools of a server", a.tools)
	route(a, http.MethodGet, "/api/servers/{id}/resources", "listResources", "List the resources and templates of a server", a.resources)
	route(a, http.MethodGet, "/api/servers/{id}/prompts", "listPrompts", "List the prompts of a server", a.prompts)
	route(a, http.MethodGet, "/api/servers/{id}/skills", "listSkills", "List the skills of a server", a.skills)
	route(a, http.MethodGet, "/api/servers/{id}/logs", "readLogs", "Read what a server wrote and what happened to it", a.logs)
	route(a, http.MethodGet, "/api/servers/{id}/traffic", "readTraffic", "Read the JSON-RPC traffic of a server", a.traffic)
}

func (a *API) allTools(ctx context.Context, _ *struct{}) (*body[ToolList], error) {
	tools, err := a.Servers.AllTools(principalOf(ctx).Caller)
	if err != nil {
		return nil, err
	}
	return &body[ToolList]{ToolList{Tools: tools}}, nil
}

func (a *API) tools(ctx context.Context, in *ItemID) (*body[ToolList], error) {
	tools, err := a.Servers.Tools(ctx, in.ID, principalOf(ctx).Caller)
	if err != nil {
		return nil, err
	}
	return &body[ToolList]{ToolList{Tools: tools}}, nil
}

func (a *API) resources(ctx context.Context, in *ItemID) (*body[ResourceList], error) {
	resources, templates, err := a.Servers.Resources(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &body[ResourceList]{ResourceList{Resources: resources, Templates: templates}}, nil
}

func (a *API) prompts(ctx context.Context, in *ItemID) (*body[PromptList], error) {
	prompts, err := a.Servers.Prompts(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &body[PromptList]{PromptList{Prompts: prompts}}, nil
}

func (a *API) skills(ctx context.Context, in *ItemID) (*body[SkillList], error) {
	skills, err := a.Servers.Skills(ctx, in.ID, principalOf(ctx).Caller)
	if err != nil {
		return nil, err
	}
	return &body[SkillList]{SkillList{Skills: skills}}, nil
}

func (a *API) logs(_ context.Context, in *pageOf) (*body[LogPage], error) {
	lines, next, err := a.Servers.Logs(in.ID, in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	return &body[LogPage]{LogPage{Lines: lines, Next: next}}, nil
}

func (a *API) traffic(_ context.Context, in *pageOf) (*body[TrafficPage], error) {
	frames, next, err := a.Servers.Traffic(in.ID, in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	return &body[TrafficPage]{TrafficPage{Frames: frames, Next: next}}, nil
}
