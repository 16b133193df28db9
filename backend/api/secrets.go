package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/secrets"
)

func (a *API) registerSecrets() {
	route(a, http.MethodGet, "/api/secrets", "checkSecrets", "Look for the key of the secrets and say where it is", a.checkSecrets)
	route(a, http.MethodPost, "/api/secrets/new-key", "renewSecretKey", "Make a new key in place of one that is lost", a.renewKey)
}

func (a *API) checkSecrets(ctx context.Context, _ *struct{}) (*body[secrets.Place], error) {
	return &body[secrets.Place]{a.CheckSecrets(ctx)}, nil
}

func (a *API) renewKey(ctx context.Context, _ *struct{}) (*body[secrets.Renewal], error) {
	if err := a.needsPerson(ctx, "the command line may not give up the key of the secrets here"); err != nil {
		return nil, err
	}
	renewal, err := a.RenewKey(ctx)
	if err != nil {
		return nil, err
	}
	// After it was done: only the new key can seal the line.
	a.note(ctx, audit.Entry{Kind: audit.KindSettings, Name: "secret_key", Outcome: audit.DidRenew})
	return &body[secrets.Renewal]{renewal}, nil
}
