package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openai/openai-go/v3"
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
func resultOf(answer *openai.ChatCompletion, stops []string, names toolNames) (result, error) {
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
	if len(content) == 0 && !choice.Message.JSON.Content.Valid() && choice.FinishReason == "" {
		return result{}, errors.New("its choice holds no message")
	}
	r := result{Role: "assistant", Content: content, Model: answer.Model, StopReason: stopReason(choice, stops)}
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
func textOf(m openai.ChatCompletionMessage) (string, error) {
	raw := m.JSON.Content.Raw() // the library gives whatever is no text as the JSON that it is
	if raw == "" || raw == "null" || raw[0] == '"' {
		return cmp.Or(m.Content, m.Refusal), nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal([]byte(raw), &parts); err != nil {
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

func toolUse(call openai.ChatCompletionMessageToolCallUnion, at int, names toolNames) (toolUseBlock, error) {
	input, err := object([]byte(call.Function.Arguments))
	if err != nil || call.Function.Name == "" {
		return toolUseBlock{}, fmt.Errorf("its call of a tool has no name, or its arguments are no object: %s", call.Function.Arguments)
	}
	use := toolUseBlock{typeToolUse, call.ID, call.Function.Name, json.RawMessage(input)}
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
func stopReason(choice openai.ChatCompletionChoice, stops []string) string {
	var met string
	_ = json.Unmarshal([]byte(choice.JSON.ExtraFields["stop_reason"].Raw()), &met) // a number, or nothing, is none of them
	switch {
	case len(choice.Message.ToolCalls) > 0:
		return "toolUse"
	case choice.Message.Content == "" && choice.Message.Refusal != "":
		return "refusal"
	case choice.FinishReason == "stop" && met != "" && slices.Contains(stops, met):
		return "stopSequence"
	case choice.FinishReason == "stop":
		return "endTurn"
	case choice.FinishReason == "length":
		return "maxTokens"
	}
	return choice.FinishReason
}
