package main

import (
	"context"
	"encoding/json"
	"net/http"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

// agree answers what comes into the inbox until ctx ends: it accepts every form, says yes to every question in it that has
// no default, and leaves the rest as proposed.
func (p product) agree(ctx context.Context, changes <-chan domain.Event) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case change, ok := <-changes:
			if !ok {
				return nil
			}
			if change.Topic != domain.TopicInbox {
				continue
			}
		}
		var list api.RequestList
		if err := p.request(ctx, http.MethodGet, "/api/inbox?status=waiting", nil, &list); err != nil {
			return err
		}
		for _, r := range list.Requests {
			data, err := yes(r.Params)
			if err != nil {
				return err
			}
			err = p.request(ctx, http.MethodPost, "/api/inbox/"+r.ID+"/answer", api.AnswerRequest{Approve: true, Data: data}, nil)
			if code := domain.CodeOf(err); err != nil && code != domain.CodeAlreadyAnswered && code != domain.CodeApprovalExpired {
				return err
			}
		}
	}
}

// yes is the content of a form.
func yes(params json.RawMessage) (json.RawMessage, error) {
	var form struct {
		Schema struct {
			Properties map[string]struct {
				Type    string          `json:"type"`
				Default json.RawMessage `json:"default"`
			} `json:"properties"`
		} `json:"requestedSchema"`
	}
	if err := json.Unmarshal(params, &form); err != nil {
		return nil, err
	}
	content := map[string]any{}
	for name, field := range form.Schema.Properties {
		if field.Type == "boolean" && field.Default == nil {
			content[name] = true
		}
	}
	return json.Marshal(content)
}
