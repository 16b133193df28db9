package toolbox

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

func (t *Toolbox) listResources(ctx context.Context, use Use, in ofServer) ActionResult {
	if _, err := t.seen(use.Caller, in.Server); err != nil {
		return failed("", err)
	}
	list, err := t.Readings.Resources(ctx, use.Caller, in.Server)
	if err != nil {
		return failed(SourceOf(in.Server), err)
	}
	return listOf(t, in, list, func(r domain.Resource) Resource {
		return Resource{URI: r.URI, Name: r.Name, Description: blurb(r.Description, r.Title), MIMEType: r.MIMEType}
	})
}

func (t *Toolbox) listPrompts(ctx context.Context, use Use, in ofServer) ActionResult {
	if _, err := t.seen(use.Caller, in.Server); err != nil {
		return failed("", err)
	}
	list, err := t.Readings.Prompts(ctx, use.Caller, in.Server)
	if err != nil {
		return failed(SourceOf(in.Server), err)
	}
	return listOf(t, in, list, func(p domain.Prompt) ListedPrompt {
		arguments := append([]domain.PromptArgument{}, p.Arguments...)
		for i := range arguments {
			arguments[i].Title, arguments[i].Description = "", blurb(arguments[i].Description, arguments[i].Title)
		}
		return ListedPrompt{p.Name, blurb(p.Description, p.Title), arguments}
	})
}

// blurb is what a list shows of a description.
func blurb(description, title string) string {
	return Offered{Tool: domain.Tool{Description: description, Title: title}}.Blurb()
}

// ListedPrompt is a prompt of one server.
type ListedPrompt struct {
	Name        string                  `json:"name"`
	Description string                  `json:"description"`
	Arguments   []domain.PromptArgument `json:"arguments"`
}

// Content is what reading a resource came to: its texts, one below the other, and what of it is no text.
type Content struct {
	Content   string     `json:"content"`
	Resources []Resource `json:"resources,omitempty"`
}

func (t *Toolbox) readResource(ctx context.Context, use Use, in struct {
	Server string `json:"server_id"`
	URI    string `json:"uri"`
},
) ActionResult {
	result, refused := t.reach(ctx, use, domain.Call{Kind: domain.ResourceRead, Server: in.Server, Name: in.URI}, map[string]any{"uri": in.URI})
	if refused != nil {
		return *refused
	}
	var read struct {
		Contents []json.RawMessage `json:"contents"`
	}
	err := json.Unmarshal(result.Raw, &read)
	embedded := make([]map[string]any, len(read.Contents)) // as the result of a tool holds them
	for i, content := range read.Contents {
		embedded[i] = map[string]any{"type": "resource", "resource": content}
	}
	data := Data{}
	if err == nil {
		data.Content, err = json.Marshal(embedded)
	}
	if err != nil {
		return failed(SourceOf(in.Server), err)
	}
	data.read()
	var texts []string
	data.Resources = slices.DeleteFunc(data.Resources, func(r Resource) bool {
		if r.Blob == "" {
			texts = append(texts, r.Text)
		}
		return r.Blob == ""
	})
	data.Output = strings.Join(texts, "\n")
	out := done(nil)
	out.Metadata.Source, out.Metadata.CacheHit = SourceOf(in.Server), result.Meta.CacheHit
	out.Metadata.Cut = t.shelf.shorten(use.Caller, &data, t.Longest)
	out.Data = Content{data.Output, data.Resources}
	return out
}

// Filled is a prompt that is filled in. One that is too long has no messages, and their JSON, cut, in Output.
type Filled struct {
	Messages []Message `json:"messages"`
	Output   string    `json:"output,omitempty"`
}

// Message is one of a prompt. Content is its text, or the content block as the server sent it where that is no text.
type Message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

func (t *Toolbox) getPrompt(ctx context.Context, use Use, in struct {
	Server    string          `json:"server_id"`
	Prompt    string          `json:"prompt_name"`
	Arguments json.RawMessage `json:"arguments"`
},
) ActionResult {
	params := map[string]any{"name": in.Prompt}
	if len(present(in.Arguments)) > 0 {
		params["arguments"] = in.Arguments
	}
	result, refused := t.reach(ctx, use, domain.Call{Kind: domain.PromptGet, Server: in.Server, Name: in.Prompt}, params)
	if refused != nil {
		return *refused
	}
	var got struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(result.Raw, &got); err != nil {
		return failed(SourceOf(in.Server), err)
	}
	filled := Filled{Messages: []Message{}}
	for _, m := range got.Messages {
		message := Message{m.Role, m.Content}
		var b block
		if json.Unmarshal(m.Content, &b) == nil && b.Type == "text" {
			message.Content = b.Text
		}
		filled.Messages = append(filled.Messages, message)
	}
	out := done(nil)
	out.Metadata.Source = SourceOf(in.Server)
	whole, err := json.Marshal(filled.Messages)
	if err != nil {
		return failed(SourceOf(in.Server), err)
	}
	data := Data{Output: string(whole)}
	if out.Metadata.Cut = t.shelf.shorten(use.Caller, &data, t.Longest); out.Metadata.Cut != nil {
		filled = Filled{[]Message{}, data.Output}
	}
	out.Data = filled
	return out
}

// reach makes a call that is none of a tool, through the whole pipeline, or gives the result that says why it was not made.
func (t *Toolbox) reach(ctx context.Context, use Use, call domain.Call, params map[string]any) (domain.Result, *ActionResult) {
	_, err := t.seen(use.Caller, call.Server)
	if err == nil {
		call.Params, err = json.Marshal(params)
	}
	if err != nil {
		refused := failed("", err)
		return domain.Result{}, &refused
	}
	call.Caller, call.Turn, call.Wait, call.Sink = use.Caller, use.Turn, use.Wait, use.Sink
	result, err := t.Call(ctx, call)
	if err != nil {
		refused := t.refused(ctx, use.Caller, Offered{Tool: domain.Tool{Server: call.Server}, Source: SourceOf(call.Server)}, err)
		return domain.Result{}, &refused
	}
	return result, nil
}
