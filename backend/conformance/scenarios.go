package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

// play does what a scenario asks for. What has no part of its own here connects and lists, which every client does.
func (p *product) play(ctx context.Context, scenario, address string, given json.RawMessage) error {
	if strings.HasPrefix(scenario, "auth/") {
		return p.playSignIn(ctx, scenario, address, given)
	}
	if err := p.connect(ctx, address, nil); err != nil {
		return err
	}
	switch scenario {
	case "tools_call":
		return p.tool(ctx, "add_numbers", `{"a":5,"b":3}`)
	case "elicitation-sep1034-client-defaults":
		return p.callAll(ctx)
	case "sse-retry":
		return p.tool(ctx, "test_reconnection", `{}`)
	case "sep-2322-client-request-state":
		return p.inTurn(ctx, "test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state", "test_mrtr_no_result_type")
	case "http-standard-headers":
		return p.useEverything(ctx)
	case "http-custom-headers":
		return p.callGiven(ctx, given)
	case "http-invalid-tool-headers":
		return p.callAll(ctx)
	case "json-schema-2020-12-preservation":
		return p.echoSchema(ctx)
	case "sep-2640-client-no-prefetch":
		_, err := p.skills(ctx)
		return err
	case "sep-2640-client-verify-digest", "sep-2640-client-verify-size", "sep-2640-client-verify-frontmatter":
		return p.loadSkills(ctx)
	}
	return nil
}

func (p product) skills(ctx context.Context) ([]domain.Skill, error) {
	var list api.SkillList
	err := p.request(ctx, http.MethodGet, p.path("skills"), nil, &list)
	return list.Skills, err
}

// loadSkills reads the files of every skill, and stops at the first that cannot be had.
func (p product) loadSkills(ctx context.Context) error {
	skills, err := p.skills(ctx)
	for _, skill := range skills {
		for _, file := range skill.Files {
			if err := p.call(ctx, domain.ResourceRead, file.URI, nil); err != nil {
				return err
			}
		}
	}
	return err
}

func (p product) tools(ctx context.Context) ([]domain.Tool, error) {
	var list struct{ Tools []domain.Tool }
	err := p.request(ctx, http.MethodGet, p.path("tools"), nil, &list)
	return list.Tools, err
}

func (p product) inTurn(ctx context.Context, tools ...string) error {
	for _, tool := range tools {
		if err := p.tool(ctx, tool, `{}`); err != nil {
			return fmt.Errorf("%s: %w", tool, err)
		}
	}
	return nil
}

// callAll calls every tool that the product offers, with a text for each argument that is needed.
func (p product) callAll(ctx context.Context) error {
	tools, err := p.tools(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, tool := range tools {
		arguments := map[string]string{}
		var schema struct {
			Required []string `json:"required"`
		}
		if err := json.Unmarshal(tool.InputSchema, &schema); err != nil {
			return err
		}
		for _, name := range schema.Required {
			arguments[name] = "value"
		}
		raw, err := json.Marshal(arguments)
		if err == nil {
			err = p.tool(ctx, tool.Name, string(raw))
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", tool.Name, err))
		}
	}
	return errors.Join(failed...)
}

// callGiven makes the calls that the suite names.
func (p product) callGiven(ctx context.Context, given json.RawMessage) error {
	var calls struct {
		ToolCalls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"toolCalls"`
	}
	if err := json.Unmarshal(given, &calls); err != nil {
		return fmt.Errorf("read %s: %w", contextVariable, err)
	}
	for _, call := range calls.ToolCalls {
		if err := p.tool(ctx, call.Name, string(call.Arguments)); err != nil {
			return fmt.Errorf("%s: %w", call.Name, err)
		}
	}
	return nil
}

// useEverything calls a tool, reads a resource and gets a prompt.
func (p product) useEverything(ctx context.Context) error {
	tools, err := p.tools(ctx)
	if err != nil {
		return err
	}
	var resources api.ResourceList
	var prompts api.PromptList
	err = first(
		p.request(ctx, http.MethodGet, p.path("resources"), nil, &resources),
		p.request(ctx, http.MethodGet, p.path("prompts"), nil, &prompts))
	for _, tool := range tools {
		err = first(err, p.tool(ctx, tool.Name, `{}`))
	}
	for _, resource := range resources.Resources {
		err = first(err, p.call(ctx, domain.ResourceRead, resource.URI, nil))
	}
	for _, prompt := range prompts.Prompts {
		err = first(err, p.call(ctx, domain.PromptGet, prompt.Name, nil))
	}
	return err
}

// echoSchema hands the schema of one tool to another, as it was received.
func (p product) echoSchema(ctx context.Context) error {
	tools, err := p.tools(ctx)
	if err != nil {
		return err
	}
	for _, tool := range tools {
		if tool.Name == "json_schema_2020_12_tool" {
			return p.tool(ctx, "json_schema_echo", `{"schema":`+string(tool.InputSchema)+`}`)
		}
	}
	return errors.New("the tool with the schema is not there")
}
