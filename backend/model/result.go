package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// result is MCP's CreateMessageResult.
type result struct {
	Role       string `json:"role"`
	Content    any    `json:"content"` // one block, or several
	Model      string `json:"model"`
	StopReason string `json:"stopReason,omitempty"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type toolUseBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// resultOf puts an answer in MCP's words. A single block stands alone, as revisions before 2025-11-25 want it.
func resultOf(answer chatAnswer, stops []string, names toolNames) (result, error) {
	if len(answer.Choices) == 0 {
		return result{}, errors.New("it holds no choice")
	}
	choice := answer.Choices[0]
	var content []any
	text, err := textOf(choice.Message)
	if err != nil {
		return result{}, err
	}
	if text != "" {
		content = append(content, textBlock{typeText, text})
	}
	for i, call := range choice.Message.ToolCalls {
		use, err := toolUse(call, i, names)
		if err != nil {
			return result{}, err
		}
		content = append(content, use)
	}
	if len(content) == 0 && !choice.Message.hasContent() && choice.FinishReason == "" {
		return result{}, errors.New("its choice holds no message")
	}
	r := result{Role: "assistant", Content: content, Model: plain(string(answer.Model)), StopReason: stopReason(choice, stops)}
	switch len(content) {
	case 0:
		r.Content = textBlock{Type: typeText}
	case 1:
		r.Content = content[0]
	}
	return r, nil
}

// textOf is what a message says. Some endpoints send its content as a list of parts, with the model's thoughts among them,
// which are not for the server.
func textOf(m chatSaid) (string, error) {
	if !m.hasContent() {
		return string(m.Refusal), nil
	}
	var said string
	if json.Unmarshal(m.Content, &said) == nil {
		return cmp.Or(said, string(m.Refusal)), nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return "", errors.New("its content is neither a text nor a list of parts")
	}
	var text strings.Builder
	for _, part := range parts {
		switch part.Type {
		case typeText:
			text.WriteString(part.Text)
		case "thinking", "reasoning":
		default:
			return "", errors.New("its content has a part of type " + part.Type)
		}
	}
	return text.String(), nil
}

func toolUse(call chatCall, at int, names toolNames) (toolUseBlock, error) {
	input, err := object([]byte(call.Function.Arguments))
	if err != nil || call.Function.Name == "" {
		return toolUseBlock{}, fmt.Errorf("its call of a tool has no name, or its arguments are no object: %s", call.Function.Arguments)
	}
	use := toolUseBlock{typeToolUse, string(call.ID), string(call.Function.Name), json.RawMessage(input)}
	if known, ok := names.known[use.Name]; ok {
		use.Name = known
	}
	if use.ID == "" {
		use.ID = "call_" + strconv.Itoa(at+1) // some endpoints give none, and MCP needs one
	}
	return use, nil
}

// stopReason says in MCP's words why the text ended, and in the endpoint's own where MCP has none. That a stop sequence
// was met is known only of endpoints that say which, as vLLM does.
func stopReason(choice chatChoice, stops []string) string {
	var met string
	_ = json.Unmarshal(choice.StopReason, &met) // a number, or nothing, is none of them
	switch {
	case len(choice.Message.ToolCalls) > 0:
		return "toolUse"
	case !choice.Message.saysSomething() && choice.Message.Refusal != "":
		return "refusal"
	case choice.FinishReason == "stop" && met != "" && slices.Contains(stops, met):
		return "stopSequence"
	case choice.FinishReason == "stop":
		return "endTurn"
	case choice.FinishReason == "length":
		return "maxTokens"
	}
	return plain(string(choice.FinishReason))
}

// hasContent holds for a message whose content is there, even if it is empty.
func (m chatSaid) hasContent() bool { return len(m.Content) > 0 && string(m.Content) != "null" }

// saysSomething holds for one whose content is not the empty text.
func (m chatSaid) saysSomething() bool { return m.hasContent() && string(m.Content) != `""` }
