package cli

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// decideText shows a text that a server asks for, or that the model gave, and has the person at the terminal decide.
func (in *invocation) decideText(ctx context.Context, c *client, r domain.Request, server servers.View) error {
	in.say("")
	in.say("%s", textRequest(r, server))
	question := "[s]end  [w]ithout showing the answer  [f]or this session  [d]eny: "
	if r.TextFor != "" {
		question = "[g]ive it back  [d]eny: "
	}
	for {
		word, err := in.ask(ctx, question)
		if unanswered(err) {
			return stillWaits(r.ID, err)
		}
		if err != nil {
			return err
		}
		answer, ok := textAnswer(r, word)
		if !ok {
			continue
		}
		_, err = post[domain.Request](ctx, c, at("inbox", r.ID, "answer"), answer)
		if domain.CodeOf(err) == domain.CodeAlreadyAnswered {
			return nil // the first answer wins
		}
		return err
	}
}

func textAnswer(r domain.Request, word string) (answer api.AnswerRequest, ok bool) {
	asks := r.TextFor == ""
	answer = api.AnswerRequest{Approve: true, Scope: domain.ScopeOnce, Review: asks}
	switch word := strings.ToLower(strings.TrimSpace(word)); {
	case word == "d" || word == "deny" || word == "n" || word == "no":
		return api.AnswerRequest{}, true
	case word == "y" || word == "yes" || asks && (word == "s" || word == "send") || !asks && (word == "g" || word == "give"):
		return answer, true
	case asks && (word == "w" || word == "without"):
		answer.Review = false
		return answer, true
	case asks && (word == "f" || word == "session"):
		answer.Scope = domain.ScopeSession
		return answer, true
	}
	return answer, false
}

// prompt is what is read aloud of a request for a text, or of the text; the rest stays JSON.
type prompt struct {
	System   string    `json:"systemPrompt"`
	Messages []message `json:"messages"`
	message
	MaxTokens json.Number `json:"maxTokens"`
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// textRequest is what a person needs to judge a text, whose words are kept from moving the cursor.
func textRequest(r domain.Request, server servers.View) string {
	name := oneLine(nameOf(r, server))
	head := "Request " + r.ID + ": " + name + " asks your model for a text" + inCall(r)
	if r.TextFor != "" {
		head = "Request " + r.ID + ": the text of your model for " + name + ", asked for as request " + r.TextFor
	}
	var p prompt
	if json.Unmarshal(r.Params, &p) != nil {
		return head + "\n" + indent(printable(string(r.Params)), "    ")
	}
	lines := []string{head}
	said := func(role, text string) { lines = append(lines, "  "+oneLine(role), indent(printable(text), "    ")) }
	if p.System != "" {
		said("system", p.System)
	}
	messages := p.Messages
	if len(p.Content) > 0 {
		messages = append(messages, p.message)
	}
	for _, m := range messages {
		said(m.Role, wordsOf(m.Content))
	}
	if p.MaxTokens != "" {
		lines = append(lines, "  length      at most "+oneLine(p.MaxTokens.String())+" tokens")
	}
	if rest := restOf(r.Params); len(rest) > 0 {
		lines = append(lines, "  also", indent(printable(pretty(rest)), "    "))
	}
	if r.Failure != nil {
		lines = append(lines, "  no text     "+string(r.Failure.Code)+": "+oneLine(r.Failure.Message))
	}
	return strings.Join(lines, "\n")
}

// wordsOf is the text of a content block that holds nothing else; any other content is shown as it is.
func wordsOf(content json.RawMessage) string {
	var block map[string]any
	if json.Unmarshal(content, &block) == nil && len(block) == 2 && block["type"] == "text" {
		if text, ok := block["text"].(string); ok {
			return text
		}
	}
	return pretty(content)
}

// restOf is what a text is asked for with, beside what is said.
func restOf(params json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(params, &members) != nil {
		return nil
	}
	for _, said := range []string{"systemPrompt", "messages", "role", "content", "maxTokens", "_meta"} {
		delete(members, said)
	}
	if len(members) == 0 {
		return nil
	}
	rest, err := json.Marshal(members)
	if err != nil {
		return json.RawMessage(strconv.Quote(err.Error()))
	}
	return rest
}
