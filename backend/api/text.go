package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/domain"
)

// TextOutlook is what a person should know before a text is asked of the model.
type TextOutlook struct {
	// Model is the one that would be asked; empty where Failure says why there is none.
	Model   string        `json:"model,omitempty"`
	Failure *domain.Error `json:"failure,omitempty"`
	// Asked is how many texts the server asked for in the last hour, with this one; Most is how many it may.
	Asked int `json:"asked"`
	Most  int `json:"most"`
}

func (a *API) registerTexts() {
	route(a, http.MethodGet, "/api/inbox/{id}/text", "getTextOutlook", "Show which model a text would be asked of", a.textOutlook)
}

func (a *API) textOutlook(ctx context.Context, in *ItemID) (*body[TextOutlook], error) {
	r, err := a.Inbox.Get(in.ID)
	if err != nil {
		return nil, err
	}
	if r.Kind != domain.SamplingRequest {
		return nil, &domain.Error{
			Code: domain.CodeInvalidInput, Message: "request " + r.ID + " asks for no text", Hint: "Look at it in the inbox.",
			Args: map[string]string{"field": "id"},
		}
	}
	var outlook TextOutlook
	outlook.Asked, outlook.Most = a.Texts(r.Server)
	if r.TextFor != "" || r.Status != domain.RequestWaiting {
		return &body[TextOutlook]{outlook}, nil
	}
	outlook.Model, err = a.Model.ModelFor(ctx, r.Params)
	outlook.Failure = domain.AsError(err)
	return &body[TextOutlook]{outlook}, nil
}
