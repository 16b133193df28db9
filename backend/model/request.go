package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// request is the params of sampling/createMessage, revisions 2025-11-25 and 2026-07-28.
type request struct {
	Messages         []message                  `json:"messages"`
	ModelPreferences *preferences               `json:"modelPreferences"`
	SystemPrompt     string                     `json:"systemPrompt"`
	IncludeContext   string                     `json:"includeContext"`
	Temperature      *float64                   `json:"temperature"`
	MaxTokens        *float64                   `json:"maxTokens"`
	StopSequences    []string                   `json:"stopSequences"`
	Metadata         map[string]json.RawMessage `json:"metadata"`
	Tools            []tool                     `json:"tools"`
	ToolChoice       *struct {
		Mode string `json:"mode"`
	} `json:"toolChoice"`

	// ignored names what is there and is not told to the endpoint.
	ignored []string
}

type preferences struct {
	Hints []struct {
		Name string `json:"name"`
	} `json:"hints"`
	CostPriority         *float64 `json:"costPriority"`
	SpeedPriority        *float64 `json:"speedPriority"`
	IntelligencePriority *float64 `json:"intelligencePriority"`
}

// told are the members of the params that reach the endpoint, or that are for the protocol alone. Any other is one that
// MCP does not know, or that is about a task, which a client without tasks leaves out.
func told() []string {
	return []string{
		"messages", "modelPreferences", "systemPrompt", "includeContext", "temperature", "maxTokens", "stopSequences", "metadata",
		"tools", "toolChoice", "_meta",
	}
}

// readRequest reads params and refuses what MCP does not allow; CodeSamplingUnfit.
func readRequest(params json.RawMessage) (request, error) {
	var r request
	if err := checkNames(params); err != nil {
		return r, err
	}
	if err := json.Unmarshal(params, &r); err != nil {
		return r, unfit("params", plain(err.Error()))
	}
	if len(r.Messages) == 0 {
		return r, unfit("messages", "there is none")
	}
	if r.MaxTokens == nil || *r.MaxTokens < 1 || *r.MaxTokens != math.Trunc(*r.MaxTokens) || *r.MaxTokens > math.MaxInt32 {
		return r, unfit("maxTokens", "it must be a whole number above 0")
	}
	if err := checkToolUse(r.Messages); err != nil {
		return r, err
	}
	err := r.findIgnored(params)
	return r, err
}

// findIgnored lists what the endpoint is not told of.
func (r *request) findIgnored(params json.RawMessage) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(params, &members); err != nil {
		return unfit("params", plain(err.Error()))
	}
	for name := range members {
		if !slices.Contains(told(), name) {
			r.ignored = append(r.ignored, plain(name))
		}
	}
	if r.IncludeContext != "" && r.IncludeContext != "none" {
		r.ignored = append(r.ignored, "includeContext")
	}
	if p := r.ModelPreferences; p != nil {
		for name, value := range map[string]*float64{
			"costPriority": p.CostPriority, "speedPriority": p.SpeedPriority, "intelligencePriority": p.IntelligencePriority,
		} {
			if value != nil {
				r.ignored = append(r.ignored, "modelPreferences."+name)
			}
		}
	}
	slices.Sort(r.ignored)
	return nil
}

// hints are the models that the server would like, best first.
func (r request) hints() []string {
	var names []string
	if r.ModelPreferences != nil {
		for _, hint := range r.ModelPreferences.Hints {
			if hint.Name != "" {
				names = append(names, hint.Name)
			}
		}
	}
	return names
}

// chat puts the request as a chat completion that names no model yet.
func (r request) chat(names toolNames) (chatRequest, error) {
	asked := chatRequest{MaxTokens: new(int64(*r.MaxTokens)), Temperature: r.Temperature, Stop: r.StopSequences}
	if r.SystemPrompt != "" {
		asked.Messages = append(asked.Messages, chatMessage{Role: "system", Content: r.SystemPrompt}) // "developer" is OpenAI's alone
	}
	for i, m := range r.Messages {
		put, err := m.chat(fmt.Sprintf("messages[%d]", i), names)
		if err != nil {
			return asked, err
		}
		asked.Messages = append(asked.Messages, put...)
	}
	asked.Metadata = r.Metadata // the provider's own, as it is
	err := r.putTools(&asked, names)
	return asked, err
}

// putTools offers the tools of the request to the model.
func (r request) putTools(asked *chatRequest, names toolNames) error {
	for i, t := range r.Tools {
		put, err := t.chat(fmt.Sprintf("tools[%d]", i), names)
		if err != nil {
			return err
		}
		asked.Tools = append(asked.Tools, put)
	}
	if r.ToolChoice == nil || r.ToolChoice.Mode == "" {
		return nil
	}
	mode := r.ToolChoice.Mode
	switch {
	case !slices.Contains([]string{"auto", "required", "none"}, mode):
		return unfit("toolChoice.mode", "there is no mode \""+plain(mode)+"\"")
	case len(r.Tools) == 0 && mode == "required":
		return unfit("toolChoice.mode", "a tool is required, and none is given")
	case len(r.Tools) > 0: // endpoints refuse a choice among nothing
		asked.ToolChoice = mode
	}
	return nil
}

// blocks is one content block or several.
type blocks []block

// UnmarshalJSON reads a block, or a list of them.
func (b *blocks) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		return json.Unmarshal(raw, (*[]block)(b))
	}
	*b = make(blocks, 1)
	return json.Unmarshal(raw, &(*b)[0])
}
