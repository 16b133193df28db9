package api

import (
	"context"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// ToolName names a tool of the server in the path.
type ToolName struct {
	Tool string `json:"tool" minLength:"1"`
}

func (a *API) getDefinitionChange(_ context.Context, in *ItemID) (*body[servers.DefinitionChange], error) {
	r, err := a.Inbox.Get(in.ID)
	if err != nil {
		return nil, err
	}
	change, err := a.Servers.DefinitionChange(r)
	if err != nil {
		return nil, err
	}
	return &body[servers.DefinitionChange]{change}, nil
}

// reviewTool only puts a question into the inbox; the answer is what widens.
func (a *API) reviewTool(ctx context.Context, in *struct {
	ItemID
	Body ToolName
},
) (*body[domain.Request], error) {
	id, err := a.Servers.ReviewTool(in.ID, in.Body.Tool)
	if err != nil {
		return nil, err
	}
	return a.getRequest(ctx, &ItemID{id})
}
