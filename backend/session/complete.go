package session

import (
	"context"
	"encoding/json"

	"apollia.fr/connexions/backend/domain"
)

// maxCompletions bounds what is taken of one answer (MCP 2025-11-25, server/utilities/completion).
const maxCompletions = 100

// Complete asks for the values that an argument of a prompt or of a resource template may have. It fails with
// CodeNotAnnounced when the server completes nothing.
func (s *Session) Complete(ctx context.Context, asked domain.Completion) (domain.Completions, error) {
	if !s.greeting.Announces("completions") {
		return domain.Completions{}, &domain.Error{
			Code: domain.CodeNotAnnounced, Message: "The server completes no arguments.", Hint: "Type the whole value.",
			Args: map[string]string{"section": "completions"},
		}
	}
	ref := map[string]string{"type": "ref/prompt", "name": asked.Prompt}
	if asked.Template != "" {
		ref = map[string]string{"type": "ref/resource", "uri": asked.Template}
	}
	params := map[string]any{"ref": ref, "argument": map[string]string{"name": asked.Argument, "value": asked.Value}}
	if len(asked.Given) > 0 {
		params["context"] = map[string]any{"arguments": asked.Given}
	}
	raw, err := s.request(ctx, "completion/complete", encoded(params))
	if err != nil {
		return domain.Completions{}, callFailed(domain.Call{Kind: domain.PromptGet, Name: asked.Prompt}, err)
	}
	var said struct {
		Completion struct {
			Values  []string `json:"values"`
			Total   *int     `json:"total"`
			HasMore bool     `json:"hasMore"`
		} `json:"completion"`
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return domain.Completions{}, &domain.Error{
			Code: domain.CodeProtocol, Message: "The server's completion cannot be understood.",
			Hint: "Report this to the makers of the server.", Proof: err.Error(), Cause: err, Args: map[string]string{"reason": "completion"},
		}
	}
	found := domain.Completions{Values: said.Completion.Values, Total: said.Completion.Total, More: said.Completion.HasMore}
	if len(found.Values) > maxCompletions {
		found.Values, found.More = found.Values[:maxCompletions], true
	}
	if found.Values == nil {
		found.Values = []string{}
	}
	return found, nil
}
