package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// NewSignIn asks for a sign-in to a saved server, or to a draft.
type NewSignIn struct {
	// ServerID is a saved server, or the one that the draft is an edit of.
	ServerID   string             `json:"server_id,omitempty"`
	Definition *domain.Definition `json:"definition,omitempty"`
	// From is the server that the draft is a copy of; the sign-in may use its secrets.
	From string `json:"from,omitempty"`
	// Language is that of the page at the end, "fr" or "en"; empty takes the browser's.
	Language string `json:"language,omitempty"`
}

// SignInAnswer is the address of the page at which a browser ended, for a browser that runs where our listener is not.
type SignInAnswer struct {
	Address string `json:"address" maxLength:"16384"`
}

func (a *API) registerSignIns() {
	route(a, http.MethodPost, "/api/sign-ins", "beginSignIn", "Prepare a sign-in: the answer names the address to open", a.beginSignIn)
	route(a, http.MethodGet, "/api/sign-ins/{id}", "getSignIn", "Show a sign-in, running or ended", a.getSignIn)
	route(a, http.MethodDelete, "/api/sign-ins/{id}", "cancelSignIn", "Give up a sign-in", a.cancelSignIn)
	route(a, http.MethodPost, "/api/sign-ins/{id}/answer", "answerSignIn", "End a sign-in with the address at which the browser ended", a.answerSignIn)
	route(a, http.MethodGet, "/api/servers/{id}/sign-in", "getServerSignIn", "Say what is known of the sign-in of a server", a.serverSignIn)
	route(a, http.MethodPost, "/api/servers/{id}/sign-out", "signOut", "Revoke and forget the tokens of a server", a.signOut)
}

func (a *API) beginSignIn(ctx context.Context, in *struct{ Body NewSignIn }) (*body[servers.SignIn], error) {
	begun, err := a.Servers.BeginSignIn(ctx, servers.SignInWish{
		Server: in.Body.ServerID, Definition: in.Body.Definition, From: in.Body.From, Language: in.Body.Language,
		By: principalOf(ctx).Caller,
	})
	if err != nil {
		return nil, err
	}
	return &body[servers.SignIn]{begun}, nil
}

func (a *API) getSignIn(ctx context.Context, in *waitingFor) (*body[servers.SignIn], error) {
	now, err := a.Servers.SignIn(ctx, in.ID, milliseconds(in.WaitMS))
	if err != nil {
		return nil, err
	}
	return &body[servers.SignIn]{now}, nil
}

func (a *API) answerSignIn(ctx context.Context, in *struct {
	ItemID
	Body SignInAnswer
},
) (*body[servers.SignIn], error) {
	now, err := a.Servers.AnswerSignIn(ctx, in.ID, in.Body.Address)
	if err != nil {
		return nil, err
	}
	return &body[servers.SignIn]{now}, nil
}

func (a *API) cancelSignIn(_ context.Context, in *ItemID) (*done, error) {
	if err := a.Servers.CancelSignIn(in.ID); err != nil {
		return nil, err
	}
	return &done{}, nil
}

func (a *API) serverSignIn(_ context.Context, in *ItemID) (*body[servers.SignInState], error) {
	state, err := a.Servers.SignInOf(in.ID)
	if err != nil {
		return nil, err
	}
	return &body[servers.SignInState]{state}, nil
}

func (a *API) signOut(ctx context.Context, in *ItemID) (*done, error) {
	view, err := a.Servers.Get(in.ID)
	if err != nil {
		return nil, err
	}
	a.note(ctx, audit.Entry{Kind: audit.KindSignIn, Server: view.ID, Name: view.Name, Outcome: audit.DidSignOut})
	if err := a.Servers.SignOut(ctx, view.ID); err != nil {
		return nil, err
	}
	return &done{}, nil
}
