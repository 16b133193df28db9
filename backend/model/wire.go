package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// chatRequest is what is asked of /chat/completions, in the words of OpenAI's API as every compatible endpoint reads them.
// What is absent is left out, since zero is a value.
type chatRequest struct {
	Model               string                     `json:"model,omitempty"`
	Messages            []chatMessage              `json:"messages"`
	MaxTokens           *int64                     `json:"max_tokens,omitempty"`
	MaxCompletionTokens *int64                     `json:"max_completion_tokens,omitempty"`
	Temperature         *float64                   `json:"temperature,omitempty"`
	Stop                []string                   `json:"stop,omitempty"`
	Metadata            map[string]json.RawMessage `json:"metadata,omitempty"`
	Tools               []chatTool                 `json:"tools,omitempty"`
	ToolChoice          string                     `json:"tool_choice,omitempty"`
}

// chatMessage is one message. Content is a text or a list of parts; nil for a message that only calls tools.
type chatMessage struct {
	Role       string     `json:"role"`
	Content    any        `json:"content,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
}

// chatPart is a part of a message: a text, a picture or a sound, as Type says.
type chatPart struct {
	Type       string     `json:"type"`
	Text       *string    `json:"text,omitempty"`
	ImageURL   *chatImage `json:"image_url,omitempty"`
	InputAudio *chatAudio `json:"input_audio,omitempty"`
}

type chatImage struct {
	URL string `json:"url"`
}

type chatAudio struct {
	Data   string `json:"data"`
	Format string `json:"format"`
}

// chatCall is a call of a tool that a model makes.
type chatCall struct {
	ID       loose  `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name loose `json:"name"`
		// Arguments are an object as a text of JSON.
		Arguments loose `json:"arguments"`
	} `json:"function"`
}

// chatTool is a tool that a model may call.
type chatTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string                     `json:"name"`
		Description string                     `json:"description,omitempty"`
		Parameters  map[string]json.RawMessage `json:"parameters"`
	} `json:"function"`
}

const function = "function"

// chatAnswer is what /chat/completions gives. Members that nobody needs are not read, so that an endpoint may be wrong in them.
type chatAnswer struct {
	Model   loose        `json:"model"`
	Choices []chatChoice `json:"choices"`
	// Usage is read by tokens: a text is worth having even if its cost is not told as it should be.
	Usage json.RawMessage `json:"usage"`
}

// tokens are what a text cost, 0 where that is no number that can be.
func (a chatAnswer) tokens() (input, output int64) {
	var used struct {
		PromptTokens     json.RawMessage `json:"prompt_tokens"`
		CompletionTokens json.RawMessage `json:"completion_tokens"`
	}
	_ = json.Unmarshal(a.Usage, &used) // an endpoint may count nothing
	return count(used.PromptTokens), count(used.CompletionTokens)
}

// mostTokens is the largest count that is believed: more than any model reads.
const mostTokens = 1e9

func count(raw json.RawMessage) int64 {
	var number float64
	if json.Unmarshal(raw, &number) != nil || number < 0 || number > mostTokens {
		return 0
	}
	return int64(number)
}

type chatChoice struct {
	FinishReason loose `json:"finish_reason"`
	// StopReason is the stop sequence that was met, where an endpoint tells, as vLLM does; else a number or nothing.
	StopReason json.RawMessage `json:"stop_reason"`
	Message    chatSaid        `json:"message"`
}

// chatSaid is what a model says. Its content is a text; some endpoints make it a list of parts.
type chatSaid struct {
	Content   json.RawMessage `json:"content"`
	Refusal   loose           `json:"refusal"`
	ToolCalls []chatCall      `json:"tool_calls"`
}

// loose is a text that may come as any other JSON: then it is that JSON, and null is nothing.
type loose string

// UnmarshalJSON takes whatever there is.
func (l *loose) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case bytes.Equal(raw, []byte("null")):
		return nil
	case bytes.HasPrefix(raw, []byte(`"`)):
		return json.Unmarshal(raw, (*string)(l))
	}
	*l = loose(raw)
	return nil
}

// modelList is what /models gives.
type modelList struct {
	Data []struct {
		ID loose `json:"id"`
	} `json:"data"`
}

// ask puts one question to the endpoint, once: who asked decides whether to ask again. The answer is one that the gate let in.
func (l *line) ask(ctx context.Context, method, path string, question, answer any) error {
	var body bytes.Buffer
	if question != nil {
		if err := json.NewEncoder(&body).Encode(question); err != nil {
			return fmt.Errorf("write the question: %w", err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, l.place.base.JoinPath(path).String(), &body)
	if err != nil {
		return fmt.Errorf("write the question: %w", err)
	}
	if question != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := (&http.Client{Transport: l.gate}).Do(r)
	if err != nil {
		return l.failure(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(answer); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = errors.New("its " + wrong.Field + " is a " + wrong.Value)
		}
		return l.badAnswer(err)
	}
	return nil
}
