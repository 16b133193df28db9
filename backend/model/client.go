package model

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// How long an endpoint may take. A text may take minutes on a computer without a graphics card.
const (
	listTime = 15 * time.Second
	textTime = 5 * time.Minute
)

// Options say which endpoint is asked, and how it is reached. BaseURL, Name and Keys are required.
type Options struct {
	// BaseURL is the address in force, such as http://127.0.0.1:11434/v1; empty when none is set.
	BaseURL func() string
	// Name is the model in force; empty when none is set.
	Name func() string
	// Keys keeps the key of the endpoint.
	Keys KeyStore
	// Proxy names the proxy for an address, nil for none; a nil function means no proxy ever.
	Proxy func(*url.URL) (*url.URL, error)
	// Authorities are those that sign endpoints; a nil function, or nil of it, means the system's.
	Authorities func() (*x509.CertPool, error)
	// ListTime and TextTime are how long a list of models and a text may take; 0 means 15 s and 5 min.
	ListTime, TextTime time.Duration
	// Now is the clock of the measured times; nil means the system's.
	Now func() time.Time
}

// Client asks the endpoint that the settings name at the time. It holds no connection between two questions.
type Client struct{ options Options }

// New makes a client. Nothing is asked yet.
func New(o Options) *Client {
	if o.ListTime == 0 {
		o.ListTime = listTime
	}
	if o.TextTime == 0 {
		o.TextTime = textTime
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{o}
}

// Used says what a text cost, and what of the request the endpoint was not told.
type Used struct {
	// Model is the one that answered, as the endpoint names it.
	Model string `json:"model"`
	// InputTokens and OutputTokens are 0 where the endpoint does not count.
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	// Ignored names the members of the request that a chat completion has no place for and that MCP lets a client
	// ignore, such as includeContext and the priorities of modelPreferences.
	Ignored []string `json:"ignored,omitempty"`
}

// CreateMessage has the endpoint answer the params of a sampling/createMessage, and gives the result to send back.
// Whatever changes the meaning of the request and has no place in a chat completion is an error, before anything is sent.
//
// Errors: CodeModelNotSet, CodeSamplingUnfit for a request that cannot be put to the endpoint, CodeModelUnreachable,
// CodeModelRefused for an endpoint that does not answer as one, those of the key store, and ctx's own.
func (c *Client) CreateMessage(ctx context.Context, params json.RawMessage) (json.RawMessage, Used, error) {
	wanted, err := readRequest(params)
	if err != nil {
		return nil, Used{}, err
	}
	names := newToolNames(wanted)
	asked, err := wanted.chat(names)
	if err != nil {
		return nil, Used{}, err
	}
	line, err := c.open()
	if err != nil {
		return nil, Used{}, err
	}
	defer line.close()
	if asked.Model, err = c.choose(ctx, line, wanted.hints()); err != nil {
		return nil, Used{}, err
	}
	answer, err := c.complete(ctx, line, asked)
	if err != nil {
		return nil, Used{}, err
	}
	result, err := resultOf(answer, wanted.StopSequences, names)
	if err != nil {
		return nil, Used{}, line.badAnswer(err)
	}
	if result.Model == "" {
		result.Model = asked.Model
	}
	used := Used{Model: string(line.gate.strike([]byte(result.Model))), Ignored: wanted.ignored}
	used.InputTokens, used.OutputTokens = answer.tokens()
	encoded, err := json.Marshal(result)
	return line.gate.strike(encoded), used, err // a key that was written in another way is written in one now
}

// Ready fails as CreateMessage would before anything is sent: nothing reaches the endpoint for it.
func (c *Client) Ready(params json.RawMessage) error {
	wanted, err := readRequest(params)
	if err == nil {
		_, err = wanted.chat(newToolNames(wanted))
	}
	if err != nil {
		return err
	}
	line, err := c.open()
	if err != nil {
		return err
	}
	defer line.close()
	if line.place.name == "" {
		return notSet(reasonNoName)
	}
	return nil
}

// ModelFor names the model that CreateMessage would ask now for these params, so that a person sees it beforehand. It
// fails as CreateMessage does.
func (c *Client) ModelFor(ctx context.Context, params json.RawMessage) (string, error) {
	wanted, err := readRequest(params)
	if err != nil {
		return "", err
	}
	line, err := c.open()
	if err != nil {
		return "", err
	}
	defer line.close()
	return c.choose(ctx, line, wanted.hints())
}

// choose takes the first hint that is part of the name of a model: of the one that is set, else of one that the endpoint
// lists. When no hint fits, or the endpoint lists none, it is the one that is set.
func (c *Client) choose(ctx context.Context, line *line, hints []string) (string, error) {
	name := line.place.name
	if name == "" {
		return "", notSet(reasonNoName)
	}
	if len(hints) == 0 {
		return name, nil
	}
	listed, err := c.list(ctx, line)
	if err != nil && ctx.Err() != nil {
		return "", err
	}
	for _, hint := range hints {
		if fits(name, hint) {
			return name, nil
		}
		for _, model := range listed {
			if fits(model, hint) {
				return model, nil
			}
		}
	}
	return name, nil
}

func fits(model, hint string) bool {
	return strings.Contains(strings.ToLower(model), strings.ToLower(hint))
}

// list names the models of the endpoint, in its order.
func (c *Client) list(ctx context.Context, line *line) ([]string, error) {
	ctx, end := context.WithTimeout(ctx, c.options.ListTime)
	defer end()
	var page modelList
	if err := line.ask(ctx, http.MethodGet, "models", nil, &page); err != nil {
		return nil, err
	}
	if page.Data == nil {
		return nil, line.badAnswer(errors.New("it lists no models"))
	}
	names := make([]string, 0, len(page.Data))
	for _, model := range page.Data {
		// A name that cannot be shown as it stands is none: a person reads it before a text is asked for.
		if name := string(model.ID); name != "" && name == plain(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// complete asks for a text. The length is given as max_tokens, which nearly every endpoint knows; one that refuses the
// word and names its successor is asked again with that.
func (c *Client) complete(ctx context.Context, line *line, asked chatRequest) (answer chatAnswer, err error) {
	ctx, end := context.WithTimeout(ctx, c.options.TextTime)
	defer end()
	err = line.ask(ctx, http.MethodPost, "chat/completions", asked, &answer)
	if refusal, ok := errors.AsType[*refusal](err); ok && strings.Contains(refusal.said, "max_completion_tokens") {
		asked.MaxCompletionTokens, asked.MaxTokens = asked.MaxTokens, nil
		err = line.ask(ctx, http.MethodPost, "chat/completions", asked, &answer)
	}
	return answer, err
}
