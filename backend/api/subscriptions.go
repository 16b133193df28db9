package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/domain"
)

// SubscriptionList is the resources of a server that are followed.
type SubscriptionList struct {
	Subscriptions []domain.Subscription `json:"subscriptions"`
}

// ResourceRef names a resource.
type ResourceRef struct {
	URI string `json:"uri"`
}

// LogLevel is from where on a server sends log messages.
type LogLevel struct {
	Level string `json:"level" enum:"debug,info,notice,warning,error,critical,alert,emergency"`
}

func (a *API) registerSubscriptions() {
	route(a, http.MethodGet, "/api/servers/{id}/subscriptions", "listSubscriptions", "List the resources of a server that are followed", a.subscriptions)
	route(a, http.MethodPut, "/api/servers/{id}/subscriptions", "subscribe", "Follow a resource", a.subscribe)
	route(a, http.MethodDelete, "/api/servers/{id}/subscriptions", "unsubscribe", "Follow a resource no longer", a.unsubscribe)
	route(a, http.MethodPost, "/api/servers/{id}/complete", "complete", "Propose values for an argument of a prompt or a template", a.complete)
	route(a, http.MethodPut, "/api/servers/{id}/log-level", "setLogLevel", "Say from which level on a server sends log messages", a.setLogLevel)
}

func (a *API) subscriptions(_ context.Context, in *ItemID) (*body[SubscriptionList], error) {
	list, err := a.Servers.Subscriptions(in.ID)
	if err != nil {
		return nil, err
	}
	return &body[SubscriptionList]{SubscriptionList{Subscriptions: list}}, nil
}

func (a *API) subscribe(ctx context.Context, in *struct {
	ItemID
	Body ResourceRef
},
) (*body[SubscriptionList], error) {
	if err := a.Servers.Subscribe(ctx, in.ID, in.Body.URI); err != nil {
		return nil, err
	}
	return a.subscriptions(ctx, &in.ItemID)
}

func (a *API) unsubscribe(ctx context.Context, in *struct {
	ItemID
	URI string `query:"uri" required:"true"`
},
) (*body[SubscriptionList], error) {
	if err := a.Servers.Unsubscribe(ctx, in.ID, in.URI); err != nil {
		return nil, err
	}
	return a.subscriptions(ctx, &in.ItemID)
}

func (a *API) complete(ctx context.Context, in *struct {
	ItemID
	Body domain.Completion
},
) (*body[domain.Completions], error) {
	found, err := a.Servers.Complete(ctx, in.ID, in.Body)
	if err != nil {
		return nil, err
	}
	return &body[domain.Completions]{found}, nil
}

func (a *API) setLogLevel(ctx context.Context, in *struct {
	ItemID
	Body LogLevel
},
) (*done, error) {
	return &done{}, a.Servers.SetLogLevel(ctx, in.ID, in.Body.Level)
}
