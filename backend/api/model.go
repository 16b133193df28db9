package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/model"
)

// keySetting is the setting whose value is the key of the model's endpoint.
const keySetting = "model.key"

// ModelKey is the key of the endpoint that is set.
type ModelKey struct {
	Key string `json:"key"`
}

func (a *API) registerModel() {
	route(a, http.MethodPut, "/api/model/key", "keepModelKey", "Keep the key of the model's endpoint in the secret store", a.keepModelKey)
	route(a, http.MethodDelete, "/api/model/key", "forgetModelKey", "Forget the key of the model's endpoint", a.forgetModelKey)
	route(a, http.MethodPost, "/api/model/check", "checkModel", "Try the connection to the model", a.checkModel)
}

func (a *API) keepModelKey(ctx context.Context, in *struct{ Body ModelKey }) (*body[SettingList], error) {
	if err := a.mayWiden(ctx); err != nil {
		return nil, err
	}
	before := func() error { return a.before(ctx, ofModelKey(audit.DidChange)) }
	if err := a.Model.KeepKey(in.Body.Key, before); err != nil {
		return nil, err
	}
	return a.modelKeyChanged(ctx)
}

func (a *API) forgetModelKey(ctx context.Context, _ *struct{}) (*body[SettingList], error) {
	a.note(ctx, ofModelKey(audit.DidRemove)) // it narrows
	if err := a.Model.ForgetKey(); err != nil {
		return nil, err
	}
	return a.modelKeyChanged(ctx)
}

func ofModelKey(did string) audit.Entry {
	return audit.Entry{Kind: audit.KindSettings, Name: keySetting, Outcome: did}
}

func (a *API) modelKeyChanged(ctx context.Context) (*body[SettingList], error) {
	a.Hub.Publish(domain.Event{Topic: domain.TopicSettings, ID: keySetting})
	return a.listSettings(ctx, nil)
}

func (a *API) checkModel(ctx context.Context, _ *struct{}) (*body[model.Readiness], error) {
	report, err := a.Model.Check(ctx)
	if err != nil {
		return nil, err
	}
	return &body[model.Readiness]{report}, nil
}
