package api

import (
	"context"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// RootsChange names and takes away folders that a server is told of.
type RootsChange struct {
	Add    []string `json:"add,omitempty"`
	Remove []string `json:"remove,omitempty"`
}

func (a *API) changeRoots(ctx context.Context, in *struct {
	ItemID
	Body RootsChange
},
) (*body[servers.View], error) {
	before := func(server domain.Server) error {
		a.note(ctx, ofServer(server.ID, server.Name, audit.DidRoots)) // it narrows
		return nil
	}
	if len(in.Body.Add) > 0 {
		if err := a.mayWiden(ctx); err != nil {
			return nil, err
		}
		before = a.beforeServer(ctx, audit.DidRoots)
	}
	view, err := a.Servers.ChangeRoots(ctx, in.ID, servers.RootsChange{Add: in.Body.Add, Remove: in.Body.Remove, Before: before})
	if err != nil {
		return nil, err
	}
	return &body[servers.View]{view}, nil
}
