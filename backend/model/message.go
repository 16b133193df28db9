package model

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// message is one of MCP's SamplingMessage.
type message struct {
	Role    string `json:"role"`
	Content blocks `json:"content"`
}

// The types of content.
const (
	typeText         = "text"
	typeImage        = "image"
	typeAudio        = "audio"
	typeToolUse      = "tool_use"
	typeToolResult   = "tool_result"
	typeResource     = "resource"
	typeResourceLink = "resource_link"
)

// block is a content block of any type; Type says which members count.
type block struct {
	Type     string  `json:"type"`
	Text     *string `json:"text"`
	Data     string  `json:"data"`
	MimeType string  `json:"mimeType"`

	ID    string          `json:"id"` // of a tool_use
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`

	ToolUseID         string          `json:"toolUseId"`
	Content           []block         `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
	IsError           bool            `json:"isError"`

	URI      string `json:"uri"` // of a resource_link
	Resource *struct {
		URI  string  `json:"uri"`
		Text *string `json:"text"`
	} `json:"resource"`
}

// chat puts a message in the words of a chat completion: one message, or one for each result of a tool.
func (m message) chat(where string, names toolNames) ([]chatMessage, error) {
	switch {
	case len(m.Content) == 0:
		return nil, unfit(where, "it has no content")
	case m.Role == "assistant":
		return m.assistant(where, names)
	case m.Role != "user":
		return nil, unfit(where, "there is no role \""+plain(m.Role)+"\"")
	case m.Content[0].Type == typeToolResult:
		return m.results(where)
	}
	return m.user(where)
}

func (m message) user(where string) ([]chatMessage, error) {
	if only := m.Content[0]; len(m.Content) == 1 && only.Type == typeText && only.Text != nil {
		return []chatMessage{{Role: "user", Content: *only.Text}}, nil // small endpoints know only this
	}
	parts := make([]chatPart, 0, len(m.Content))
	for i, b := range m.Content {
		part, err := b.part(fmt.Sprintf("%s.content[%d]", where, i))
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return []chatMessage{{Role: "user", Content: parts}}, nil
}

// audioFormat names a MIME type as a chat completion does; empty for one that it does not hold.
func audioFormat(media string) string {
	switch media {
	case "audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave":
		return "wav"
	case "audio/mpeg", "audio/mp3":
		return "mp3"
	}
	return ""
}

// part puts what a user may say.
func (b block) part(where string) (chatPart, error) {
	none := chatPart{}
	media, _, _ := strings.Cut(strings.ToLower(b.MimeType), ";")
	switch b.Type {
	case typeText:
		if b.Text == nil {
			return none, unfit(where, "its text is missing")
		}
		return chatPart{Type: typeText, Text: b.Text}, nil
	case typeImage:
		if b.Data == "" || !strings.HasPrefix(media, "image/") {
			return none, unfit(where, "its data, or the type of image, is missing")
		}
		return chatPart{Type: "image_url", ImageURL: &chatImage{URL: "data:" + media + ";base64," + b.Data}}, nil
	case typeAudio:
		format := audioFormat(media)
		if b.Data == "" || format == "" {
			return none, unfit(where, "a model hears only WAV and MP3, not \""+plain(b.MimeType)+"\"")
		}
		return chatPart{Type: "input_audio", InputAudio: &chatAudio{Data: b.Data, Format: format}}, nil
	case typeToolResult:
		return none, unfit(where, "a message with a tool_result holds nothing else")
	}
	return none, unfit(where, "a user cannot say content of type \""+plain(b.Type)+"\"")
}

func (m message) assistant(where string, names toolNames) ([]chatMessage, error) {
	said := chatMessage{Role: "assistant"}
	var texts []chatPart
	for i, b := range m.Content {
		where := fmt.Sprintf("%s.content[%d]", where, i)
		switch {
		case b.Type == typeText && b.Text != nil:
			texts = append(texts, chatPart{Type: typeText, Text: b.Text})
		case b.Type == typeToolUse:
			input, err := object(b.Input)
			if err != nil || b.ID == "" || b.Name == "" {
				return nil, unfit(where, "its id, its name or the object of its input is missing")
			}
			call := chatCall{ID: loose(b.ID), Type: function}
			call.Function.Name, call.Function.Arguments = loose(names.sent[b.Name]), loose(input)
			said.ToolCalls = append(said.ToolCalls, call)
		default:
			return nil, unfit(where, "a chat completion has no place for content of type \""+plain(b.Type)+"\" from the assistant")
		}
	}
	switch len(texts) {
	case 0:
	case 1:
		said.Content = *texts[0].Text // small endpoints know only this
	default:
		said.Content = texts
	}
	return []chatMessage{said}, nil
}

func (m message) results(where string) ([]chatMessage, error) {
	put := make([]chatMessage, 0, len(m.Content))
	for i, b := range m.Content {
		where := fmt.Sprintf("%s.content[%d]", where, i)
		if b.Type != typeToolResult {
			return nil, unfit(where, "a message with a tool_result holds nothing else")
		}
		text, err := b.resultText(where)
		if err != nil {
			return nil, err
		}
		put = append(put, chatMessage{Role: "tool", Content: text, ToolCallID: b.ToolUseID})
	}
	return put, nil
}

// failed begins the result of a tool that failed: a chat completion has no other place to say so.
const failed = "The tool failed."

// resultText puts the result of a tool as the one text that a chat completion has for it.
func (b block) resultText(where string) (string, error) {
	var texts []string
	if b.IsError {
		texts = append(texts, failed)
	}
	structured := decoded(b.StructuredContent)
	for i, c := range b.Content {
		text, err := c.inResult(fmt.Sprintf("%s.content[%d]", where, i))
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
		if structured != nil && reflect.DeepEqual(structured, decoded([]byte(text))) {
			structured = nil // it is there as text, as MCP recommends
		}
	}
	if structured != nil {
		texts = append(texts, string(b.StructuredContent))
	}
	return strings.Join(texts, "\n"), nil
}

func (b block) inResult(where string) (string, error) {
	switch {
	case b.Type == typeText && b.Text != nil:
		return *b.Text, nil
	case b.Type == typeResourceLink && b.URI != "":
		return strings.TrimSpace(b.Name + " " + b.URI), nil
	case b.Type == typeResource && b.Resource != nil && b.Resource.Text != nil:
		return strings.TrimPrefix(b.Resource.URI+"\n"+*b.Resource.Text, "\n"), nil
	}
	return "", unfit(where, "the result of a tool is told to a model as text, and content of type \""+plain(b.Type)+"\" is none")
}

// decoded is the value of a JSON text, nil for none and for what is no JSON.
func decoded(raw []byte) any {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// checkToolUse refuses conversations that MCP does not allow: each tool_use is answered by a tool_result in the very next
// message, and no tool_result comes without one.
func checkToolUse(messages []message) error {
	open := map[string]bool{}
	for i, m := range messages {
		where := fmt.Sprintf("messages[%d]", i)
		for _, b := range m.Content {
			if b.Type != typeToolResult {
				continue
			}
			if !open[b.ToolUseID] {
				return unfit(where, "a tool_result answers no tool_use of the message before it")
			}
			delete(open, b.ToolUseID)
		}
		if len(open) > 0 {
			return unfit(where, "a tool_use of the message before it has no tool_result")
		}
		for _, b := range m.Content {
			if b.Type == typeToolUse {
				open[b.ID] = true
			}
		}
	}
	if len(open) > 0 {
		return unfit(fmt.Sprintf("messages[%d]", len(messages)-1), "a tool_use has no tool_result")
	}
	return nil
}
